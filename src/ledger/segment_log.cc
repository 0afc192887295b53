#include "ledger/segment_log.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/log.h"
#include "ledger/chain_file.h"
#include "ledger/chain_paths.h"

namespace falconer::ledger {

Result<std::unique_ptr<SegmentLog>> SegmentLog::Create(const std::filesystem::path& path,
                                                       const SegmentHeader& header,
                                                       FileLayer& layer) {
  // Whoever reads the folder meanwhile never finds a segment without its header.
  const std::filesystem::path unnamed = path.string() + ".new";
  const auto make = [&]() -> Result<std::unique_ptr<LogFile>> {
    TRY_ASSIGN(auto file, LogFile::Open(unnamed, 0, layer));
    TRY(file->Append(EncodeSegmentHeader(header)));
    TRY(file->Rename(path));
    return file;
  };
  Result<std::unique_ptr<LogFile>> file = make();
  if (!file) {
    ::unlink(unnamed.c_str());
    ::unlink(path.c_str());
    return Fail(std::move(file).error());
  }
  std::unique_ptr<SegmentLog> log(new SegmentLog(*std::move(file), 0));
  log->StartIndex({});
  return log;
}

Result<std::unique_ptr<SegmentLog>> SegmentLog::Open(const std::filesystem::path& path,
                                                     std::uint64_t size,
                                                     const std::vector<IndexEntry>& index,
                                                     FileLayer& layer) {
  TRY_ASSIGN(auto file, LogFile::Open(path, size, layer));
  std::unique_ptr<SegmentLog> log(new SegmentLog(std::move(file), index.size()));
  log->StartIndex(index);
  return log;
}

// Without an index reading is slower and nothing else: a failure is logged.
void SegmentLog::StartIndex(const std::vector<IndexEntry>& index) {
  const std::filesystem::path path = IndexOf(file_->path());
  const std::string wanted = EncodeIndex(index);
  // Other writers have it open: it is replaced only when it is wrong.
  const auto found = ReadChainFile(path);
  if (!found || *found != wanted) {
    if (const Result<void> written = WriteFileAtomic(path, wanted); !written) {
      LOG(warn, "ledger.index", {"error", Describe(written.error())});
      has_given_up_index_ = true;
      return;
    }
  }
  OpenIndex();
}

void SegmentLog::OpenIndex() {
  auto opened = OpenChainFile(IndexOf(file_->path()), O_WRONLY | O_APPEND);
  index_ = opened ? *std::move(opened) : UniqueFd();
}

Result<void> SegmentLog::Append(std::string_view records, std::span<const IndexEntry> entries) {
  TRY(file_->Append(records));
  AddToIndex(entries);
  records_ += entries.size();
  return {};
}

void SegmentLog::GoOnBehind(std::uint64_t size, std::size_t records) {
  file_->GoOnBehind(size);
  records_ += records;
}

void SegmentLog::AddToIndex(std::span<const IndexEntry> entries) {
  if (has_given_up_index_) return;
  // Another writer may have replaced it.
  if (!HasRightIndex()) OpenIndex();
  std::string bytes;
  for (const IndexEntry& entry : entries) bytes += EncodeIndexEntry(entry);
  if (HasRightIndex() &&
      ::write(index_.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
    return;
  }
  // Somebody was stopped before its entries were written, or a part of ours was: what is missing
  // would shift those that follow.
  const auto whole = LoadIndex(file_->path());
  if (whole) return StartIndex(*whole);
  LOG(warn, "ledger.index", {"error", Describe(whole.error())});
  has_given_up_index_ = true;
}

bool SegmentLog::HasRightIndex() const {
  struct stat status{};
  return index_ && ::fstat(index_.get(), &status) == 0 && status.st_nlink > 0 &&
         static_cast<std::uint64_t>(status.st_size) == IndexBytes(records_);
}

}  // namespace falconer::ledger
