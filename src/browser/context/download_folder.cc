#include "browser/context/download_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include "base/file.h"
#include "base/log.h"

namespace falconer::browser {
namespace {

bool IsOurIncoming(const std::filesystem::path& path) {
  return path.filename().string().starts_with(kIncomingPrefix) && IsOwnFolder(path);
}

void RemoveIncoming(const std::filesystem::path& folder) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (!IsOurIncoming(entry.path())) continue;
    LOG(info, "downloads.leftover_removed", {"folder", entry.path().string()});
    std::filesystem::remove_all(entry.path(), failed);
  }
}

}  // namespace

UniqueFd ClaimDownloadFolder(const std::filesystem::path& folder) {
  UniqueFd claim(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!claim) return claim;
  // Alone: nobody who still runs made what lies there.
  if (::flock(claim.get(), LOCK_EX | LOCK_NB) == 0) RemoveIncoming(folder);
  // Waits at most for another process that is removing just now.
  if (::flock(claim.get(), LOCK_SH) != 0) claim.Reset();
  return claim;
}

}  // namespace falconer::browser
