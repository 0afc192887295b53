// The plan again, from the snapshots it was made from.

#include <fmt/format.h>
#include <utility>

#include "engine/replay/record_fields.h"
#include "engine/replay/replay_scope.h"
#include "model/turn/identity.h"

namespace falconer::engine {
namespace {

using model::ResolvedTurnPlan;
using model::SnapshotKind;

// What differs whenever anything does.
constexpr std::string_view kConsequences[] = {"plan_hash", "determinism"};

struct ClassOfField {
  std::string_view field;
  DivergenceClass how;
};

// Everything else is kPlan.
constexpr ClassOfField kFields[] = {
    {"provider_bindings", DivergenceClass::kProviderChoice},
    {"authority_epoch", DivergenceClass::kAuthority},
    {"turn_sequence", DivergenceClass::kOrdering},
    {"turn_id", DivergenceClass::kOrdering},
};

std::optional<json::value> ContentOf(const ReplayScope& scope, SnapshotKind kind,
                                     const std::string& digest) {
  // Of each lease its own, so it stands in the record itself.
  if (kind == SnapshotKind::kRoutingView) {
    const json::value* view = At(scope.evidence.opened->payload, "routing_view");
    return view == nullptr ? std::nullopt : std::optional(*view);
  }
  const auto found = scope.snapshots.find(digest);
  if (found == scope.snapshots.end()) return std::nullopt;
  return json::value(found->second);
}

// kNotFound naming the snapshot that is not on record.
Result<kernel::PlanInputs> InputsOf(const ReplayScope& scope) {
  const ResolvedTurnPlan& plan = *scope.plan;
  const SessionId session(TextAt(scope.evidence.opened->payload, "session"));
  kernel::PlanInputs inputs{.turn = model::MakeTurnId(session, plan.turn_sequence),
                            .turn_sequence = plan.turn_sequence,
                            .authority_epoch = scope.lease->epoch,
                            .fairness_key = scope.tenant.value(),
                            .wishes = WishesOf(*scope.contract)};
  for (const auto& [kind, name] : model::kSnapshotKinds) {
    const std::string& digest = plan.provenance[kind];
    auto content = ContentOf(scope, kind, digest);
    if (!content) {
      return Fail(ErrorCode::kNotFound,
                  fmt::format("snapshot {} is not on record: {}", name, digest));
    }
    inputs[kind] = {.content = *std::move(content), .digest = digest};
  }
  return inputs;
}

bool IsConsequence(std::string_view field) {
  return std::ranges::find(kConsequences, field) != std::end(kConsequences);
}

DivergenceClass ClassOf(std::string_view field) {
  for (const ClassOfField& row : kFields) {
    if (row.field == field) return row.how;
  }
  return DivergenceClass::kPlan;
}

// One check per field that differs; the hash by itself when it is the only one.
void CompareFields(ReplayScope& scope, const json::object& recorded, const json::object& now) {
  bool has_cause = false;
  for (const auto& [field, value] : recorded) {
    const json::value* other = At(now, field);
    if (IsConsequence(field) || (other != nullptr && Compare(value, *other) == Sameness::kSame))
      continue;
    has_cause = true;
    scope.out.Diverged(fmt::format("plan.{}", std::string_view(field)), ClassOf(field),
                       fmt::format("recorded {}, now {}", Brief(value),
                                   other == nullptr ? "nothing" : Brief(*other)));
  }
  if (has_cause) return;
  Report(scope, "plan", DivergenceClass::kPlan, recorded.at("plan_hash"), now.at("plan_hash"));
}

void Resolve(ReplayScope& scope) {
  if (!scope.contract || !scope.lease)
    return scope.out.Missing("plan", "what it was made from: the contract or the lease");
  const auto inputs = InputsOf(scope);
  if (!inputs) return scope.out.Missing("plan", inputs.error().message());
  const auto plan = kernel::ResolvePlan(*inputs);
  if (!plan) {
    const bool is_stale = plan.error().code() == ErrorCode::kStaleEpoch;
    return scope.out.Diverged("plan",
                              is_stale ? DivergenceClass::kAuthority : DivergenceClass::kPlan,
                              plan.error().message());
  }
  CompareFields(scope, scope.plan->ToJson(), plan->ToJson());
}

// Both records name the plan by its hash.
void CheckNames(ReplayScope& scope) {
  for (const auto* record : {&scope.evidence.opened, &scope.evidence.closed}) {
    if (!*record) continue;
    const std::string named = TextAt((*record)->payload, "plan");
    if (named == scope.plan->plan_hash) continue;
    scope.out.Diverged("plan.name", DivergenceClass::kPlan,
                       fmt::format("record {} names plan {}, frozen was {}", (*record)->seq,
                                   Brief(named), scope.plan->plan_hash));
  }
}

bool WasFoundOut(const ReplayScope& scope) {
  return scope.evidence.closed && !At(scope.evidence.closed->payload, "end");
}

}  // namespace

void CheckPlan(ReplayScope& scope) {
  if (!scope.evidence.opened) return;
  const json::value* recorded = At(scope.evidence.opened->payload, "resolved_plan");
  if (recorded == nullptr) return scope.out.Missing("plan", "the plan is not on record");
  auto plan = model::ParseTurnPlan(*recorded);
  if (!plan) {
    return scope.out.Diverged("plan", DivergenceClass::kPlan, plan.error().message());
  }
  scope.plan = *std::move(plan);
  Resolve(scope);
  // An end that was found out after a crash belongs to no plan.
  if (!WasFoundOut(scope)) CheckNames(scope);
}

}  // namespace falconer::engine
