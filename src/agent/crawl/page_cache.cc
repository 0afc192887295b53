#include "agent/crawl/page_cache.h"

#include <algorithm>
#include <utility>

#include "agent/crawl/normalized_url.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntryIdLength = 64;
constexpr std::string_view kPageEnding = ".page";

bool IsEntryId(std::string_view id) {
  return id.size() == kEntryIdLength &&
         std::ranges::all_of(id, [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); });
}

std::unexpected<Error> NotKept() {
  return Fail(ErrorCode::kNotFound, "no such page is kept");
}

std::int64_t CacheMillis(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::int64_t StoredAt(const json::object& entry) {
  const json::value* at = entry.if_contains("stored_at");
  return at != nullptr && at->is_number() ? at->to_number<std::int64_t>() : 0;
}

bool EntrySpeaks(const json::object& entry, const std::string& words) {
  if (words.empty()) return true;
  const json::object& page = entry.at("page").as_object();
  for (const std::string_view key : {"title", "markdown", "text", "html"})
    if (ToLower(TextAt(page, key)).contains(words)) return true;
  return ToLower(TextAt(entry, "url")).contains(words);
}

// The pages of a folder. What is not there yet has none.
std::vector<fs::directory_entry> CachedFilesIn(const fs::path& folder) {
  std::vector<fs::directory_entry> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (at->path().extension() == kPageEnding) files.push_back(*at);
  return files;
}

struct StoredFile {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

std::vector<StoredFile> CachedSizesIn(const fs::path& folder) {
  std::vector<StoredFile> files;
  for (const fs::directory_entry& entry : CachedFilesIn(folder)) {
    std::error_code failed;
    files.push_back({.path = entry.path(),
                     .bytes = entry.file_size(failed),
                     .used = entry.last_write_time(failed)});
    if (failed) files.pop_back();
  }
  return files;
}

}  // namespace

std::string PageCache::KeyOf(const CrawlWish& wish, CrawlForm form) {
  const json::object options{{"form", NameIn(kCrawlForms, form)},
                             {"until", NameIn(kCrawlUntils, wish.until)},
                             {"selector", wish.selector},
                             {"max_chars", wish.max_chars},
                             {"javascript", wish.javascript},
                             {"thin_again", wish.retry_with_js_if_thin},
                             {"dedupe_tables", wish.dedupe_tables},
                             {"payload", wish.javascript_payload},
                             {"rest_ms", wish.wait_after_load.count()},
                             {"allow_ghost", wish.allow_ghost}};
  return Sha256Hex(NormalizedUrl(wish.url) + "\n" + json::serialize(options));
}

// A tenant's name may hold what no folder may be called.
fs::path PageCache::FolderOf(const TenantId& tenant) const {
  return options_.folder / Sha256Hex(tenant.value()).substr(0, 32);
}

json::value PageCache::ReadEntry(const fs::path& file) {
  const auto content = ReadFile(file);
  if (!content) return nullptr;
  const std::size_t line = std::min(content->find('\n'), content->size());
  const std::string_view body =
      std::string_view(*content).substr(std::min(line + 1, content->size()));
  const bool is_whole = content->substr(0, line) == Sha256Hex(body);
  auto entry = is_whole ? ParseJson(body) : Result<json::value>(nullptr);
  const bool is_page = entry && entry->is_object() && entry->get_object().contains("page");
  if (is_page) return *std::move(entry);
  std::error_code failed;
  fs::remove(file, failed);
  return nullptr;
}

Result<json::object> PageCache::Find(const TenantId& tenant, std::string_view id) {
  if (!IsEntryId(id)) return NotKept();
  const std::scoped_lock lock(mutex_);
  const fs::path file = FolderOf(tenant) / (std::string(id) + std::string(kPageEnding));
  json::value entry = ReadEntry(file);
  if (!entry.is_object()) return NotKept();
  std::error_code failed;
  fs::last_write_time(file, fs::file_time_type::clock::now(), failed);
  return std::move(entry.get_object());
}

Result<json::object> PageCache::Last(const TenantId& tenant, std::string_view normalized_url) {
  for (json::object& entry : All(tenant))
    if (TextAt(entry, "normalized_url") == normalized_url) return std::move(entry);
  return NotKept();
}

Result<json::object> PageCache::Keep(const TenantId& tenant, std::string_view id, json::object page,
                                     WallTime now) {
  const std::string url = TextAt(page, "url");
  json::object entry{{"id", id},
                     {"url", url},
                     {"normalized_url", NormalizedUrl(url)},
                     {"stored_at", CacheMillis(now)},
                     {"content_hash", TextAt(page, "content_hash")},
                     {"title", TextAt(page, "title")},
                     {"page", std::move(page)}};
  const std::string body = json::serialize(entry);
  if (body.size() > options_.most_bytes)
    return Fail(ErrorCode::kBudgetExceeded, "the page is larger than all that is kept");
  const std::scoped_lock lock(mutex_);
  const fs::path folder = FolderOf(tenant);
  std::error_code failed;
  fs::create_directories(folder, failed);
  TRY(WriteFileAtomic(folder / (std::string(id) + std::string(kPageEnding)),
                      Sha256Hex(body) + "\n" + body));
  MakeRoom(folder);
  return entry;
}

void PageCache::MakeRoom(const fs::path& folder) const {
  std::vector<StoredFile> files = CachedSizesIn(folder);
  std::uint64_t bytes = 0;
  for (const StoredFile& file : files) bytes += file.bytes;
  if (bytes <= options_.most_bytes) return;
  std::ranges::sort(files, {}, &StoredFile::used);
  for (const StoredFile& file : files) {
    if (bytes <= options_.most_bytes) return;
    std::error_code failed;
    if (fs::remove(file.path, failed)) bytes -= file.bytes;
  }
}

std::vector<json::object> PageCache::All(const TenantId& tenant) const {
  std::vector<json::object> entries;
  for (const fs::directory_entry& file : CachedFilesIn(FolderOf(tenant))) {
    json::value entry = ReadEntry(file.path());
    if (entry.is_object()) entries.push_back(std::move(entry.get_object()));
  }
  std::ranges::sort(entries, std::greater(), StoredAt);
  return entries;
}

Result<json::object> PageCache::List(const TenantId& tenant, const CacheQuestion& question) {
  const std::string words = ToLower(question.words);
  json::array documents;
  std::size_t total = 0;
  for (json::object& entry : All(tenant)) {
    if (!EntrySpeaks(entry, words)) continue;
    const std::size_t at = total++;
    if (at < question.offset || documents.size() >= question.limit) continue;
    entry.erase("page");
    documents.push_back(std::move(entry));
  }
  return json::object{{"total", total}, {"documents", std::move(documents)}};
}

Result<std::size_t> PageCache::Prune(const TenantId& tenant, std::chrono::milliseconds older_than,
                                     WallTime now) {
  const std::scoped_lock lock(mutex_);
  std::size_t removed = 0;
  for (const fs::directory_entry& file : CachedFilesIn(FolderOf(tenant))) {
    const json::value entry = ReadEntry(file.path());
    if (!entry.is_object()) continue;
    if (CacheMillis(now) - StoredAt(entry.get_object()) < older_than.count()) continue;
    std::error_code failed;
    if (fs::remove(file.path(), failed)) ++removed;
  }
  return removed;
}

}  // namespace falconer::agent
