// Does what a refusal answered follow from what was decided?

#include <algorithm>
#include <fmt/format.h>

#include "engine/replay/replay_scope.h"

namespace falconer::engine {
namespace {

enum class GateMoment { kBeforeTheGates, kAfterTheGates };

// Refusals that no gate said: something was in the way before any gate was asked, or after all of
// them admitted.
struct NoGateRow {
  std::string_view reason;
  GateMoment when;
};

constexpr NoGateRow kNoGate[] = {
    {"not_begun", GateMoment::kBeforeTheGates},
    {"deadline_passed", GateMoment::kBeforeTheGates},
    {"no_place", GateMoment::kBeforeTheGates},
    {"plan_unresolved", GateMoment::kAfterTheGates},
};

const NoGateRow* NoGateRowOf(std::string_view reason) {
  const auto* row = std::ranges::find(kNoGate, reason, &NoGateRow::reason);
  return row == std::end(kNoGate) ? nullptr : row;
}

struct Told {
  std::string gate;
  std::string reason;
  std::string code;
};

// The last verdict, as far as it can be read; the gates have been checked one by one.
Told LastVerdict(const json::object& payload) {
  const json::value* list = At(payload, "decisions");
  if (list == nullptr || !list->is_array() || list->get_array().empty()) return {};
  const json::object* last = list->get_array().back().if_object();
  if (last == nullptr) return {};
  return {TextAt(*last, "gate"), TextAt(*last, "reason"), TextAt(*last, "code")};
}

std::string CodeIn(const json::object& payload) {
  const json::value* result = At(payload, "result");
  const json::object* told = result == nullptr ? nullptr : result->if_object();
  const json::value* failure = told == nullptr ? nullptr : At(*told, "failure");
  return failure != nullptr && failure->is_object() ? TextAt(failure->get_object(), "code") : "";
}

void CheckNotByAGate(ReplayScope& scope, const Told& told, const Told& last) {
  if (NoGateRowOf(told.reason) == nullptr)
    return scope.out.Missing("refusal", "this program knows no refusal " + Brief(told.reason));
  if (!last.code.empty()) {
    return scope.out.Diverged("refusal", DivergenceClass::kOutcome,
                              fmt::format("gate {} refused first", last.gate));
  }
  // Whether there was a place, or time left, is a fact of the moment; the record is its evidence.
  scope.out.Reproduced("refusal", fmt::format("{}: {}", told.reason, told.code));
}

// A lease that could not be had is refused with what the store said about it.
bool IsCodeOf(const Told& told, const Told& last) {
  const bool is_lease = last.gate == "lease" && last.code == "SESSION_LEASE_NOT_ACQUIRED";
  return told.code == last.code || is_lease;
}

}  // namespace

bool WasRefusedBeforeTheGates(const TurnEvidence& evidence) {
  if (!evidence.refusal) return false;
  const json::object& payload = evidence.refusal->payload;
  const NoGateRow* row = NoGateRowOf(TextAt(payload, "reason"));
  return TextAt(payload, "gate").empty() && row != nullptr &&
         row->when == GateMoment::kBeforeTheGates;
}

void CheckRefusal(ReplayScope& scope) {
  if (!scope.evidence.refusal) return;
  const json::object& payload = scope.evidence.refusal->payload;
  const Told told{TextAt(payload, "gate"), TextAt(payload, "reason"),
                  TextAt(payload, "failure_code")};
  if (CodeIn(payload) != told.code) {
    return scope.out.Diverged("refusal", DivergenceClass::kOutcome,
                              fmt::format("recorded {}, answered {}", told.code, CodeIn(payload)));
  }
  const Told last = LastVerdict(payload);
  if (told.gate.empty()) return CheckNotByAGate(scope, told, last);
  if (told.gate == last.gate && told.reason == last.reason && IsCodeOf(told, last))
    return scope.out.Reproduced("refusal", fmt::format("{}: {}", told.gate, told.code));
  scope.out.Diverged(
      "refusal", DivergenceClass::kOutcome,
      fmt::format("refused by {} with {} ({}), but the last gate was {} with {} ({})", told.gate,
                  told.reason, told.code, last.gate, last.reason, last.code));
}

}  // namespace falconer::engine
