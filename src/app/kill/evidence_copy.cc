#include "app/kill/evidence_copy.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "base/unique_fd.h"

namespace falconer::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSlice = 1U << 20U;
constexpr mode_t kPrivateFile = 0600;

Result<void> MakeFolders(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) return {};
  return Fail(ErrorCode::kIoError, "cannot create " + folder.string() + ": " + failed.message());
}

Result<std::size_t> ReadSome(int fd, const fs::path& path, std::vector<char>& slice) {
  for (;;) {
    const ssize_t got = ::read(fd, slice.data(), slice.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return IoFailure(path, "cannot read");
  }
}

Result<CopiedFile> CopyBytes(const fs::path& from, const fs::path& to) {
  const UniqueFd in(::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!in) return IoFailure(from, "cannot open");
  const UniqueFd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kPrivateFile));
  if (!out) return IoFailure(to, "cannot create");
  CopiedFile copied;
  Sha256 hash;
  std::vector<char> slice(kSlice);
  for (;;) {
    TRY_ASSIGN(const std::size_t got, ReadSome(in.get(), from, slice));
    if (got == 0) break;
    const std::string_view piece(slice.data(), got);
    TRY(WriteAll(out.get(), to, piece));
    hash.Add(piece);
    copied.bytes += got;
  }
  if (::fsync(out.get()) != 0) return IoFailure(to, "cannot sync");
  copied.sha256 = ToHex(hash.Finish());
  return copied;
}

}  // namespace

Result<EvidenceCopy> EvidenceCopy::Create(fs::path folder) {
  TRY(MakeFolders(folder));
  std::error_code failed;
  const bool is_empty = fs::is_empty(folder, failed);
  if (failed)
    return Fail(ErrorCode::kIoError, "cannot read " + folder.string() + ": " + failed.message());
  if (!is_empty) return Fail(ErrorCode::kAlreadyExists, folder.string() + " is not empty");
  return EvidenceCopy(std::move(folder));
}

Result<void> EvidenceCopy::Add(const fs::path& from, const fs::path& relative) {
  const fs::path to = folder_ / relative;
  TRY(MakeFolders(to.parent_path()));
  TRY_ASSIGN(CopiedFile copied, CopyBytes(from, to));
  TRY(SyncFolder(to.parent_path()));
  copied.path = relative.generic_string();
  std::erase_if(files_, [&](const CopiedFile& file) { return file.path == copied.path; });
  files_.push_back(std::move(copied));
  return {};
}

bool EvidenceCopy::Has(const fs::path& relative) const {
  const std::string path = relative.generic_string();
  return std::ranges::any_of(files_, [&](const CopiedFile& file) { return file.path == path; });
}

}  // namespace falconer::app
