#pragma once
// One record of a chain: its kinds and its bytes (docs/ledger.md). Every byte of a record is under
// its hash, so checking a chain needs no JSON.

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/sha256.h"
#include "ledger/hasher.h"

namespace falconer::ledger {

// The numbers are on disk: append only.
enum class RecordKind : std::uint8_t {
  kTurnOpened = 1,
  kTurnClosed = 2,
  kRefusal = 3,
  kDecision = 4,
  kCheckpointNote = 5,
  kLease = 6,
  kRecovery = 7,
  kToken = 8,
  kPolicy = 9,
  kApproval = 10,
  kRun = 11,
  kStep = 12,
  kSnapshot = 13,
  kView = 14,
  kOperator = 15,
  kToolStep = 16,
};

struct RecordKindRow {
  RecordKind kind;
  std::string_view name;
  std::string_view help;
};

std::span<const RecordKindRow> AllRecordKinds();
// "kind_77" for one that this program does not know.
std::string RecordKindName(RecordKind kind);
std::optional<RecordKind> RecordKindNamed(std::string_view name);

// What a caller wants recorded. The fields of each kind are listed in docs/ledger.md.
struct RecordInput {
  RecordKind kind = RecordKind::kDecision;
  json::object payload;
};

// The bytes around the payload: everything before it, and the hash behind it.
inline constexpr std::size_t kRecordHeadBytes = 56;
inline constexpr std::size_t kRecordFrameBytes = kRecordHeadBytes + sizeof(Sha256Digest);
// Larger records are refused: evidence of that size belongs into artifacts.
inline constexpr std::size_t kMaxRecordBytes = 16U << 20U;
inline constexpr std::uint8_t kRecordVersion = 1;

struct RecordFields {
  RecordKind kind = RecordKind::kDecision;
  std::uint64_t seq = 0;
  std::int64_t wall_ms = 0;
  Sha256Digest previous{};
  std::string_view payload;  // canonical JSON
};

// Appends the record's bytes to `out` and returns its hash. The record MUST fit kMaxRecordBytes.
Sha256Digest AppendRecord(Hasher& hasher, const RecordFields& fields, std::string& out);

// A record as it lies in a segment; refers to the segment's bytes.
struct RecordView {
  RecordFields fields;
  std::string_view bytes;  // all of it
  Sha256Digest hash{};     // as written

  // What the hash is made of.
  std::string_view hashed() const { return bytes.substr(0, bytes.size() - sizeof(Sha256Digest)); }
  bool HasRightHash(Hasher& hasher) const { return hasher.Leaf(hashed()) == hash; }
};

// Why bytes are no record.
enum class FrameFault { kIncomplete, kBadLength, kBadVersion, kNotZero };
std::string_view FrameFaultText(FrameFault fault);

// The record at the start of `rest`. Looks only at the framing, not at the hash.
std::expected<RecordView, FrameFault> ReadRecord(std::string_view rest);

// {"seq","kind","time_ms","hash","previous","payload"}: a record as commands show it.
Result<json::object> RecordToJson(const RecordView& record);

}  // namespace falconer::ledger
