#include "model/turn/signal.h"

#include <fmt/format.h>

namespace falconer::model {
namespace {

constexpr std::string_view kSignalPath = "control_signal";

// Which fields a signal has, and what they are called.
struct SignalFieldRow {
  SignalField field;
  std::string_view name;
  bool (*is_there)(const ControlSignal&);
};

constexpr SignalFieldRow kFieldRows[] = {
    {SignalField::kReason, "reason", [](const ControlSignal& s) { return !s.reason.empty(); }},
    {SignalField::kEdge, "edge_id", [](const ControlSignal& s) { return !s.edge_id.empty(); }},
    {SignalField::kTargetLane, "target_lane",
     [](const ControlSignal& s) { return s.target_lane.has_value(); }},
    {SignalField::kSeqRange, "seq_range",
     [](const ControlSignal& s) { return s.seq_range.has_value(); }},
    {SignalField::kSyncDomain, "sync_domain",
     [](const ControlSignal& s) { return !s.sync_domain.empty(); }},
    {SignalField::kDiscontinuity, "discontinuity_id",
     [](const ControlSignal& s) { return !s.discontinuity_id.empty(); }},
    {SignalField::kAmount, "amount", [](const ControlSignal& s) { return s.amount.has_value(); }},
    {SignalField::kScope, "scope", [](const ControlSignal& s) { return s.scope.has_value(); }},
    {SignalField::kSubject, "subject", [](const ControlSignal& s) { return !s.subject.empty(); }},
};

constexpr EventScope ScopeFor(SignalReach reach) {
  return reach == SignalReach::kTurn ? EventScope::kTurn : EventScope::kSession;
}

Result<void> CheckRow(const ControlSignal& signal, const SignalRow& row) {
  if (signal.header.lane != row.lane) {
    return RefuseField(kSignalPath, "lane", fmt::format("must be {}", NameIn(kLanes, row.lane)));
  }
  if (signal.header.payload_class != PayloadClass::kMetadata) {
    return RefuseField(kSignalPath, "payload_class", "must be metadata");
  }
  if (!row.emitters.Contains(signal.emitted_by)) {
    return RefuseField(
        kSignalPath, "emitted_by",
        fmt::format("{} may not send {}", NameIn(kEmitters, signal.emitted_by), row.name));
  }
  if (row.reach != SignalReach::kAny && signal.header.scope != ScopeFor(row.reach)) {
    return RefuseField(
        kSignalPath, "event_scope",
        fmt::format("{} must have scope {}", row.name, NameIn(kEventScopes, ScopeFor(row.reach))));
  }
  for (const SignalFieldRow& field : kFieldRows) {
    if (row.required.Contains(field.field) && !field.is_there(signal)) {
      return RefuseField(kSignalPath, field.name, fmt::format("is required for {}", row.name));
    }
  }
  return {};
}

SignalKind ReadSignalKind(JsonReader& in) {
  const std::string name = in.String("signal");
  const std::optional<SignalKind> kind = SignalNamed(name);
  if (!kind) in.Reject("signal", "is no control signal");
  return kind.value_or(SignalKind::kConnected);
}

SeqRange ReadRange(JsonReader& in) {
  return {.start = in.Integer("start", kEventNumbers), .end = in.Integer("end", kEventNumbers)};
}

ControlSignal ReadSignal(JsonReader& in) {
  return {.header = ReadEventHeader(in),
          .signal = ReadSignalKind(in),
          .emitted_by = in.Enum("emitted_by", kEmitters),
          .reason = in.OptionalString("reason").value_or(""),
          .edge_id = in.OptionalString("edge_id").value_or(""),
          .target_lane = in.OptionalEnum("target_lane", kLanes),
          .sync_domain = in.OptionalString("sync_domain").value_or(""),
          .discontinuity_id = in.OptionalString("discontinuity_id").value_or(""),
          .seq_range = in.OptionalObject("seq_range", ReadRange),
          .amount = in.OptionalInteger("amount", kEventNumbers),
          .scope = in.OptionalEnum("scope", kCancelScopes),
          .subject = in.OptionalString("subject").value_or("")};
}

void WriteTexts(json::object& out, const ControlSignal& signal) {
  const std::pair<std::string_view, const std::string*> texts[] = {
      {"reason", &signal.reason},           {"edge_id", &signal.edge_id},
      {"sync_domain", &signal.sync_domain}, {"discontinuity_id", &signal.discontinuity_id},
      {"subject", &signal.subject},
  };
  for (const auto& [key, text] : texts) {
    if (!text->empty()) out[key] = *text;
  }
}

}  // namespace

Result<void> ControlSignal::Validate() const {
  TRY(header.Validate(kSignalPath));
  TRY(CheckRow(*this, RowOf(signal)));
  if (amount && *amount < 1) return RefuseField(kSignalPath, "amount", "must be at least 1");
  if (!seq_range) return {};
  if (seq_range->start < 0) return RefuseField(kSignalPath, "seq_range.start", "is negative");
  if (seq_range->end < seq_range->start) {
    return RefuseField(kSignalPath, "seq_range.end", "comes before the start");
  }
  return {};
}

json::object ControlSignal::ToJson() const {
  json::object out;
  WriteEventHeader(out, header);
  out["signal"] = SignalName(signal);
  out["emitted_by"] = NameIn(kEmitters, emitted_by);
  WriteTexts(out, *this);
  if (target_lane) out["target_lane"] = NameIn(kLanes, *target_lane);
  if (seq_range) out["seq_range"] = {{"start", seq_range->start}, {"end", seq_range->end}};
  if (amount) out["amount"] = *amount;
  if (scope) out["scope"] = NameIn(kCancelScopes, *scope);
  return out;
}

Result<ControlSignal> ParseSignal(const json::value& value) {
  TRY_ASSIGN(ControlSignal signal, ReadJson(value, std::string(kSignalPath), ReadSignal));
  TRY(signal.Validate());
  return signal;
}

}  // namespace falconer::model
