#include "policy/injection/quarantine.h"

#include <algorithm>

#include "base/file.h"
#include "base/hex.h"
#include "base/log.h"
#include "base/sha256.h"
#include "base/utf8.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kDigestDigits = 64;
constexpr std::size_t kLeastShown = 8;
constexpr std::string_view kKeptSuffix = ".json";

struct KeptFile {
  std::filesystem::path path;
  std::filesystem::file_time_type met;
  std::uintmax_t bytes = 0;
};

bool IsKeptText(const std::filesystem::path& path) {
  const std::string name = path.stem();
  return path.extension() == kKeptSuffix && name.size() == kDigestDigits && IsHex(name);
}

// What another program throws away meanwhile is passed over.
std::vector<KeptFile> KeptIn(const std::filesystem::path& folder) {
  std::vector<KeptFile> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (!IsKeptText(entry.path())) continue;
    KeptFile file{.path = entry.path(), .met = entry.last_write_time(failed)};
    if (!failed) file.bytes = entry.file_size(failed);
    if (!failed) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

Result<FilteredText> Quarantine::Filter(std::string_view text,
                                        const model::TextVisibility& visibility,
                                        const Provenance& provenance) const {
  FilteredText filtered{.text = std::string(text)};
  if (provenance.is_trusted()) return filtered;
  filtered.verdict = JudgeText(text, visibility);
  if (filtered.verdict.decision != InjectionDecision::kQuarantine) return filtered;
  TRY_ASSIGN(filtered.digest, Keep(text, filtered.verdict, provenance));
  filtered.text = "[filtered_instruction sha256=" + filtered.digest + "]";
  return filtered;
}

Result<std::string> Quarantine::Keep(std::string_view text, const InjectionVerdict& verdict,
                                     const Provenance& provenance) const {
  const std::string original = MendedUtf8(std::string(text));
  std::string digest = Sha256Hex(original);
  const std::filesystem::path file = folder_ / (digest + std::string(kKeptSuffix));
  std::error_code failed;
  if (std::filesystem::exists(file, failed)) {
    // Met again, and so among the newest.
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now(), failed);
    return digest;
  }
  std::filesystem::create_directories(folder_, failed);
  const json::object kept{
      {"text", original}, {"verdict", verdict.ToJson()}, {"provenance", provenance.ToJson()}};
  TRY(WriteFileAtomic(file, json::serialize(kept)));
  MakeRoom(file);
  return digest;
}

void Quarantine::MakeRoom(const std::filesystem::path& newest) const {
  std::vector<KeptFile> files = KeptIn(folder_);
  std::size_t texts = files.size();
  std::uintmax_t bytes = 0;
  for (const KeptFile& file : files) bytes += file.bytes;
  if (texts <= limits_.texts && bytes <= limits_.bytes) return;
  std::ranges::sort(files, {}, &KeptFile::met);
  for (const KeptFile& file : files) {
    if (texts <= limits_.texts && bytes <= limits_.bytes) return;
    if (file.path == newest) continue;
    std::error_code failed;
    std::filesystem::remove(file.path, failed);
    if (failed)
      LOG(warn, "quarantine.stays", {"file", file.path.string()}, {"why", failed.message()});
    --texts;
    bytes -= file.bytes;
  }
}

Result<std::vector<std::string>> Quarantine::List() const {
  std::vector<std::string> digests;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failed)) {
    if (IsKeptText(entry.path())) digests.push_back(entry.path().stem());
  }
  // Without a folder nothing was put away.
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Fail(ErrorCode::kIoError, "cannot list " + folder_.string() + ": " + failed.message());
  std::ranges::sort(digests);
  return digests;
}

Result<std::string> Quarantine::Find(std::string_view beginning) const {
  const bool is_hex =
      beginning.size() >= kLeastShown && beginning.size() <= kDigestDigits && IsHex(beginning);
  if (!is_hex) return Fail(ErrorCode::kInvalidArgument, "a digest is 8 to 64 hex digits");
  TRY_ASSIGN(const std::vector<std::string> all, List());
  std::vector<std::string> found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const std::string& digest) { return digest.starts_with(beginning); });
  if (found.size() == 1) return found[0];
  if (found.empty())
    return Fail(ErrorCode::kNotFound, "no text was put away as " + std::string(beginning));
  return Fail(ErrorCode::kInvalidArgument, "several digests begin with " + std::string(beginning));
}

Result<QuarantinedText> Quarantine::Release(std::string_view digest) const {
  if (digest.size() != kDigestDigits || !IsHex(digest)) {
    return Fail(ErrorCode::kInvalidArgument, "a digest is 64 hex digits");
  }
  const auto damaged = [&](std::string_view why) {
    return Fail(ErrorCode::kStoreDamaged,
                "quarantined text " + std::string(digest) + ": " + std::string(why));
  };
  TRY_ASSIGN(const std::string file,
             ReadFile(folder_ / (std::string(digest) + std::string(kKeptSuffix))));
  const auto parsed = ParseJson(file);
  if (!parsed) return damaged(parsed.error().message());
  auto read = ReadJson(*parsed, "", [](JsonReader& in) {
    return QuarantinedText{.text = in.String("text"),
                           .verdict = in.RawObject("verdict"),
                           .provenance = in.RawObject("provenance")};
  });
  if (!read) return damaged(read.error().message());
  if (Sha256Hex(read->text) != digest) return damaged("its digest differs");
  return *std::move(read);
}

}  // namespace falconer::policy
