#pragma once
// JobFiles: what of jobs is too large for the store: results, and what was kept on the way to them.
// One private folder for each job; each file is whole or not there. The event loop never waits for
// the disk.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/call_context.h"

namespace falconer::agent {

class JobFiles {
 public:
  explicit JobFiles(std::filesystem::path root) : root_(std::move(root)) {}

  // On disk when it returns. kIoError.
  Task<Result<void>> SaveResult(CallContext ctx, std::string job, std::string text) const;
  // kNotFound, kIoError.
  Task<Result<std::string>> LoadResult(CallContext ctx, std::string job) const;

  // Names are letters, digits and "_". kInvalidArgument, kIoError.
  Task<Result<void>> SavePart(CallContext ctx, std::string job, std::string name,
                              std::string text) const;
  // By name; none when there are none. kIoError.
  Task<Result<std::map<std::string, std::string>>> LoadParts(CallContext ctx,
                                                             std::string job) const;
  Task<void> RemoveParts(CallContext ctx, std::string job) const;
  // With everything; what cannot be removed is logged.
  Task<void> Remove(CallContext ctx, std::string job) const;
  // Those that have a folder.
  Task<std::vector<std::string>> Jobs(CallContext ctx) const;

 private:
  std::filesystem::path FolderOf(const std::string& job) const { return root_ / job; }

  std::filesystem::path root_;
};

}  // namespace falconer::agent
