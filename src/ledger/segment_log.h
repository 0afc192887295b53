#pragma once
// SegmentLog: the segment that a chain's writer appends to, with its sidecar index.

#include <memory>
#include <span>
#include <vector>

#include "ledger/log_file.h"
#include "ledger/record_index.h"
#include "ledger/segment.h"

namespace falconer::ledger {

class SegmentLog {
 public:
  // A new segment, which appears with its header and is durable when this returns. kIoError;
  // nothing is left then.
  static Result<std::unique_ptr<SegmentLog>> Create(const std::filesystem::path& path,
                                                    const SegmentHeader& header, FileLayer& layer);
  // Goes on behind the first `size` bytes, which hold the records of `index`.
  static Result<std::unique_ptr<SegmentLog>> Open(const std::filesystem::path& path,
                                                  std::uint64_t size,
                                                  const std::vector<IndexEntry>& index,
                                                  FileLayer& layer);

  // Adds records and waits until they are on disk. kIoError. The index is not waited for.
  Result<void> Append(std::string_view records, std::span<const IndexEntry> entries);
  // Waits until what others added is on disk. kIoError.
  Result<void> Sync() { return file_->Sync(); }

  FileChange Look() const { return file_->Look(); }
  // Others added `records` records: the next one goes behind the first `size` bytes.
  void GoOnBehind(std::uint64_t size, std::size_t records);

  std::uint64_t size() const { return file_->size(); }
  bool is_broken() const { return file_->is_broken(); }
  const std::filesystem::path& path() const { return file_->path(); }

 private:
  SegmentLog(std::unique_ptr<LogFile> file, std::size_t records)
      : file_(std::move(file)), records_(records) {}
  void StartIndex(const std::vector<IndexEntry>& index);
  void AddToIndex(std::span<const IndexEntry> entries);
  // The open index is the segment's and has all records but those about to be added.
  bool HasRightIndex() const;
  void OpenIndex();

  std::unique_ptr<LogFile> file_;
  std::size_t records_;
  UniqueFd index_;
  bool has_given_up_index_ = false;
};

}  // namespace falconer::ledger
