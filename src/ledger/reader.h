#pragma once
// ChainReader: records of a chain by number, by range and by what they say. Reads the files as they
// are, also while they are written: it knows the records that were there when it first looked, and
// a new reader knows the newer ones. Every record it hands out has the hash that it should have.

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "ledger/chain_paths.h"
#include "ledger/merkle.h"
#include "ledger/record.h"
#include "ledger/record_index.h"

namespace falconer::ledger {

// A record with its own bytes.
class StoredRecord {
 public:
  // `bytes` MUST hold one whole record.
  explicit StoredRecord(std::string bytes) : bytes_(std::move(bytes)) {}
  RecordView view() const { return *ReadRecord(bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// What to look for; absent means any.
struct RecordFilter {
  std::optional<std::string> agent;
  std::optional<std::string> session;
  std::optional<std::string> plan;
  std::optional<std::string> run;
  std::optional<std::string> workflow;
  std::optional<std::string> action;  // an action_id, or its beginning
  std::optional<RecordKind> kind;
  std::optional<std::int64_t> start_ms;  // inclusive
  std::optional<std::int64_t> end_ms;    // exclusive

  bool Matches(const RecordView& record) const;
  json::object ToJson() const;
};

struct RecordPage {
  std::vector<StoredRecord> records;
  // Where the next page begins; 0 when there is nothing behind this one.
  std::uint64_t next = 0;
};

class ChainReader {
 public:
  // `archive` is where archived segments are; may be empty. kNotFound when the chain has no
  // segment; kIoError.
  static Result<ChainReader> Open(const std::filesystem::path& folder,
                                  const std::filesystem::path& archive = {});

  // The first and last record that are there now. kIoError, kLedgerDamaged.
  std::uint64_t first_seq() const { return segments_.front().first_seq; }
  Result<std::uint64_t> LastSeq();

  // kNotFound when there is no such record, kLedgerDamaged when it is not what its hash says.
  Result<StoredRecord> At(std::uint64_t seq);
  // Up to `limit` records that match, in order, from record `from` on.
  Result<RecordPage> Query(const RecordFilter& filter, std::uint64_t from, std::size_t limit);
  // The hash of a record, as the chain's index has it; no more than a hint until it is proven.
  Result<Sha256Digest> HashOf(std::uint64_t seq);

 private:
  struct Loaded {
    std::size_t at = 0;  // in segments_
    UniqueFd fd;
    std::vector<IndexEntry> index;
    std::uint64_t end = 0;
  };

  explicit ChainReader(std::vector<SegmentFile> segments) : segments_(std::move(segments)) {}
  // The segment that holds the record; kNotFound when none does.
  Result<Loaded*> SegmentOf(std::uint64_t seq);
  Result<Loaded*> Load(std::size_t at);
  Result<std::string> ReadAt(const Loaded& segment, std::size_t place) const;

  std::vector<SegmentFile> segments_;
  std::list<Loaded> loaded_;  // the one used last first
  Hasher hasher_;
};

}  // namespace falconer::ledger
