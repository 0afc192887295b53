#pragma once
// LearningNode: under which name this program counts what it learns. Programs that run at the same
// time have different ones, or each would write what the others counted; names are used again, so
// that there are no more of them than programs ever ran at once.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace falconer::app {

class LearningNode {
 public:
  // The first name in the data folder that nobody has now; the system lets go of it with the
  // program. kIoError; kQueueFull when more programs run than there are names.
  static Result<LearningNode> Take(const std::filesystem::path& data_folder);

  const std::string& name() const { return name_; }

 private:
  LearningNode(std::string name, UniqueFd lock) : name_(std::move(name)), lock_(std::move(lock)) {}

  std::string name_;
  UniqueFd lock_;
};

}  // namespace falconer::app
