#include "engine/approvals/file_marks.h"

#include <utility>

#include "base/async/file_hash.h"
#include "base/sha256.h"

namespace falconer::engine {
namespace {

constexpr std::string_view kWithFiles = "falconer-with-files-1\n";

}  // namespace

Task<Result<std::vector<FileMark>>> MarkFiles(CallContext ctx,
                                              std::vector<std::filesystem::path> paths) {
  std::vector<FileMark> marks;
  for (std::filesystem::path& path : paths) {
    CO_TRY_ASSIGN(std::string sha256, co_await HashFile(ctx, path));
    std::error_code failed;
    const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
    if (failed) co_return Fail(ErrorCode::kIoError, path.string() + ": " + failed.message());
    marks.push_back({.path = std::move(path), .bytes = bytes, .sha256 = std::move(sha256)});
  }
  co_return marks;
}

Task<Result<void>> CheckUnchanged(CallContext ctx, std::vector<FileMark> marks) {
  std::vector<std::filesystem::path> paths;
  for (const FileMark& mark : marks) paths.push_back(mark.path);
  CO_TRY_ASSIGN(const auto now, co_await MarkFiles(std::move(ctx), std::move(paths)));
  if (now == marks) co_return Result<void>();
  co_return Fail(Error(ErrorCode::kApprovalDenied, "a file has changed since it was shown",
                       {{"reason", "file_changed"}}));
}

std::string DigestWithFiles(const std::string& digest, const std::vector<FileMark>& marks) {
  if (marks.empty()) return digest;
  std::string form = std::string(kWithFiles) + digest + "\n";
  for (const FileMark& mark : marks) form += mark.sha256 + "\n";
  return Sha256Hex(form);
}

}  // namespace falconer::engine
