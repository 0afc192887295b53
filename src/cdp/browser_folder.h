#pragma once
// BrowserFolder: the folder of one browser, for its profile and temporary files. It is claimed by a
// lock that ends with our process, so that folders whose owner was killed can be told from others
// and are removed by whoever starts a browser next.

#include <filesystem>

#include "base/file.h"
#include "base/unique_fd.h"

namespace falconer::cdp {

class BrowserFolder {
 public:
  // A new folder in the temporary folder, with `temp` in it. Fails with kBrowserLaunchFailed.
  static Result<BrowserFolder> Create();

  const std::filesystem::path& path() const { return dir_.path(); }
  std::filesystem::path profile() const { return path() / "profile"; }
  std::filesystem::path temp() const { return path() / "tmp"; }

 private:
  BrowserFolder(UniqueFd claim, TempDir dir) : claim_(std::move(claim)), dir_(std::move(dir)) {}

  // Let go of after the folder is removed.
  UniqueFd claim_;
  TempDir dir_;
};

// Removes the folders of browsers whose owner is gone. Folders of other users are left alone.
void RemoveAbandonedFolders();

}  // namespace falconer::cdp
