#include "agent/nodes/child_folder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <utility>

#include "agent/nodes/child_command.h"

namespace falconer::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kChildFolderPrefix = "falconer-child-";

// Children of root are somebody else, and so are their folders.
bool IsOurs(const struct stat& facts) {
  return facts.st_uid == ::geteuid() || (ChildUser() != 0 && facts.st_uid == ChildUser());
}

bool IsAbandoned(const fs::path& path, std::chrono::seconds young) {
  struct stat facts{};
  if (::lstat(path.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) || !IsOurs(facts)) return false;
  const auto changed = std::chrono::system_clock::from_time_t(facts.st_ctime);
  return std::chrono::system_clock::now() - changed >= young && ClaimFolder(path);
}

}  // namespace

UniqueFd ClaimFolder(const fs::path& path) {
  UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder && ::flock(folder.get(), LOCK_EX | LOCK_NB) != 0) folder.Reset();
  return folder;
}

Result<ChildFolder> ChildFolder::Create() {
  TRY_ASSIGN(TempDir dir, TempDir::Create(kChildFolderPrefix));
  UniqueFd claim = ClaimFolder(dir.path());
  if (!claim) return IoFailure(dir.path(), "cannot lock");
  const uid_t user = ChildUser();
  if (user != 0 && ::fchown(claim.get(), user, user) != 0)
    return IoFailure(dir.path(), "cannot give away");
  return ChildFolder(std::move(claim), std::move(dir));
}

void RemoveAbandonedChildFolders(std::chrono::seconds young) {
  std::error_code failed;
  const fs::path base = fs::temp_directory_path(failed);
  for (const auto& entry : fs::directory_iterator(base, failed)) {
    const bool is_named = entry.path().filename().string().starts_with(kChildFolderPrefix);
    if (is_named && IsAbandoned(entry.path(), young)) fs::remove_all(entry.path(), failed);
  }
}

}  // namespace falconer::agent
