#pragma once
// ControlSignal: one word on the control lane about a session or a turn. The table in signal_kind.h
// says what each must carry.

#include <optional>
#include <string>

#include "model/turn/event_header.h"
#include "model/turn/signal_kind.h"

namespace falconer::model {

// An inclusive range of runtime sequences.
struct SeqRange {
  std::int64_t start = 0;
  std::int64_t end = 0;
  bool operator==(const SeqRange&) const = default;
};

enum class CancelScope : std::uint8_t { kSession, kTurn, kNode, kProviderInvocation };

inline constexpr EnumName<CancelScope> kCancelScopes[] = {
    {CancelScope::kSession, "session"},
    {CancelScope::kTurn, "turn"},
    {CancelScope::kNode, "node"},
    {CancelScope::kProviderInvocation, "provider_invocation"},
};

struct ControlSignal {
  EventHeader header{.lane = Lane::kControl};
  SignalKind signal = SignalKind::kConnected;
  Emitter emitted_by = Emitter::kLink;
  std::string reason;
  std::string edge_id;
  std::optional<Lane> target_lane;
  std::string sync_domain;
  std::string discontinuity_id;
  std::optional<SeqRange> seq_range;
  std::optional<std::int64_t> amount;
  std::optional<CancelScope> scope;
  std::string subject;  // what it is about: an approval, a dialog, a person

  // kInvalidArgument, naming the field, when the header or the signal's row is not satisfied.
  Result<void> Validate() const;
  json::object ToJson() const;
  bool operator==(const ControlSignal&) const = default;
};

// Strict: unknown fields, wrong types and broken rules are refused.
Result<ControlSignal> ParseSignal(const json::value& value);

}  // namespace falconer::model
