#include "browser/context/artifact_manager.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <sys/stat.h>
#include <utility>

#include "base/file.h"
#include "base/random.h"
#include "browser/context/artifact_folder.h"

namespace falconer::browser {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t kMostListed = 1000;
constexpr std::size_t kFolderDigits = 20;
constexpr std::size_t kGoneBytes = 8;
constexpr milliseconds kRemainsAge = std::chrono::hours(24);

// A caller's id is not fit to be a path: its hash is.
std::string FolderName(std::string_view prefix, std::string_view id) {
  return std::string(prefix) + Sha256Hex(id).substr(0, kFolderDigits);
}

std::string TenantFolderName(const TenantId& tenant) {
  return FolderName("tenant_", tenant.value());
}

std::string WorkflowFolderName(const WorkflowId& workflow) {
  return FolderName("workflow_", workflow.value());
}

Result<UniqueFd> OpenContent(const fs::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat info{};
  if (!fd || ::fstat(fd.get(), &info) != 0) return IoFailure(path, "cannot open");
  if (!S_ISREG(info.st_mode)) return Fail(ErrorCode::kNotFound, path.string() + " is no file");
  return fd;
}

Result<std::string> ReadSlice(int fd, std::uint64_t offset, std::size_t most,
                              const fs::path& path) {
  std::string slice(most, '\0');
  std::size_t filled = 0;
  while (filled < most) {
    const ssize_t got =
        ::pread(fd, slice.data() + filled, most - filled, static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoFailure(path, "cannot read");
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  slice.resize(filled);
  return slice;
}

// The entries of a folder; none when it does not exist.
Result<std::vector<fs::path>> EntriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    entries.push_back(at->path());
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Fail(ErrorCode::kIoError, "cannot list " + folder.string() + ": " + failed.message());
  return entries;
}

// One that vanishes or is damaged while it is read is not there.
Result<std::vector<ArtifactRecord>> RecordsIn(const fs::path& folder) {
  TRY_ASSIGN(const auto entries, EntriesOf(folder));
  std::vector<ArtifactRecord> records;
  for (const fs::path& entry : entries) {
    if (!IsArtifactId(entry.filename().string())) continue;
    if (auto record = LoadRecord(entry)) records.push_back(*std::move(record));
  }
  std::ranges::sort(records, {}, [](const ArtifactRecord& record) {
    return std::pair(record.created, std::string_view(record.id));
  });
  return records;
}

struct Cursor {
  milliseconds created{-1};
  std::string id;
};

Result<Cursor> ParseCursor(std::string_view text) {
  if (text.empty()) return Cursor();
  std::int64_t created = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), created);
  const std::string_view id = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || !id.starts_with('.') || !IsArtifactId(id.substr(1)))
    return Fail(ErrorCode::kInvalidArgument, "from: is no place in a list of artifacts");
  return Cursor{milliseconds(created), std::string(id.substr(1))};
}

milliseconds Milliseconds(WallTime time) {
  return std::chrono::duration_cast<milliseconds>(time.time_since_epoch());
}

// By the clock of the disk, for what has no record.
milliseconds AgeOf(const fs::path& path) {
  std::error_code gone;
  const auto written = fs::last_write_time(path, gone);
  if (gone) return milliseconds::zero();
  return std::chrono::duration_cast<milliseconds>(fs::file_time_type::clock::now() - written);
}

// Out of sight in one step, then taken apart: nobody meets half an artifact.
bool Remove(const fs::path& path) {
  const fs::path gone = path.parent_path() / (".gone_" + RandomHex(kGoneBytes));
  if (::rename(path.c_str(), gone.c_str()) != 0) return false;
  std::error_code ignored;
  fs::remove_all(gone, ignored);
  return true;
}

bool IsPurged(const fs::path& entry, const ArtifactPurge& purge, milliseconds now) {
  const std::string name = entry.filename().string();
  if (name.starts_with('.')) return AgeOf(entry) >= kRemainsAge;
  if (!IsArtifactId(name)) return AgeOf(entry) >= purge.older_than;
  const auto record = LoadRecord(entry);
  return !record || now - record->created >= purge.older_than;
}

Result<ArtifactPurged> PurgeIn(const fs::path& folder, const ArtifactPurge& purge,
                               milliseconds now) {
  TRY_ASSIGN(const auto entries, EntriesOf(folder));
  ArtifactPurged purged;
  for (const fs::path& entry : entries) {
    if (!IsPurged(entry, purge, now)) continue;
    std::error_code gone;
    const bool is_file = fs::is_regular_file(entry, gone);
    const std::uint64_t bytes =
        is_file ? fs::file_size(entry, gone) : CountBytes(entry).value_or(0);
    if (!Remove(entry)) continue;
    if (entry.filename().string().starts_with('.')) continue;
    ++purged.artifacts;
    purged.bytes += bytes;
  }
  // Only when it is empty.
  std::error_code ignored;
  fs::remove(folder, ignored);
  return purged;
}

}  // namespace

ArtifactManager::ArtifactManager(Options options, Clock& clock)
    : options_(std::move(options)), clock_(clock) {
}

fs::path ArtifactManager::TenantFolder(const TenantId& tenant) const {
  return options_.root / TenantFolderName(tenant);
}

fs::path ArtifactManager::FolderOf(const ArtifactOwner& owner) const {
  return TenantFolder(owner.tenant) / WorkflowFolderName(owner.workflow);
}

std::shared_ptr<ArtifactAccount> ArtifactManager::AccountOf(const TenantId& tenant) {
  const std::lock_guard lock(mutex_);
  auto& account = accounts_[tenant];
  if (!account) account = std::make_shared<ArtifactAccount>(options_.max_bytes_per_tenant);
  return account;
}

void ArtifactManager::SetLimit(const TenantId& tenant, std::uint64_t bytes) {
  AccountOf(tenant)->SetMost(bytes == 0 ? std::numeric_limits<std::uint64_t>::max() : bytes);
}

ArtifactPlace ArtifactManager::PlaceOf(const ArtifactOwner& owner) {
  return {.tenant_folder = TenantFolder(owner.tenant),
          .workflow_folder = FolderOf(owner),
          .account = AccountOf(owner.tenant)};
}

Result<std::unique_ptr<ArtifactWriter>> ArtifactManager::Begin(const ArtifactOwner& owner,
                                                               ArtifactKind kind,
                                                               std::string_view name) {
  return ArtifactWriter::Open(PlaceOf(owner), kind, name);
}

Result<ArtifactRecord> ArtifactManager::Finish(std::unique_ptr<ArtifactWriter> writer) {
  return writer->Finish(clock_.WallNow());
}

Result<ArtifactRecord> ArtifactManager::Save(const ArtifactOwner& owner, ArtifactKind kind,
                                             std::string_view name, std::string_view bytes) {
  TRY_ASSIGN(auto writer, Begin(owner, kind, name));
  TRY(writer->Append(bytes));
  return Finish(std::move(writer));
}

Result<ArtifactRecord> ArtifactManager::RegisterUpload(const ArtifactOwner& owner,
                                                       std::string_view name,
                                                       std::string_view bytes) {
  return Save(owner, ArtifactKind::kUpload, name, bytes);
}

Result<ArtifactRecord> ArtifactManager::RegisterFromInbox(const ArtifactOwner& owner,
                                                          const fs::path& relative) {
  if (options_.inbox.empty())
    return Fail(ErrorCode::kNotFound, "there is no inbox (artifacts.inbox)");
  TRY_ASSIGN(const fs::path path, ArtifactFolder(options_.inbox).ResolveUpload(relative));
  TRY_ASSIGN(const UniqueFd fd, OpenContent(path));
  TRY_ASSIGN(auto writer, Begin(owner, ArtifactKind::kUpload, path.filename().string()));
  for (std::uint64_t offset = 0;;) {
    TRY_ASSIGN(const std::string slice, ReadSlice(fd.get(), offset, kArtifactSlice, path));
    if (slice.empty()) break;
    TRY(writer->Append(slice));
    offset += slice.size();
  }
  return Finish(std::move(writer));
}

Result<ArtifactRecord> ArtifactManager::Adopt(const ArtifactOwner& owner, ArtifactKind kind,
                                              const std::string& file, std::string_view name) {
  const fs::path folder = FolderOf(owner);
  const fs::path path = folder / file;
  if (file.starts_with('.') || path.parent_path() != folder || path.filename() != file)
    return Fail(ErrorCode::kInvalidArgument, "file: " + file + " is no file name");
  TRY_ASSIGN(auto opened, OpenContent(path));
  opened.Reset();
  TRY_ASSIGN(auto writer, Begin(owner, kind, name));
  TRY(writer->TakeFile(path));
  return Finish(std::move(writer));
}

Result<ArtifactPage> ArtifactManager::List(const ArtifactOwner& owner, std::string_view from,
                                           std::size_t limit) const {
  if (limit < 1 || limit > kMostListed)
    return Fail(ErrorCode::kInvalidArgument, fmt::format("limit: must be 1 to {}", kMostListed));
  TRY_ASSIGN(const Cursor after, ParseCursor(from));
  TRY_ASSIGN(auto records, RecordsIn(FolderOf(owner)));
  const auto first = std::ranges::find_if(records, [&](const ArtifactRecord& record) {
    return std::pair(record.created, std::string_view(record.id)) >
           std::pair(after.created, std::string_view(after.id));
  });
  const auto count = std::min(limit, static_cast<std::size_t>(records.end() - first));
  ArtifactPage page{.artifacts = {std::move_iterator(first),
                                  std::move_iterator(first + static_cast<std::ptrdiff_t>(count))}};
  if (first + static_cast<std::ptrdiff_t>(count) != records.end()) {
    const ArtifactRecord& last = page.artifacts.back();
    page.next = fmt::format("{}.{}", last.created.count(), last.id);
  }
  return page;
}

Result<ArtifactRecord> ArtifactManager::Find(const ArtifactOwner& owner,
                                             std::string_view id) const {
  if (!IsArtifactId(id))
    return Fail(ErrorCode::kNotFound, "'" + std::string(id) + "' is no artifact");
  return LoadRecord(FolderOf(owner) / id);
}

Result<fs::path> ArtifactManager::ContentOf(const ArtifactOwner& owner, std::string_view id) const {
  if (!IsArtifactId(id))
    return Fail(ErrorCode::kNotFound, "'" + std::string(id) + "' is no artifact");
  return ContentIn(FolderOf(owner) / id);
}

Result<std::string> ArtifactManager::Read(const ArtifactOwner& owner, std::string_view id,
                                          std::uint64_t offset, std::size_t most) const {
  TRY_ASSIGN(const fs::path path, ContentOf(owner, id));
  TRY_ASSIGN(const UniqueFd fd, OpenContent(path));
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return IoFailure(path, "cannot read");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (offset >= size) return std::string();
  const auto count = std::min<std::uint64_t>(most, size - offset);
  return ReadSlice(fd.get(), offset, static_cast<std::size_t>(count), path);
}

Result<ArtifactPurged> ArtifactManager::Purge(const TenantId& tenant, const ArtifactPurge& purge) {
  std::vector<fs::path> folders;
  if (purge.workflow) {
    folders.push_back(TenantFolder(tenant) / WorkflowFolderName(*purge.workflow));
  } else {
    TRY_ASSIGN(folders, EntriesOf(TenantFolder(tenant)));
  }
  ArtifactPurged total;
  for (const fs::path& folder : folders) {
    if (folder.filename().string().starts_with('.')) continue;
    TRY_ASSIGN(const auto purged, PurgeIn(folder, purge, Milliseconds(clock_.WallNow())));
    total.artifacts += purged.artifacts;
    total.bytes += purged.bytes;
  }
  TRY_ASSIGN(const auto kept, UsedBytes(tenant));
  AccountOf(tenant)->SetKept(kept);
  return total;
}

Result<std::uint64_t> ArtifactManager::UsedBytes(const TenantId& tenant) const {
  return CountBytes(TenantFolder(tenant));
}

Result<std::uint64_t> ArtifactManager::LeftBytes(const TenantId& tenant) {
  TRY_ASSIGN(const auto kept, UsedBytes(tenant));
  const auto account = AccountOf(tenant);
  account->SetKept(kept);
  return account->Left();
}

}  // namespace falconer::browser
