#include "cdp/browser_folder.h"

#include <chrono>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>

#include "base/log.h"

namespace falconer::cdp {
namespace {

constexpr std::string_view kPrefix = "falconer-browser-";
constexpr std::string_view kClaimName = "owner";
constexpr std::string_view kNewClaimName = "owner.new";
constexpr auto kNewFor = std::chrono::hours(1);

// The lock on the folder's claim, or nothing when somebody else holds it. O_CLOEXEC: the browser
// must not hold it in our place.
UniqueFd Claim(const std::filesystem::path& folder, int flags) {
  UniqueFd claim(
      ::open((folder / kClaimName).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
  if (claim && ::flock(claim.get(), LOCK_EX | LOCK_NB) != 0) claim.Reset();
  return claim;
}

// Makes the claim of a new folder. It gets its name only once it is locked: a claim that others can
// find unlocked says that the owner is gone.
UniqueFd MakeClaim(const std::filesystem::path& folder) {
  const auto unnamed = folder / kNewClaimName;
  UniqueFd claim(::open(unnamed.c_str(), O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0600));
  const bool is_ours = claim && ::flock(claim.get(), LOCK_EX | LOCK_NB) == 0 &&
                       ::link(unnamed.c_str(), (folder / kClaimName).c_str()) == 0;
  ::unlink(unnamed.c_str());
  if (!is_ours) claim.Reset();
  return claim;
}

bool IsOurFolder(const std::filesystem::path& path) {
  return path.filename().string().starts_with(kPrefix) && IsOwnFolder(path);
}

// A folder without a claim may have been made a moment ago, and be about to be claimed.
bool IsNew(const std::filesystem::path& path) {
  std::error_code failed;
  const auto changed = std::filesystem::last_write_time(path, failed);
  return failed || std::filesystem::file_time_type::clock::now() - changed < kNewFor;
}

}  // namespace

Result<BrowserFolder> BrowserFolder::Create() {
  TRY_ASSIGN(TempDir dir, TempDir::Create(kPrefix));
  UniqueFd claim = MakeClaim(dir.path());
  BrowserFolder folder(std::move(claim), std::move(dir));
  std::error_code failed;
  std::filesystem::create_directory(folder.temp(), failed);
  if (failed || !folder.claim_) {
    return Fail(ErrorCode::kBrowserLaunchFailed, "cannot write to " + folder.path().string());
  }
  return folder;
}

void RemoveAbandonedFolders() {
  std::error_code failed;
  const auto base = std::filesystem::temp_directory_path(failed);
  if (failed) return;
  for (const auto& entry : std::filesystem::directory_iterator(base, failed)) {
    if (!IsOurFolder(entry.path())) continue;
    const UniqueFd claim = Claim(entry.path(), IsNew(entry.path()) ? 0 : O_CREAT);
    if (!claim) continue;
    LOG(info, "browser.folder_removed", {"folder", entry.path().string()});
    std::filesystem::remove_all(entry.path(), failed);
  }
}

}  // namespace falconer::cdp
