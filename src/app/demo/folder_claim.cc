#include "app/demo/folder_claim.h"

#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

namespace falconer::app {
namespace {

// What browser/context/downloads.cc calls the folder that a session's downloads arrive in.
constexpr std::string_view kIncoming = ".incoming_";

bool IsOurIncoming(const std::filesystem::path& path) {
  struct stat info{};
  return path.filename().string().starts_with(kIncoming) && ::lstat(path.c_str(), &info) == 0 &&
         S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

void RemoveIncoming(const std::filesystem::path& folder) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (!IsOurIncoming(entry.path())) continue;
    LOG(info, "demo.leftover_removed", {"folder", entry.path().string()});
    std::filesystem::remove_all(entry.path(), failed);
  }
}

}  // namespace

UniqueFd ClaimFolder(const std::filesystem::path& folder) {
  UniqueFd claim(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!claim) return claim;
  // Alone: nobody who still runs made what lies there.
  if (::flock(claim.get(), LOCK_EX | LOCK_NB) == 0) RemoveIncoming(folder);
  // Waits at most for another demo that is removing just now.
  if (::flock(claim.get(), LOCK_SH) != 0) claim.Reset();
  return claim;
}

}  // namespace falconer::app
