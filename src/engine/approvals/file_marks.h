#pragma once
// FileMark: a file by its size and its digest, so that what people approve is that content and no
// other, wherever the browser takes it from later.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/async/call_context.h"

namespace falconer::engine {

struct FileMark {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::string sha256;
  bool operator==(const FileMark&) const = default;
};

// The files as they are now, in this order. Fails as HashFile.
Task<Result<std::vector<FileMark>>> MarkFiles(CallContext ctx,
                                              std::vector<std::filesystem::path> paths);
// Whether they still are as they were marked: kApprovalDenied, reason "file_changed".
Task<Result<void>> CheckUnchanged(CallContext ctx, std::vector<FileMark> marks);

// What an approval is bound to when files belong to it: the digest of all but them, 64 hex digits,
// and theirs. Without files it is the digest itself.
std::string DigestWithFiles(const std::string& digest, const std::vector<FileMark>& marks);

}  // namespace falconer::engine
