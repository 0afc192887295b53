#pragma once
// TurnStory: the records of a small turn, made by the same functions that make real ones but
// without a browser, so that a test can change one fact and see what a replay says about it.

#include <string>
#include <vector>

#include "base/json/canonical_json.h"
#include "engine/replay/record_fields.h"
#include "engine/replay/turn_end.h"
#include "engine/turn_flow.h"
#include "kernel/gates/admitted.h"
#include "kernel/gates/breaker_gate.h"
#include "kernel/gates/capability_gate.h"
#include "kernel/gates/capacity_gate.h"
#include "kernel/gates/constraint_gate.h"
#include "kernel/gates/domain_gate.h"
#include "kernel/gates/gate_list.h"
#include "kernel/gates/lease_gate.h"
#include "kernel/gates/pause_gate.h"
#include "kernel/gates/quota_gate.h"
#include "kernel/gates/rate_gate.h"
#include "kernel/gates/risk_gate.h"
#include "kernel/gates/token_gate.h"
#include "kernel/gates/use_gate.h"
#include "kernel/plan/recorded_inputs.h"
#include "ledger/reader.h"
#include "model/contract/rule_judge.h"
#include "model/turn/identity.h"
#include "tests/support/test_chain.h"

namespace falconer::test {

inline constexpr std::string_view kStoryContract = R"({
  "workflow_id": "w1", "run_id": "r1", "step_index": 1, "deadline_unix_ms": 4000000000000,
  "action_spec": {"action_type": "navigate", "url": "https://shop.test/buy"},
  "preconditions": [{"rule_type": "url_pattern", "pattern": "https://**"}],
  "expected_postconditions": [
    {"rule_type": "text_state", "selector": "#done", "expected": "Thank you"},
    {"rule_type": "count", "selector": "li", "op": "gte", "n": 2}],
  "wait_conditions": [{"kind": "text", "text": "Thank you"}]})";

class TurnStory {
 public:
  explicit TurnStory(std::string contract = std::string(kStoryContract), std::int64_t number = 1)
      : turn(model::MakeTurnId(session, number)) {
    wire = ParseJson(contract).value_or(json::value());
    auto read = model::ActionContract::FromJson(wire);
    EXPECT_TRUE(read) << (read ? "" : read.error().message());
    if (read) Build(*read, number);
  }

  // A refusal of the contract because its address is not allowed.
  json::object Refusal() {
    const kernel::DomainFacts facts{
        .navigate_url = "https://evil.test/", .page_url = "", .rules = rules.digest()};
    kernel::Verdict verdict = kernel::DecideDomain(rules, facts);
    verdict.facts = facts.ToJson();
    json::object payload = About();
    payload.erase("turn_id");
    payload["contract"].at("action_spec").as_object()["url"] = "https://evil.test/";
    const auto identity = model::ActionContract::FromJson(payload.at("contract"))->Identify();
    payload["action_id"] = identity->action_id.value();
    payload["action_hash"] = identity->digest;
    json::array& decisions = payload["decisions"].emplace_array();
    for (json::value& earlier : BeforeDomain()) decisions.push_back(std::move(earlier));
    decisions.push_back(Decided("domain", verdict));
    payload["gate"] = "domain";
    payload["reason"] = verdict.reason;
    payload["failure_code"] = verdict.error->name();
    model::ActionExecutionResult result;
    result.action_id = identity->action_id;
    result.failure = model::ActionFailure::Of(*verdict.error);
    payload["result"] = result.ToJson();
    return payload;
  }

  // Puts the result back after a test changed it, under its digest.
  void Seal(model::ActionExecutionResult result) {
    result.evidence_digest = result.EvidenceDigest().value();
    closed["success"] = result.success;
    closed.erase("failure_code");
    if (result.failure) closed["failure_code"] = TraitsOf(result.failure->code).name;
    closed["result"] = result.ToJson();
    closed["end"] = engine::EndJson(engine::EndOf(result));
  }
  model::ActionExecutionResult Result() const {
    return model::ActionExecutionResult::FromJson(closed.at("result")).value();
  }

  SessionId session{"s1"};
  TurnId turn;
  TenantId tenant{"acme"};
  json::value wire;
  policy::DomainRules rules =
      policy::DomainRules::Parse(*ParseJson(R"({"navigate":{"allow":["shop.test"],"deny":[]}})"))
          .value();
  kernel::LeaseFacts lease{
      .is_known = true, .epoch = 3, .is_granted = true, .left = std::chrono::seconds(20)};
  std::shared_ptr<const kernel::AdmittedToken> token =
      kernel::AdmittedToken::Of(
          {.claims = {.issuer = "abos-policy-authority",
                      .audience = {"abos-executor"},
                      .agent = AgentId("tester"),
                      .tenant = TenantId("acme"),
                      .token_id = "t1",
                      .capabilities = {model::Capability::kNavigate, model::Capability::kInteract,
                                       model::Capability::kSubmit}},
           .key_name = "k1",
           .tenant = TenantId("acme")})
          .value();
  json::object snapshot;
  json::object opened;
  json::object closed;

 private:
  json::object About() const {
    const auto identity = model::ActionContract::FromJson(wire)->Identify();
    return {{"workflow", "w1"},
            {"session", session.value()},
            {"agent", "tester"},
            {"run", "r1"},
            {"step", 1},
            {"turn_id", turn.value()},
            {"action_id", identity->action_id.value()},
            {"action_hash", identity->digest},
            {"contract", wire}};
  }

  json::object Decided(std::string_view gate, kernel::Verdict verdict) {
    verdict.gate = gate;
    model::DecisionOutcome decision = kernel::DecisionOf(verdict, tenant);
    stamper_.Stamp(decision);
    return decision.ToJson();
  }

  // A verdict with the facts it was given by.
  template <typename Facts>
  json::object Judged(std::string_view gate, const Facts& facts, kernel::Verdict verdict) {
    verdict.facts = facts.ToJson();
    return Decided(gate, std::move(verdict));
  }

  json::array BeforeDomain() {
    const kernel::TokenFacts shown{.token = token->digest, .token_id = "t1"};
    const kernel::CapabilityFacts needs{
        .token = token->digest, .needs = {model::Capability::kNavigate}, .agent = "tester"};
    const kernel::ConstraintFacts limits{
        .token = token->digest, .urls = {"https://shop.test/buy"}, .issued_s = 1, .now_ms = 2000};
    return {Judged("pause", kernel::PauseFacts{}, kernel::DecidePause({})),
            Decided("contract", kernel::Verdict::Admit("contract_valid")),
            Judged("token", shown, kernel::DecideToken(shown)),
            Judged("capability", needs, kernel::DecideCapability(token->token, tenant, needs)),
            Judged("constraint", limits, kernel::DecideConstraint(token->token, limits))};
  }

  json::array Gates() {
    const kernel::DomainFacts facts{.navigate_url = "https://shop.test/buy",
                                    .page_url = "https://shop.test/",
                                    .rules = rules.digest()};
    const kernel::RiskFacts risk{.facts = {.tenant = "acme", .agent = "tester"}};
    const kernel::BreakerFacts site{.domain = "shop.test", .threshold = 5};
    const kernel::LoadNumbers load{.running = 1, .running_of_tenant = 1};
    json::array decisions = BeforeDomain();
    for (json::object& later : std::vector<json::object>{
             Judged("domain", facts, kernel::DecideDomain(rules, facts)),
             Judged("risk", risk, kernel::DecideRisk(nullptr, risk)),
             Judged("quota", kernel::QuotaFacts{}, kernel::DecideQuota({})),
             Judged("rate", kernel::RateFacts{}, kernel::DecideRate({})),
             Judged("breaker", site, kernel::DecideBreaker(site)),
             Decided("lease", kernel::VerdictOf(kernel::EpochVerdict::Of(lease), session)),
             Decided("capacity", kernel::VerdictOf(load, tenant)),
             Judged("use", kernel::UseFacts{}, kernel::DecideUse({}))})
      decisions.push_back(std::move(later));
    return decisions;
  }

  model::ResolvedTurnPlan Plan(const model::ActionContract& contract, std::int64_t number) {
    using Kind = model::SnapshotKind;
    kernel::PlanInputs inputs{.turn = turn,
                              .turn_sequence = number,
                              .authority_epoch = lease.epoch,
                              .fairness_key = tenant.value(),
                              .wishes = engine::WishesOf(contract)};
    const std::pair<Kind, json::object> contents[] = {
        {Kind::kRoutingView, {{"authority_epoch", lease.epoch}}},
        {Kind::kAdmissionPolicy, {{"running", 64}}},
        {Kind::kAbiCompatibility, {{"contract_version", 1}}},
        {Kind::kVersionResolution,
         {{"pipeline_version", "p1"}, {"graph_definition_ref", "graph/contract"}}},
        {Kind::kPolicyResolution, {{"execution_profile", "simple"}}},
        {Kind::kProviderHealth, {{"bindings", {{"browser", "chromium"}}}}},
    };
    json::array list;
    for (const auto& [kind, content] : contents) {
      inputs[kind] = kernel::PlanSnapshot::Of(content).value();
      if (kind == Kind::kRoutingView) continue;
      list.push_back({{"name", NameIn(model::kSnapshotKinds, kind)},
                      {"digest", inputs[kind].digest},
                      {"content", content}});
    }
    list.push_back(
        {{"name", "token_claims"}, {"digest", token->digest}, {"content", token->content}});
    list.push_back(
        {{"name", "domain_rules"}, {"digest", rules.digest()}, {"content", rules.content()}});
    snapshot["snapshots"] = std::move(list);
    return kernel::ResolvePlan(inputs).value();
  }

  static model::VerificationReport Report(const std::vector<model::VerificationRule>& rules,
                                          const std::vector<std::string>& seen) {
    std::vector<model::RuleOutcome> outcomes;
    for (std::size_t i = 0; i < rules.size(); ++i)
      outcomes.push_back(model::Judge(rules[i], ParseJson(seen.at(i)).value()));
    return model::VerificationReport::Of(std::move(outcomes));
  }

  void Build(const model::ActionContract& contract, std::int64_t number) {
    const model::ResolvedTurnPlan plan = Plan(contract, number);
    opened = About();
    opened["decisions"] = Gates();
    opened["plan"] = plan.plan_hash;
    opened["resolved_plan"] = plan.ToJson();
    opened["routing_view"] = json::object{{"authority_epoch", lease.epoch}};
    kernel::RecordedInputs inputs(clock_, plan.determinism.seed);
    EXPECT_TRUE(inputs.WallMillis(engine::kTurnStart));
    opened["inputs"] = json::array{inputs.inputs().front().ToJson()};
    closed = About();
    closed.erase("contract");
    closed["plan"] = plan.plan_hash;
    model::ActionExecutionResult result;
    result.action_id = ActionId(closed.at("action_id").as_string().c_str());
    result.turn_id = turn;
    result.success = true;
    result.attempts = {{.n = 1}};
    result.wait_outcomes.push_back({{"kind", "text"}, {"satisfied", true}, {"waited_ms", 3}});
    result.verification = Report(contract.expected_postconditions,
                                 {R"({"matches":1,"texts":["Thank you"]})", R"({"matches":3})"});
    result.metadata["preconditions"] =
        Report(contract.preconditions, {R"({"url":"https://shop.test/"})"}).ToJson();
    result.timings = {{.phase = model::AttemptPhase::kBind, .took = std::chrono::microseconds(5)}};
    Seal(std::move(result));
  }

  FakeClock clock_;
  kernel::EventStamper stamper_{session, "p1", clock_};
};

// A chain with the story in it: the snapshot in record 1, then the others given.
class StoryChain {
 public:
  void Write(const TurnStory& story) {
    Append(ledger::RecordKind::kSnapshot, story.snapshot);
    const std::uint64_t seq = Append(ledger::RecordKind::kTurnOpened, story.opened);
    json::object closed = story.closed;
    if (!closed.contains("opened")) closed["opened"] = seq;
    Append(ledger::RecordKind::kTurnClosed, closed);
  }
  std::uint64_t Append(ledger::RecordKind kind, const json::object& payload) {
    if (!writer_) writer_ = chain.Writer();
    const auto receipt = chain.Run(writer_->Append({kind, CanonicalJson(payload).value()}));
    EXPECT_TRUE(receipt) << (receipt ? "" : receipt.error().message());
    return receipt ? receipt->seq : 0;
  }
  void Close() { writer_.reset(); }
  ledger::ChainReader Reader() {
    Close();
    return ledger::ChainReader::Open(chain.Paths().folder).value();
  }

  TestChain chain;

 private:
  std::unique_ptr<ledger::ChainWriter> writer_;
};

}  // namespace falconer::test
