#pragma once
// ChildFolder: the folder of one child: empty, private, its own. It is locked as long as we live,
// so that folders whose owner was killed can be told from others, and are removed by whoever runs a
// child next.

#include <chrono>
#include <filesystem>

#include "base/file.h"
#include "base/unique_fd.h"

namespace falconer::agent {

class ChildFolder {
 public:
  // In the temporary folder; belongs to whoever the child is to be. kIoError.
  static Result<ChildFolder> Create();

  const std::filesystem::path& path() const { return dir_.path(); }

 private:
  ChildFolder(UniqueFd claim, TempDir dir) : claim_(std::move(claim)), dir_(std::move(dir)) {}

  // Let go of after the folder is removed.
  UniqueFd claim_;
  TempDir dir_;
};

// A folder that is open and locked, as those of children are by who made them; nothing when
// somebody else has the lock, or it is no folder.
UniqueFd ClaimFolder(const std::filesystem::path& path);

// Removes the folders of children whose owner is gone. Those of other users are left alone, and so
// are young ones, which may not be locked yet.
void RemoveAbandonedChildFolders(std::chrono::seconds young = std::chrono::minutes(1));

}  // namespace falconer::agent
