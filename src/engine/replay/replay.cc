#include "engine/replay/replay.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/replay/replay_scope.h"
#include "model/enum_set.h"

namespace falconer::engine {
namespace {

// Later checks use what earlier ones could read.
constexpr void (*kChecks[])(ReplayScope&) = {
    CheckRecords, CheckContract, CheckGates,   CheckRefusal, CheckPlan, CheckResult,
    CheckRules,   CheckAttempts, CheckRulings, CheckVerdict, CheckEnd,  CheckView,
};

constexpr model::EnumSet<DivergenceClass> kCanBeExpected = {
    DivergenceClass::kPlan, DivergenceClass::kOutcome, DivergenceClass::kOrdering,
    DivergenceClass::kProviderChoice};

TurnReplay TitleOf(const TurnEvidence& evidence) {
  TurnReplay out;
  for (const EvidenceRecord* record : evidence.all()) {
    out.records.push_back(record->seq);
    if (out.turn.empty()) out.turn = TurnId(TextAt(record->payload, "turn_id"));
    if (out.action.empty()) out.action = ActionId(TextAt(record->payload, "action_id"));
  }
  return out;
}

// The turns of a session are numbered in the order in which they were opened.
class SequenceCheck {
 public:
  void Look(ReplayScope& scope) {
    if (!scope.plan) return;
    const std::string session = TextAt(scope.evidence.opened->payload, "session");
    std::int64_t& last = last_[session];
    if (scope.plan->turn_sequence <= last) {
      scope.out.Diverged("sequence", DivergenceClass::kOrdering,
                         fmt::format("turn {} of session {} was opened after turn {}",
                                     scope.plan->turn_sequence, session, last));
    }
    last = std::max(last, scope.plan->turn_sequence);
  }

 private:
  std::map<std::string, std::int64_t, std::less<>> last_;
};

bool IsExpected(const ReplayCheck& check, const ExpectedDivergence& one) {
  return check.divergence == one.how && check.decision == one.decision;
}

void Expect(ReplayReport& report, const ExpectedDivergence& one) {
  bool is_seen = false;
  for (TurnReplay& turn : report.turns) {
    for (ReplayCheck& check : turn.checks) {
      if (!IsExpected(check, one)) continue;
      check.status = ReplayStatus::kExpected;
      is_seen = true;
    }
  }
  if (!is_seen) report.not_seen.push_back(one.Text());
}

}  // namespace

Result<ExpectedDivergence> ExpectedDivergence::Parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto how = ValueIn(kDivergenceClasses, text.substr(0, colon));
  const bool has_decision = colon != std::string_view::npos && colon + 1 < text.size();
  if (!how || !has_decision) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\": expected CLASS:DECISION, such as PLAN:plan.budgets", text));
  }
  if (!kCanBeExpected.Contains(*how)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\": a divergence of this class is never accepted", text));
  }
  return ExpectedDivergence{.how = *how, .decision = std::string(text.substr(colon + 1))};
}

std::string ExpectedDivergence::Text() const {
  return fmt::format("{}:{}", NameIn(kDivergenceClasses, how), decision);
}

ReplayReport Replay(const Evidence& evidence, const TenantId& tenant, const ReplayPolicy& policy) {
  ReplayReport report{.found_by = evidence.found_by, .tenant = tenant, .next = evidence.next};
  SequenceCheck sequence;
  for (const TurnEvidence& turn : evidence.turns) {
    TurnReplay& out = report.turns.emplace_back(TitleOf(turn));
    ReplayScope scope{.evidence = turn,
                      .snapshots = evidence.snapshots,
                      .tenant = tenant,
                      .timing_tolerance = policy.timing_tolerance,
                      .out = out};
    for (const auto check : kChecks) check(scope);
    sequence.Look(scope);
  }
  for (const ExpectedDivergence& one : policy.expected) Expect(report, one);
  return report;
}

Result<ReplayReport> ReplayNamed(ledger::ChainReader& reader, const TenantId& tenant,
                                 const EvidenceQuestion& question, const ReplayPolicy& policy) {
  TRY_ASSIGN(const Evidence evidence, GatherEvidence(reader, question));
  ReplayReport report = Replay(evidence, tenant, policy);
  report.id = question.id;
  return report;
}

}  // namespace falconer::engine
