#include "browser/context/artifact_writer.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hex.h"
#include "base/random.h"
#include "browser/context/artifact_mime.h"
#include "browser/context/file_name.h"

namespace falconer::browser {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIncoming = ".incoming_";
constexpr std::string_view kLock = ".lock";
constexpr std::size_t kIncomingBytes = 8;
constexpr mode_t kPrivate = 0600;

// Held while a process counts what a tenant has and adds to it. Let go with the descriptor.
Result<UniqueFd> Lock(const fs::path& folder) {
  const fs::path path = folder / kLock;
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kPrivate));
  if (!fd) return IoFailure(path, "cannot open");
  while (::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return IoFailure(path, "cannot lock");
  }
  return fd;
}

bool IsHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

}  // namespace

// Files may go while they are counted: then they do not count.
Result<std::uint64_t> CountBytes(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, failed);
  if (failed == std::errc::no_such_file_or_directory) return bytes;
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    std::error_code gone;
    if (IsHidden(at->path())) {
      if (at->is_directory(gone)) at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file(gone) || at->is_symlink(gone)) continue;
    const auto size = at->file_size(gone);
    if (!gone) bytes += size;
  }
  if (failed && failed != std::errc::no_such_file_or_directory)
    return Fail(ErrorCode::kIoError, "cannot count " + folder.string() + ": " + failed.message());
  return bytes;
}

ArtifactWriter::ArtifactWriter(ArtifactPlace place, ArtifactKind kind, std::string_view name)
    : place_(std::move(place)),
      kind_(kind),
      name_(SafeFileName(name)),
      incoming_(place_.workflow_folder / (std::string(kIncoming) + RandomHex(kIncomingBytes))) {
}

ArtifactWriter::~ArtifactWriter() {
  Discard();
}

void ArtifactWriter::Discard() {
  fd_.Reset();
  place_.account->GiveBack(std::exchange(taken_, 0));
  std::error_code ignored;
  if (!incoming_.empty()) fs::remove_all(incoming_, ignored);
  incoming_.clear();
}

Result<std::unique_ptr<ArtifactWriter>> ArtifactWriter::Open(ArtifactPlace place, ArtifactKind kind,
                                                             std::string_view name) {
  std::unique_ptr<ArtifactWriter> writer(new ArtifactWriter(std::move(place), kind, name));
  TRY(writer->CreateFolder());
  TRY_ASSIGN(const auto kept, CountBytes(writer->place_.tenant_folder));
  writer->place_.account->SetKept(kept);
  return writer;
}

Result<void> ArtifactWriter::CreateFolder() {
  std::error_code failed;
  fs::create_directories(incoming_, failed);
  if (failed)
    return Fail(ErrorCode::kIoError,
                "cannot create " + incoming_.string() + ": " + failed.message());
  return {};
}

Result<void> ArtifactWriter::OpenContent() {
  fd_ = UniqueFd(
      ::open(content().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, kPrivate));
  if (!fd_) return IoFailure(content(), "cannot create");
  return {};
}

void ArtifactWriter::Note(std::string_view piece) {
  if (head_.size() < kMimeHead) head_ += piece.substr(0, kMimeHead - head_.size());
  hash_.Add(piece);
  bytes_ += piece.size();
}

Result<void> ArtifactWriter::Append(std::string_view piece) {
  TRY(place_.account->Take(piece.size()));
  taken_ += piece.size();
  if (!fd_) TRY(OpenContent());
  TRY(WriteAll(fd_.get(), content(), piece));
  Note(piece);
  return {};
}

Result<void> ArtifactWriter::TakeFile(const fs::path& file) {
  if (::rename(file.c_str(), content().c_str()) != 0) return IoFailure(file, "cannot take");
  // It was counted where it was.
  TRY_ASSIGN(const auto kept, CountBytes(place_.tenant_folder));
  place_.account->SetKept(kept);
  std::error_code failed;
  const auto size = fs::file_size(content(), failed);
  if (failed) return Fail(ErrorCode::kIoError, file.string() + ": " + failed.message());
  TRY(place_.account->Take(size));
  taken_ += size;
  return HashContent();
}

Result<void> ArtifactWriter::HashContent() {
  fd_ = UniqueFd(::open(content().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd_) return IoFailure(content(), "cannot open");
  std::vector<char> slice(kArtifactSlice);
  while (true) {
    const ssize_t got = ::read(fd_.get(), slice.data(), slice.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoFailure(content(), "cannot read");
    if (got == 0) return {};
    Note({slice.data(), static_cast<std::size_t>(got)});
  }
}

Result<ArtifactRecord> ArtifactWriter::Finish(WallTime now) {
  if (!fd_) TRY(OpenContent());
  if (::fsync(fd_.get()) != 0) return IoFailure(content(), "cannot sync");
  const std::string sha256 = ToHex(hash_.Finish());
  ArtifactRecord record{
      .id = ArtifactId(kind_, sha256),
      .kind = kind_,
      .name = name_,
      .mime = std::string(SniffMime(head_, name_)),
      .sha256 = sha256,
      .bytes = bytes_,
      .created = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch())};
  TRY(SaveRecord(incoming_, record));
  auto kept = PutInPlace(std::move(record));
  Discard();
  return kept;
}

// Counted again under the lock: another process may have used up the quota meanwhile.
Result<ArtifactRecord> ArtifactWriter::PutInPlace(ArtifactRecord record) {
  TRY_ASSIGN(const UniqueFd lock, Lock(place_.tenant_folder));
  const fs::path folder = place_.workflow_folder / record.id;
  if (auto known = LoadRecord(folder)) return known;
  TRY_ASSIGN(const auto kept, CountBytes(place_.tenant_folder));
  place_.account->SetKept(kept);
  place_.account->GiveBack(std::exchange(taken_, 0));
  TRY(place_.account->Take(bytes_));
  place_.account->GiveBack(bytes_);
  // What stands in the way holds no content, or not what its name says.
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (::rename(incoming_.c_str(), folder.c_str()) != 0) return IoFailure(folder, "cannot create");
  incoming_.clear();
  place_.account->SetKept(kept + bytes_);
  TRY(SyncFolder(place_.workflow_folder));
  return record;
}

}  // namespace falconer::browser
