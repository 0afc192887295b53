#include "app/doctor/doctor_folders.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <unistd.h>

#include "app/doctor/doctor_facts.h"

namespace falconer::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLittleSpace = kGiB;
constexpr std::uint64_t kNoSpace = 100 * kMiB;

// As std::filesystem::temp_directory_path() looks for it: the first that is set, even if empty.
constexpr std::string_view kTempVariables[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};
constexpr std::string_view kSystemTemp = "/tmp";

NamedFolder TempOf(const Visit& visit) {
  for (const std::string_view name : kTempVariables) {
    if (auto folder = Variable(visit, name)) return {name, *std::move(folder)};
  }
  return {"", kSystemTemp};
}

// Folders are made when they are first needed: what counts until then is the one above.
fs::path NearestExisting(fs::path folder) {
  std::error_code failed;
  folder = fs::absolute(folder, failed);
  while (!fs::exists(folder, failed) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

bool IsFolder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

bool IsWritable(const fs::path& path) {
  return ::access(path.c_str(), W_OK | X_OK) == 0;
}

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

Finding JudgeTemp(const NamedFolder& temp) {
  const std::string path = temp.path.string();
  if (IsFolder(temp.path) && IsWritable(temp.path)) return {Health::kOk, path};
  const std::string why = IsFolder(temp.path) ? "may not be written by this user" : "is no folder";
  if (temp.name.empty()) {
    return {Health::kFail, fmt::format("{} {}", path, why),
            "set TMPDIR to a folder that this user may write to"};
  }
  return {
      Health::kFail, fmt::format("{} names \"{}\", which {}", temp.name, path, why),
      fmt::format("set {0} to a folder that is there and may be written, or unset {0}", temp.name)};
}

Finding JudgeHome(const std::optional<std::string>& home, const fs::path& data) {
  if (data.string().starts_with("~/")) {
    return {Health::kFail,
            fmt::format("HOME is not set, so nobody knows where {} is", data.string()),
            "set HOME, or set data.dir to an absolute path"};
  }
  if (!home || home->empty() || !IsBelow(data, *home) || IsFolder(*home))
    return {Health::kOk, data.string()};
  const bool can_be_made = IsWritable(NearestExisting(*home));
  return {can_be_made ? Health::kWarn : Health::kFail,
          fmt::format("HOME names \"{}\", which is no folder", *home),
          "set HOME to this user's home folder, or set data.dir to another folder"};
}

Finding JudgeFolder(const NamedFolder& folder) {
  const fs::path existing = NearestExisting(folder.path);
  if (IsFolder(existing) && IsWritable(existing)) return {Health::kOk, folder.path.string()};
  return {Health::kFail,
          fmt::format("{} is {}, but {} {}", folder.name, folder.path.string(), existing.string(),
                      IsFolder(existing) ? "may not be written by this user" : "is no folder"),
          fmt::format("set {} to a folder that this user may write to", folder.name)};
}

Finding ExamineTemp(const Visit& visit) {
  return JudgeTemp(TempOf(visit));
}

Task<Finding> CheckFolders(CallContext /*ctx*/, Visit* visit) {
  const Settings& settings = visit->program.settings();
  const Finding findings[] = {ExamineTemp(*visit),
                              JudgeHome(Variable(*visit, "HOME"), settings.data.dir),
                              JudgeFolder({"data.dir", settings.data.dir}),
                              JudgeFolder({"artifacts.dir", ArtifactsFolder(settings)})};
  const auto* worst = std::ranges::max_element(findings, {}, &Finding::health);
  if (worst->health != Health::kOk) co_return *worst;
  co_return Finding{Health::kOk, fmt::format("{}, {}, {} can be written", findings[0].detail,
                                             findings[2].detail, findings[3].detail)};
}

Finding JudgeDiskSpace(std::string_view folder, std::uint64_t free_bytes) {
  const Health health = free_bytes < kNoSpace       ? Health::kFail
                        : free_bytes < kLittleSpace ? Health::kWarn
                                                    : Health::kOk;
  return {health, fmt::format("{} free at {}", Amount(free_bytes), folder)};
}

Task<Finding> CheckDiskSpace(CallContext /*ctx*/, Visit* visit) {
  const Settings& settings = visit->program.settings();
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  fs::path where;
  for (const fs::path& folder :
       {settings.data.dir, ArtifactsFolder(settings), TempOf(*visit).path}) {
    const fs::path existing = NearestExisting(folder);
    const std::uint64_t bytes = FreeBytes(existing).value_or(0);
    if (bytes < least) {
      least = bytes;
      where = existing;
    }
  }
  co_return JudgeDiskSpace(where.string(), least);
}

}  // namespace falconer::app
