#pragma once
// ArtifactFolder: the one folder a session reads uploads from and writes captures and downloads to.
// Nothing outside it can be named.

#include <filesystem>
#include <string>
#include <string_view>

#include "model/evidence.h"

namespace falconer::browser {

class ArtifactFolder {
 public:
  explicit ArtifactFolder(std::filesystem::path root) : root_(std::move(root)) {}

  // Keeps the bytes under the name of their hash. kIoError when the disk does not take them, and
  // nothing is left behind then.
  Result<model::ArtifactEvidence> Save(std::string_view bytes, std::string_view extension,
                                       std::string_view mime) const;

  // The absolute path of a file to upload: named by its place in the folder, or by the id of an
  // artifact when the folder is one of the ArtifactManager. kInvalidActionSpec when it would leave
  // the folder, kNotFound when there is no such file.
  Result<std::filesystem::path> ResolveUpload(const std::filesystem::path& relative) const;

  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace falconer::browser
