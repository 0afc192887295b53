#include "agent/jobs/job_files.h"

#include <algorithm>
#include <sys/stat.h>
#include <utility>

#include "base/async/aside.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kResultFile = "result.json";
constexpr std::string_view kPartPrefix = "part-";
constexpr std::string_view kPartEnd = ".json";
constexpr mode_t kOnlyMine = 0700;

Result<void> MakePrivate(const fs::path& folder) {
  if (::mkdir(folder.c_str(), kOnlyMine) == 0 || errno == EEXIST) return {};
  return IoFailure(folder, "cannot make");
}

Result<void> SaveIn(const fs::path& root, const std::string& job, const std::string& file,
                    const std::string& text) {
  TRY(MakePrivate(root));
  TRY(MakePrivate(root / job));
  TRY(WriteFileAtomic(root / job / file, text));
  return SyncFolder(root);
}

bool IsPartName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return IsDigit(c) || IsLower(c) || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

// The names of entries of a folder; none when there is no folder.
std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (auto at = fs::directory_iterator(folder, ignored); at != fs::directory_iterator();
       at.increment(ignored)) {
    names.push_back(at->path().filename().string());
    if (ignored) break;
  }
  return names;
}

bool IsPartFile(std::string_view file) {
  return file.starts_with(kPartPrefix) && file.ends_with(kPartEnd);
}

Result<std::map<std::string, std::string>> PartsIn(const fs::path& folder) {
  std::map<std::string, std::string> parts;
  for (const std::string& file : NamesIn(folder)) {
    if (!IsPartFile(file)) continue;
    TRY_ASSIGN(std::string text, ReadFile(folder / file));
    parts[file.substr(kPartPrefix.size(), file.size() - kPartPrefix.size() - kPartEnd.size())] =
        std::move(text);
  }
  return parts;
}

void RemoveFrom(const fs::path& path) {
  std::error_code failure;
  fs::remove_all(path, failure);
  if (failure) LOG(warn, "jobs.not_removed", {"path", path.string()}, {"why", failure.message()});
}

bool RemovePartsIn(const fs::path& folder) {
  for (const std::string& file : NamesIn(folder))
    if (IsPartFile(file)) RemoveFrom(folder / file);
  return true;
}

}  // namespace

Task<Result<void>> JobFiles::SaveResult(CallContext ctx, std::string job, std::string text) const {
  return Aside(std::move(ctx), [root = root_, job = std::move(job), text = std::move(text)] {
    return SaveIn(root, job, std::string(kResultFile), text);
  });
}

Task<Result<std::string>> JobFiles::LoadResult(CallContext ctx, std::string job) const {
  return Aside(std::move(ctx), [file = FolderOf(job) / kResultFile] { return ReadFile(file); });
}

Task<Result<void>> JobFiles::SavePart(CallContext ctx, std::string job, std::string name,
                                      std::string text) const {
  if (!IsPartName(name))
    co_return Fail(ErrorCode::kInvalidArgument, "a part of a job cannot be called " + name);
  std::string file = std::string(kPartPrefix) + name + std::string(kPartEnd);
  co_return co_await Aside(std::move(ctx),
                           [root = root_, job = std::move(job), file = std::move(file),
                            text = std::move(text)] { return SaveIn(root, job, file, text); });
}

Task<Result<std::map<std::string, std::string>>> JobFiles::LoadParts(CallContext ctx,
                                                                     std::string job) const {
  return Aside(std::move(ctx), [folder = FolderOf(job)] { return PartsIn(folder); });
}

Task<void> JobFiles::RemoveParts(CallContext ctx, std::string job) const {
  co_await Aside(std::move(ctx), [folder = FolderOf(job)] { return RemovePartsIn(folder); });
}

Task<void> JobFiles::Remove(CallContext ctx, std::string job) const {
  co_await Aside(std::move(ctx), [folder = FolderOf(job)] {
    RemoveFrom(folder);
    return true;
  });
}

Task<std::vector<std::string>> JobFiles::Jobs(CallContext ctx) const {
  return Aside(std::move(ctx), [root = root_] { return NamesIn(root); });
}

}  // namespace falconer::agent
