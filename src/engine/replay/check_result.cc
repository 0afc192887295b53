// The result: can it be read, is it under its digest, do the rules judge as they did?

#include <fmt/format.h>
#include <utility>

#include "engine/replay/observation_bound.h"
#include "engine/replay/replay_scope.h"
#include "model/contract/guards.h"
#include "model/contract/rule_judge.h"

namespace falconer::engine {
namespace {

using model::RuleOutcome;
using model::VerificationRule;
using Rules = std::vector<VerificationRule>;

void CheckSummary(ReplayScope& scope) {
  const json::object& payload = scope.evidence.closed->payload;
  const model::ActionExecutionResult& result = *scope.result;
  const std::string code = result.failure ? std::string(TraitsOf(result.failure->code).name) : "";
  const bool is_same = IsTrueAt(payload, "success") == result.success &&
                       TextAt(payload, "failure_code") == code &&
                       TextAt(payload, "action_id") == result.action_id.value() &&
                       TextAt(payload, "turn_id") == result.turn_id.value();
  if (is_same) return;
  scope.out.Diverged("result.summary", DivergenceClass::kOutcome,
                     "the record says something else than its result");
}

void CheckDigest(ReplayScope& scope) {
  const auto digest = scope.result->EvidenceDigest();
  if (!digest) {
    return scope.out.Diverged("evidence", DivergenceClass::kOutcome, digest.error().message());
  }
  if (scope.result->evidence_digest.empty())
    return scope.out.Missing("evidence", "the result has no digest");
  Report(scope, "evidence", DivergenceClass::kOutcome, json::value(scope.result->evidence_digest),
         json::value(*digest));
}

void CheckRule(ReplayScope& scope, const std::string& name, const VerificationRule& rule,
               const RuleOutcome& recorded) {
  if (IsCut(recorded.observed))
    return scope.out.Missing(name, "what was observed was too large to keep");
  const RuleOutcome now = model::Judge(rule, recorded.observed);
  const std::string what =
      fmt::format("{} {}", rule.traits().name, NameIn(model::kRuleVerdicts, recorded.verdict));
  if (Compare(recorded.ToJson(), now.ToJson()) == Sameness::kSame)
    return scope.out.Reproduced(name, what);
  const bool is_whole =
      scope.is_contract_whole && !HasScrubbed(recorded.observed) && !HasScrubbed(recorded.expected);
  if (!is_whole) return scope.out.Missing(name, "a part of it was scrubbed as a secret");
  scope.out.Diverged(
      name, DivergenceClass::kOutcome,
      fmt::format("recorded {}, now {} ({})", what, NameIn(model::kRuleVerdicts, now.verdict),
                  DifferingFields(recorded.ToJson(), now.ToJson())));
}

void CheckList(ReplayScope& scope, std::string_view name, const Rules& rules,
               const model::VerificationReport& report) {
  if (rules.size() != report.outcomes.size()) {
    return scope.out.Diverged(
        std::string(name), DivergenceClass::kOutcome,
        fmt::format("{} outcomes for {} rules", report.outcomes.size(), rules.size()));
  }
  for (std::size_t i = 0; i < rules.size(); ++i)
    CheckRule(scope, fmt::format("{}.{}", name, i + 1), rules[i], report.outcomes[i]);
}

// In the order in which they were judged.
Rules RulesAfter(const ReplayScope& scope, const model::DerivedGuards& guards) {
  Rules rules = scope.contract->expected_postconditions;
  const Rules& more = scope.contract->verification_rules;
  rules.insert(rules.end(), more.begin(), more.end());
  // Who only looks again after a crash asks what the caller asked, and nothing more.
  if (scope.result->metadata.contains("reobserved")) return rules;
  rules.insert(rules.end(), guards.rules.begin(), guards.rules.end());
  return rules;
}

void CheckGuards(ReplayScope& scope, const model::DerivedGuards& guards) {
  const json::value* recorded = At(scope.result->metadata, "guard_summary");
  // Nothing was derived, or the turn ended before guards were needed.
  if (recorded == nullptr && (guards.empty() || scope.result->timings.empty())) return;
  if (recorded == nullptr) return scope.out.Missing("guards", "which guards were derived");
  Report(scope, "guards", DivergenceClass::kOutcome, *recorded, guards.Summary());
}

bool FailedBefore(const model::ActionExecutionResult& result) {
  return result.failure && result.failure->code == ErrorCode::kPreconditionFailed;
}

// Those that held; those that did not are the verification.
void CheckPreconditions(ReplayScope& scope) {
  const Rules& rules = scope.contract->preconditions;
  if (rules.empty() || FailedBefore(*scope.result)) return;
  const json::value* recorded = At(scope.result->metadata, "preconditions");
  if (recorded == nullptr) {
    // A turn that never got so far judged nothing.
    if (scope.result->attempts.empty() && !scope.result->success) return;
    if (scope.result->metadata.contains("reobserved")) return;
    return scope.out.Missing("precondition", "what the preconditions were judged by");
  }
  const auto report = model::VerificationReport::FromJson(*recorded, "preconditions");
  if (!report) {
    return scope.out.Diverged("precondition", DivergenceClass::kOutcome, report.error().message());
  }
  CheckList(scope, "precondition", rules, *report);
}

}  // namespace

void CheckResult(ReplayScope& scope) {
  if (!scope.evidence.closed) return;
  const json::value* recorded = At(scope.evidence.closed->payload, "result");
  if (recorded == nullptr) return scope.out.Missing("result", "the result is not on record");
  auto result = model::ActionExecutionResult::FromJson(*recorded);
  if (!result) {
    return scope.out.Diverged("result", DivergenceClass::kOutcome, result.error().message());
  }
  scope.result = *std::move(result);
  CheckSummary(scope);
  CheckDigest(scope);
}

void CheckRules(ReplayScope& scope) {
  if (!scope.result) return;
  if (!scope.contract) return scope.out.Missing("rules", "the contract they belong to");
  const model::DerivedGuards guards = model::DeriveGuards(*scope.contract);
  CheckGuards(scope, guards);
  CheckPreconditions(scope);
  if (!scope.result->verification) return;
  const bool is_before = FailedBefore(*scope.result);
  CheckList(scope, is_before ? "precondition" : "rule",
            is_before ? scope.contract->preconditions : RulesAfter(scope, guards),
            *scope.result->verification);
}

}  // namespace falconer::engine
