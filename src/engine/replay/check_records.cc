// Are the records of the turn there, once each, in their places?

#include <fmt/format.h>

#include "engine/replay/replay_scope.h"

namespace falconer::engine {
namespace {

void CheckPlaces(ReplayScope& scope) {
  for (const EvidenceRecord* record : scope.evidence.all()) {
    if (record->is_linked) continue;
    scope.out.Diverged("chain", DivergenceClass::kOrdering,
                       fmt::format("record {} does not follow the one before it", record->seq));
    return;
  }
  if (!scope.evidence.repeated.empty()) {
    scope.out.Diverged(
        "chain", DivergenceClass::kOutcome,
        fmt::format("record {} opens or ends the turn once more", scope.evidence.repeated.front()));
    return;
  }
  scope.out.Reproduced("chain", "every record has its hash and its place");
}

void CheckOrder(ReplayScope& scope) {
  const auto& opened = scope.evidence.opened;
  const auto& closed = scope.evidence.closed;
  if (!opened || !closed) return;
  const json::value* named = At(closed->payload, "opened");
  if (named == nullptr) return scope.out.Missing("order", "which record opened the turn");
  const bool is_named =
      named->is_int64() && named->get_int64() == static_cast<std::int64_t>(opened->seq);
  if (is_named && opened->seq < closed->seq) return scope.out.Reproduced("order");
  scope.out.Diverged("order", DivergenceClass::kOrdering,
                     fmt::format("opened in record {}, ended in record {}, which says {}",
                                 opened->seq, closed->seq, Brief(*named)));
}

}  // namespace

void CheckRecords(ReplayScope& scope) {
  CheckPlaces(scope);
  const TurnEvidence& evidence = scope.evidence;
  if (evidence.refusal) return;
  if (!evidence.opened) scope.out.Missing("opening", "the record that opened the turn");
  if (!evidence.closed) {
    scope.out.Missing("ending",
                      "the turn was opened and has no end on record: a crash came, or "
                      "it still runs");
  }
  CheckOrder(scope);
}

}  // namespace falconer::engine
