#include "ledger/record.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hex.h"
#include "ledger/little_endian.h"

namespace falconer::ledger {
namespace {

constexpr RecordKindRow kKinds[] = {
    {RecordKind::kTurnOpened, "turn_opened", "a contract was accepted and its plan frozen"},
    {RecordKind::kTurnClosed, "turn_closed", "a turn ended: result, evidence and timings"},
    {RecordKind::kRefusal, "refusal", "a contract was refused before a turn was opened"},
    {RecordKind::kDecision, "decision", "the verdict of a gate or of a person"},
    {RecordKind::kCheckpointNote, "checkpoint_note", "a remark about a signed checkpoint"},
    {RecordKind::kLease, "lease", "a lease was granted, renewed, lost or released"},
    {RecordKind::kRecovery, "recovery", "what was cut or found when the chain was opened"},
    {RecordKind::kToken, "token", "a token was issued, used or revoked"},
    {RecordKind::kPolicy, "policy", "a policy was loaded or changed"},
    {RecordKind::kApproval, "approval", "an approval was asked for, given or denied"},
    {RecordKind::kRun, "run",
     "a run of the built-in agent began, is about to act, made a step, or ended"},
    {RecordKind::kStep, "step", "one step of a run: tool, argument hash, status"},
    {RecordKind::kSnapshot, "snapshot", "what later records refer to by its digest"},
    {RecordKind::kView, "view", "what a turn showed a model, where not all of it fitted"},
    {RecordKind::kOperator, "operator", "somebody paused, resumed or limited work, or ended it"},
    {RecordKind::kToolStep, "tool_step", "a tool was called, and what came of it"},
};

constexpr std::size_t kKindAt = 4;
constexpr std::size_t kVersionAt = 5;
constexpr std::size_t kZeroAt = 6;
constexpr std::size_t kSeqAt = 8;
constexpr std::size_t kWallAt = 16;
constexpr std::size_t kPreviousAt = 24;

Sha256Digest DigestAt(std::string_view bytes, std::size_t offset) {
  Sha256Digest digest;
  std::memcpy(digest.data(), bytes.data() + offset, digest.size());
  return digest;
}

}  // namespace

std::span<const RecordKindRow> AllRecordKinds() {
  return kKinds;
}

std::string RecordKindName(RecordKind kind) {
  const auto* row = std::ranges::find(kKinds, kind, &RecordKindRow::kind);
  if (row == std::end(kKinds)) return "kind_" + std::to_string(std::to_underlying(kind));
  return std::string(row->name);
}

std::optional<RecordKind> RecordKindNamed(std::string_view name) {
  const auto* row = std::ranges::find(kKinds, name, &RecordKindRow::name);
  if (row == std::end(kKinds)) return std::nullopt;
  return row->kind;
}

Sha256Digest AppendRecord(Hasher& hasher, const RecordFields& fields, std::string& out) {
  const std::size_t length = kRecordFrameBytes + fields.payload.size();
  CHECK(length <= kMaxRecordBytes, "the record is larger than a record may be");
  const std::size_t start = out.size();
  AppendNumber(out, static_cast<std::uint32_t>(length));
  AppendNumber(out, std::to_underlying(fields.kind));
  AppendNumber(out, kRecordVersion);
  AppendNumber(out, std::uint16_t{0});
  AppendNumber(out, fields.seq);
  AppendNumber(out, fields.wall_ms);
  out += BytesOf(fields.previous);
  out += fields.payload;
  const Sha256Digest hash = hasher.Leaf(std::string_view(out).substr(start));
  out += BytesOf(hash);
  return hash;
}

std::string_view FrameFaultText(FrameFault fault) {
  constexpr std::array<std::string_view, 4> kTexts = {
      "the record is incomplete", "the length is impossible", "the version is unknown",
      "reserved bytes are not zero"};
  return kTexts[static_cast<std::size_t>(fault)];
}

std::expected<RecordView, FrameFault> ReadRecord(std::string_view rest) {
  if (rest.size() < sizeof(std::uint32_t)) return std::unexpected(FrameFault::kIncomplete);
  const auto length = NumberAt<std::uint32_t>(rest, 0);
  if (length < kRecordFrameBytes || length > kMaxRecordBytes) {
    return std::unexpected(FrameFault::kBadLength);
  }
  if (rest.size() < length) return std::unexpected(FrameFault::kIncomplete);
  const std::string_view bytes = rest.substr(0, length);
  if (NumberAt<std::uint8_t>(bytes, kVersionAt) != kRecordVersion) {
    return std::unexpected(FrameFault::kBadVersion);
  }
  if (NumberAt<std::uint16_t>(bytes, kZeroAt) != 0) return std::unexpected(FrameFault::kNotZero);
  RecordView view;
  view.bytes = bytes;
  view.fields.kind = static_cast<RecordKind>(NumberAt<std::uint8_t>(bytes, kKindAt));
  view.fields.seq = NumberAt<std::uint64_t>(bytes, kSeqAt);
  view.fields.wall_ms = NumberAt<std::int64_t>(bytes, kWallAt);
  view.fields.previous = DigestAt(bytes, kPreviousAt);
  view.fields.payload = bytes.substr(kRecordHeadBytes, length - kRecordFrameBytes);
  view.hash = DigestAt(bytes, length - sizeof(Sha256Digest));
  return view;
}

Result<json::object> RecordToJson(const RecordView& record) {
  TRY_ASSIGN(json::value payload, ParseJson(record.fields.payload));
  return json::object{{"seq", record.fields.seq},
                      {"kind", RecordKindName(record.fields.kind)},
                      {"time_ms", record.fields.wall_ms},
                      {"hash", ToHex(record.hash)},
                      {"previous", ToHex(record.fields.previous)},
                      {"payload", std::move(payload)}};
}

}  // namespace falconer::ledger
