#include "kernel/gates/gate_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace falconer::kernel {
namespace {

using model::DecisionKind;
using model::Emitter;

constexpr GateRow kOrder[] = {
    {"pause", GateAbout::kCaller,
     "while everything is paused nothing else is asked, and nothing is taken"},
    {"contract", GateAbout::kContract, "what is not well formed cannot be judged by anybody else"},
    {"token", GateAbout::kCaller, "who asks, and by what right: the gates after it judge by it"},
    {"capability", GateAbout::kCaller,
     "a token that lacks it makes every further question pointless"},
    {"constraint", GateAbout::kCaller, "the limits of the token, before those of everybody"},
    {"domain", GateAbout::kPage, "policy says no before anything scarce is asked for or taken"},
    {"risk", GateAbout::kPage, "the policy's own word needs the host to be allowed at all"},
    {"quota", GateAbout::kShare, "counts the action; whoever is refused after it gets it back"},
    {"rate", GateAbout::kTurn, "counts it under the policy's limits, and gives it back likewise"},
    {"breaker", GateAbout::kTurn,
     "a site that is down is left alone before anything is held for it"},
    {"lease", GateAbout::kTurn,
     "only who drives the session may take a place in it; its epoch goes into the plan"},
    {"capacity", GateAbout::kTurn,
     "takes the place; only what takes something for good comes after it"},
    {"use", GateAbout::kTurn,
     "uses up what may be used once, so it is last: nothing after it can refuse"},
};

Emitter EmitterOf(DecisionKind kind) {
  const bool is_authority =
      kind == DecisionKind::kStaleEpochReject || kind == DecisionKind::kDeauthorizedDrain;
  return is_authority ? Emitter::kAuthority : Emitter::kAdmission;
}

}  // namespace

model::DecisionOutcome DecisionOf(const Verdict& verdict, const TenantId& tenant) {
  model::DecisionOutcome decision{.kind = verdict.kind,
                                  .phase = model::DecisionPhase::kPreTurn,
                                  .scope = model::DecisionScope::kSession,
                                  .tenant = tenant,
                                  .emitted_by = EmitterOf(verdict.kind),
                                  .authority_epoch = verdict.epoch,
                                  .reason = verdict.reason,
                                  .gate = verdict.gate,
                                  .facts = verdict.facts};
  if (verdict.error) {
    decision.code = verdict.error->name();
    decision.details = verdict.error->details();
  }
  if (verdict.retry_after) decision.retry_after_ms = verdict.retry_after->count();
  return decision;
}

Verdict NotWanted(const Error& why) {
  Verdict verdict = Verdict::Reject("no_longer_wanted", why);
  verdict.facts["unwanted"] = why.name();
  return verdict;
}

bool Reaches(GateReach reach, GateAbout about) {
  const bool is_look = about == GateAbout::kCaller || about == GateAbout::kPage;
  switch (reach) {
    case GateReach::kCall:
      return about == GateAbout::kCaller;
    case GateReach::kCaller:
      return about == GateAbout::kCaller || about == GateAbout::kContract;
    case GateReach::kLook:
      return is_look;
    case GateReach::kFirstLook:
      return is_look || about == GateAbout::kShare;
    case GateReach::kAll:
      break;
  }
  return true;
}

std::span<const GateRow> GateOrder() {
  return kOrder;
}

Result<GateList> GateList::Create(std::vector<std::unique_ptr<Gate>> gates) {
  std::vector<std::unique_ptr<Gate>> ordered;
  for (const GateRow& row : kOrder) {
    const auto found = std::ranges::find_if(
        gates, [&](const auto& gate) { return gate && gate->name() == row.name; });
    if (found == gates.end()) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("gate {} is missing", row.name));
    }
    ordered.push_back(std::move(*found));
    gates.erase(found);
  }
  if (!gates.empty()) {
    const std::string_view name = gates.front() ? gates.front()->name() : "(null)";
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("gate {} is not in the order, or is there twice", name));
  }
  return GateList(std::move(ordered));
}

Task<Verdict> RunGates(CallContext ctx, const GateList* gates, const GateInput* input,
                       EventStamper* stamper, DecisionSink* decisions, GateReach reach) {
  Verdict verdict = Verdict::Admit("no_gates");
  for (std::size_t i = 0; i < gates->gates().size(); ++i) {
    if (!Reaches(reach, kOrder[i].about)) continue;
    const std::unique_ptr<Gate>& gate = gates->gates()[i];
    const Result<void> wanted = ctx.StillWanted(gate->name());
    verdict = wanted ? co_await gate->Check(ctx, input) : NotWanted(wanted.error());
    verdict.gate = gate->name();
    model::DecisionOutcome decision = DecisionOf(verdict, input->tenant);
    stamper->Stamp(decision);
    decisions->Record(decision);
    if (!verdict.is_admit()) co_return verdict;
  }
  co_return verdict;
}

}  // namespace falconer::kernel
