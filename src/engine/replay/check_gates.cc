// Every gate's verdict from the facts it was given, the order of the gates, and what a refusal
// says.

#include <fmt/format.h>
#include <utility>

#include "engine/read_contract.h"
#include "engine/replay/record_fields.h"
#include "engine/replay/replay_scope.h"
#include "kernel/gates/breaker_gate.h"
#include "kernel/gates/capability_gate.h"
#include "kernel/gates/capacity_gate.h"
#include "kernel/gates/constraint_gate.h"
#include "kernel/gates/contract_gate.h"
#include "kernel/gates/domain_gate.h"
#include "kernel/gates/gate_list.h"
#include "kernel/gates/lease_gate.h"
#include "kernel/gates/pause_gate.h"
#include "kernel/gates/quota_gate.h"
#include "kernel/gates/rate_gate.h"
#include "kernel/gates/risk_gate.h"
#include "kernel/gates/token_gate.h"
#include "kernel/gates/use_gate.h"
#include "model/turn/identity.h"

namespace falconer::engine {
namespace {

using kernel::Verdict;
using model::DecisionOutcome;

Result<Verdict> AskContract(ReplayScope& scope, const DecisionOutcome& /*decision*/) {
  const json::value* wire = At(scope.evidence.asked()->payload, "contract");
  if (wire == nullptr) return Fail(ErrorCode::kNotFound, "the contract is not on record");
  const kernel::GateInput input{.contract = wire->if_object()};
  return kernel::VerdictOf(ReadContract().CheckContract(input));
}

Result<Verdict> AskDomain(ReplayScope& scope, const DecisionOutcome& decision) {
  TRY_ASSIGN(const auto facts, kernel::DomainFacts::FromJson(decision.facts));
  const auto found = scope.snapshots.find(facts.rules);
  if (found == scope.snapshots.end())
    return Fail(ErrorCode::kNotFound, "the rules are not on record: " + facts.rules);
  TRY_ASSIGN(const auto rules, policy::DomainRules::Parse(found->second));
  return kernel::DecideDomain(rules, facts);
}

// Gates that need nothing but their facts.
template <typename Facts, Verdict (*kDecide)(const Facts&)>
Result<Verdict> AskFacts(ReplayScope& /*scope*/, const DecisionOutcome& decision) {
  TRY_ASSIGN(const auto facts, Facts::FromJson(decision.facts));
  return kDecide(facts);
}

Result<Verdict> AskCapability(ReplayScope& scope, const DecisionOutcome& decision) {
  TRY_ASSIGN(const auto facts, kernel::CapabilityFacts::FromJson(decision.facts));
  TRY_ASSIGN(const auto token, TokenOnRecord(scope, facts.token, WallTime()));
  return kernel::DecideCapability(token, scope.tenant, facts);
}

Result<Verdict> AskConstraint(ReplayScope& scope, const DecisionOutcome& decision) {
  TRY_ASSIGN(const auto facts, kernel::ConstraintFacts::FromJson(decision.facts));
  const WallTime issued{std::chrono::seconds(facts.issued_s)};
  TRY_ASSIGN(const auto token, TokenOnRecord(scope, facts.token, issued));
  return kernel::DecideConstraint(token, facts);
}

Result<Verdict> AskRisk(ReplayScope& scope, const DecisionOutcome& decision) {
  TRY_ASSIGN(const auto facts, kernel::RiskFacts::FromJson(decision.facts));
  if (facts.policy.empty()) return kernel::DecideRisk(nullptr, facts);
  TRY_ASSIGN(const auto policy, PolicyOnRecord(scope, facts.policy));
  return kernel::DecideRisk(&policy, facts);
}

Result<Verdict> AskLease(ReplayScope& scope, const DecisionOutcome& decision) {
  TRY_ASSIGN(scope.lease, kernel::LeaseFacts::FromJson(decision.facts));
  return kernel::VerdictOf(kernel::EpochVerdict::Of(*scope.lease), decision.session);
}

Result<Verdict> AskCapacity(ReplayScope& scope, const DecisionOutcome& decision) {
  TRY_ASSIGN(const auto numbers, kernel::LoadNumbers::FromJson(decision.facts));
  return kernel::VerdictOf(numbers, scope.tenant);
}

struct GateReplay {
  std::string_view gate;
  DivergenceClass how;
  // Whether its verdict needs facts of its own.
  enum class Facts : std::uint8_t { kInContract, kOwn } facts;
  // kNotFound when a fact is not on record.
  Result<Verdict> (*ask)(ReplayScope&, const DecisionOutcome&);
};

constexpr GateReplay kGates[] = {
    {"pause", DivergenceClass::kOutcome, GateReplay::Facts::kOwn,
     AskFacts<kernel::PauseFacts, kernel::DecidePause>},
    {"contract", DivergenceClass::kOutcome, GateReplay::Facts::kInContract, AskContract},
    {"token", DivergenceClass::kAuthority, GateReplay::Facts::kOwn,
     AskFacts<kernel::TokenFacts, kernel::DecideToken>},
    {"capability", DivergenceClass::kAuthority, GateReplay::Facts::kOwn, AskCapability},
    {"constraint", DivergenceClass::kAuthority, GateReplay::Facts::kOwn, AskConstraint},
    {"domain", DivergenceClass::kOutcome, GateReplay::Facts::kOwn, AskDomain},
    {"risk", DivergenceClass::kOutcome, GateReplay::Facts::kOwn, AskRisk},
    {"quota", DivergenceClass::kOutcome, GateReplay::Facts::kOwn,
     AskFacts<kernel::QuotaFacts, kernel::DecideQuota>},
    {"rate", DivergenceClass::kOutcome, GateReplay::Facts::kOwn,
     AskFacts<kernel::RateFacts, kernel::DecideRate>},
    {"breaker", DivergenceClass::kOutcome, GateReplay::Facts::kOwn,
     AskFacts<kernel::BreakerFacts, kernel::DecideBreaker>},
    {"lease", DivergenceClass::kAuthority, GateReplay::Facts::kOwn, AskLease},
    {"capacity", DivergenceClass::kOutcome, GateReplay::Facts::kOwn, AskCapacity},
    {"use", DivergenceClass::kAuthority, GateReplay::Facts::kOwn,
     AskFacts<kernel::UseFacts, kernel::DecideUse>},
};

const GateReplay* ReplayOf(std::string_view gate) {
  for (const GateReplay& row : kGates) {
    if (row.gate == gate) return &row;
  }
  return nullptr;
}

std::string TextOf(const DecisionOutcome& decision) {
  return fmt::format("{} {}", NameIn(model::kDecisionKinds, decision.kind), decision.reason);
}

// When and for which session it was said is not part of what is judged again.
void TakeStamp(DecisionOutcome& now, const DecisionOutcome& recorded) {
  now.session = recorded.session;
  now.event_id = recorded.event_id;
  now.runtime_timestamp_ms = recorded.runtime_timestamp_ms;
  now.wall_clock_timestamp_ms = recorded.wall_clock_timestamp_ms;
}

Result<Verdict> Ask(ReplayScope& scope, const GateReplay& row, const DecisionOutcome& decision) {
  const json::value* unwanted = At(decision.facts, "unwanted");
  if (unwanted != nullptr && unwanted->is_string()) {
    const auto code = ErrorCodeNamed(unwanted->get_string());
    if (!code) return Fail(ErrorCode::kInvalidArgument, "facts.unwanted: is no error code");
    return kernel::NotWanted(Error(*code, ""));
  }
  if (decision.facts.empty() && row.facts == GateReplay::Facts::kOwn)
    return Fail(ErrorCode::kNotFound, "what it was judged by is not on record");
  return row.ask(scope, decision);
}

void CheckGate(ReplayScope& scope, const DecisionOutcome& decision) {
  const std::string name = "gate." + decision.gate;
  const GateReplay* row = ReplayOf(decision.gate);
  if (row == nullptr) return scope.out.Missing(name, "this program has no such gate");
  auto verdict = Ask(scope, *row, decision);
  if (!verdict && verdict.error().code() == ErrorCode::kNotFound)
    return scope.out.Missing(name, verdict.error().message());
  if (!verdict) return scope.out.Diverged(name, row->how, verdict.error().message());
  verdict->gate = decision.gate;
  DecisionOutcome now = kernel::DecisionOf(*verdict, scope.tenant);
  TakeStamp(now, decision);
  // The facts are what was given, and the error's details of a call that ended are its caller's.
  now.facts = decision.facts;
  if (decision.facts.contains("unwanted")) now.details = decision.details;
  switch (Compare(decision.ToJson(), now.ToJson())) {
    case Sameness::kSame:
      return scope.out.Reproduced(name, TextOf(decision));
    case Sameness::kWithheld:
      return scope.out.Missing(name, "a part of its facts was scrubbed as a secret");
    case Sameness::kDifferent:
      break;
  }
  const bool is_foreign = decision.tenant != scope.tenant;
  scope.out.Diverged(name, is_foreign ? DivergenceClass::kAuthority : row->how,
                     fmt::format("recorded {}, now {} ({})", TextOf(decision), TextOf(now),
                                 DifferingFields(decision.ToJson(), now.ToJson())));
}

// The domain gate must have looked where the contract wants to go.
void CheckAddress(ReplayScope& scope, const DecisionOutcome& decision) {
  if (decision.gate != "domain" || !scope.contract || decision.facts.contains("unwanted")) return;
  const std::string wanted = scope.contract->action_spec.url.value_or("");
  const std::string looked_at = TextAt(decision.facts, "navigate_url");
  if (wanted.starts_with(looked_at) && wanted.empty() == looked_at.empty()) return;
  scope.out.Diverged(
      "gate.domain.address", DivergenceClass::kOutcome,
      fmt::format("it looked at {}, the contract says {}", Brief(looked_at), Brief(wanted)));
}

// Each gate once, in the one order there is, up to the first that does not admit.
void CheckGateOrder(ReplayScope& scope, const std::vector<DecisionOutcome>& decisions) {
  const auto order = kernel::GateOrder();
  std::int64_t last_event = 0;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const auto event = model::ParseEventId(decisions[i].event_id);
    const bool is_later = event && event->number > last_event;
    const bool is_its_place = i < order.size() && order[i].name == decisions[i].gate;
    const bool was_stopped = i > 0 && decisions[i - 1].kind != model::DecisionKind::kAdmit;
    if (!is_later || !is_its_place || was_stopped) {
      return scope.out.Diverged("gates.order", DivergenceClass::kOrdering,
                                fmt::format("{} was asked as number {}", decisions[i].gate, i + 1));
    }
    last_event = event->number;
  }
  const bool is_admitted = decisions.back().kind == model::DecisionKind::kAdmit;
  if (is_admitted && decisions.size() < order.size())
    return scope.out.Missing("gates.order",
                             fmt::format("what gate {} said", order[decisions.size()].name));
  scope.out.Reproduced("gates.order");
}

void CheckOpening(ReplayScope& scope, const DecisionOutcome& last) {
  if (!scope.evidence.opened || last.kind == model::DecisionKind::kAdmit) return;
  scope.out.Diverged(
      "opening", DivergenceClass::kOutcome,
      fmt::format("the turn was opened although gate {} said {}", last.gate, TextOf(last)));
}

std::vector<DecisionOutcome> DecisionsOf(ReplayScope& scope) {
  std::vector<DecisionOutcome> decisions;
  const json::value* list = At(scope.evidence.asked()->payload, "decisions");
  if (list == nullptr || !list->is_array()) return decisions;
  for (const json::value& one : list->get_array()) {
    auto decision = model::ParseDecision(one);
    if (decision) {
      decisions.push_back(*std::move(decision));
    } else {
      scope.out.Diverged("gates", DivergenceClass::kOutcome, decision.error().message());
    }
  }
  return decisions;
}

}  // namespace

void CheckGates(ReplayScope& scope) {
  if (scope.evidence.asked() == nullptr) return;
  const std::vector<DecisionOutcome> decisions = DecisionsOf(scope);
  if (decisions.empty()) {
    if (WasRefusedBeforeTheGates(scope.evidence)) return;
    return scope.out.Missing("gates", "what the gates said");
  }
  for (const DecisionOutcome& decision : decisions) {
    CheckGate(scope, decision);
    CheckAddress(scope, decision);
  }
  CheckGateOrder(scope, decisions);
  CheckOpening(scope, decisions.back());
}

}  // namespace falconer::engine
