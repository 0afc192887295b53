// Does what a refusal answered follow from what was decided?

#include <algorithm>
#include <fmt/format.h>

#include "engine/replay/replay_scope.h"

namespace falconer::engine {
namespace {

// Refusals that no gate said: every gate admitted, and then something else was in the way.
constexpr std::string_view kAfterTheGates[] = {"no_place", "plan_unresolved"};

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

void CheckAfterTheGates(ReplayScope& scope, const Told& told, const Told& last) {
  if (std::ranges::find(kAfterTheGates, told.reason) == std::end(kAfterTheGates))
    return scope.out.Missing("refusal", "this program knows no refusal " + Brief(told.reason));
  if (!last.code.empty()) {
    return scope.out.Diverged("refusal", DivergenceClass::kOutcome,
                              fmt::format("gate {} refused first", last.gate));
  }
  // Whether there was a place is a fact of the moment; the record is its evidence.
  scope.out.Reproduced("refusal", fmt::format("{}: {}", told.reason, told.code));
}

// A lease that could not be had is refused with what the store said about it.
bool IsCodeOf(const Told& told, const Told& last) {
  const bool is_lease = last.gate == "lease" && last.code == "SESSION_LEASE_NOT_ACQUIRED";
  return told.code == last.code || is_lease;
}

}  // namespace

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
  if (told.gate.empty()) return CheckAfterTheGates(scope, told, last);
  if (told.gate == last.gate && told.reason == last.reason && IsCodeOf(told, last))
    return scope.out.Reproduced("refusal", fmt::format("{}: {}", told.gate, told.code));
  scope.out.Diverged(
      "refusal", DivergenceClass::kOutcome,
      fmt::format("refused by {} with {} ({}), but the last gate was {} with {} ({})", told.gate,
                  told.reason, told.code, last.gate, last.reason, last.code));
}

}  // namespace falconer::engine
