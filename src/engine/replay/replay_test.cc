#include "engine/replay/replay.h"

#include <algorithm>

#include "engine/replay/observation_bound.h"
#include "engine/replay/replay_trace.h"
#include "model/view/view_budget.h"
#include "tests/support/turn_story.h"

namespace falconer::engine {
namespace {

using ledger::RecordKind;
using test::StoryChain;
using test::TurnStory;

ReplayReport ReplayOf(StoryChain& chain, const std::string& id, const ReplayPolicy& policy = {}) {
  auto reader = chain.Reader();
  auto report = ReplayNamed(reader, TenantId("acme"), {.id = id}, policy);
  EXPECT_TRUE(report) << (report ? "" : report.error().message());
  return report.value_or(ReplayReport());
}

ReplayReport ReplayOf(const TurnStory& story, const ReplayPolicy& policy = {}) {
  StoryChain chain;
  chain.Write(story);
  return ReplayOf(chain, story.turn.value(), policy);
}

// "decision CLASS" of what diverged and "decision missing" of what is not there.
std::vector<std::string> Findings(const ReplayReport& report) {
  std::vector<std::string> out;
  for (const TurnReplay& turn : report.turns) {
    for (const ReplayCheck& check : turn.checks) {
      if (check.status == ReplayStatus::kMissing) out.push_back(check.decision + " missing");
      if (check.status != ReplayStatus::kDiverged) continue;
      EXPECT_TRUE(check.divergence) << check.decision;
      EXPECT_FALSE(check.detail.empty()) << check.decision;
      out.push_back(check.decision + " " +
                    std::string(NameIn(kDivergenceClasses, *check.divergence)));
    }
  }
  return out;
}

std::string Told(const ReplayReport& report) {
  return json::serialize(report.ToJson());
}

json::object& Decision(TurnStory& story, std::string_view gate) {
  for (json::value& one : story.opened.at("decisions").as_array()) {
    if (one.at("gate").as_string() == gate) return one.as_object();
  }
  throw std::out_of_range(std::string(gate));
}

json::object& Facts(TurnStory& story, std::string_view gate) {
  return Decision(story, gate).at("facts").as_object();
}

// Changes the plan and freezes it again, as somebody who owns the program could.
void ChangePlan(TurnStory& story, void (*change)(model::ResolvedTurnPlan&)) {
  auto plan = model::ParseTurnPlan(story.opened.at("resolved_plan")).value();
  change(plan);
  EXPECT_TRUE(plan.Freeze());
  story.opened["resolved_plan"] = plan.ToJson();
  story.opened["plan"] = plan.plan_hash;
  story.closed["plan"] = plan.plan_hash;
}

// Changes the result and puts it under its digest again.
void ChangeResult(TurnStory& story, void (*change)(model::ActionExecutionResult&)) {
  auto result = story.Result();
  change(result);
  story.Seal(std::move(result));
}

TEST(ReplayTest, ReproducesEveryDecisionOfATurn) {
  const ReplayReport report = ReplayOf(TurnStory());

  EXPECT_EQ(report.status(), ReplayStatus::kReproduced) << Told(report);
  EXPECT_EQ(report.found_by, "turn_id");
  ASSERT_EQ(report.turns.size(), 1U);
  std::vector<std::string> decisions;
  for (const ReplayCheck& check : report.turns[0].checks) decisions.push_back(check.decision);
  EXPECT_EQ(decisions, (std::vector<std::string>{
                           "chain",           "order",         "contract",   "identity",
                           "gate.pause",      "gate.contract", "gate.token", "gate.capability",
                           "gate.constraint", "gate.domain",   "gate.risk",  "gate.quota",
                           "gate.rate",       "gate.breaker",  "gate.lease", "gate.capacity",
                           "gate.use",        "gates.order",   "plan",       "evidence",
                           "precondition.1",  "rule.1",        "rule.2",     "attempts",
                           "deadline",        "verdict",       "end"}));
}

json::object ViewOf(const TurnStory& story) {
  const std::vector<model::ViewLine> lines(40,
                                           {model::Weight::kText, "text \"a line of the page\""});
  const model::TrimmedView view{.budget = 60, .lines = lines, .shown = model::Fit(lines, 60)};
  return {
      {"workflow", "w1"}, {"run", "r1"}, {"turn_id", story.turn.value()}, {"view", view.ToJson()}};
}

ReplayReport ReplayWithView(const json::object& view) {
  const TurnStory story;
  StoryChain chain;
  chain.Write(story);
  chain.Append(RecordKind::kView, view);
  return ReplayOf(chain, story.turn.value());
}

TEST(ReplayTest, WhatAModelWasShownIsCutTheSameWayAgain) {
  const json::object view = ViewOf(TurnStory());
  EXPECT_EQ(ReplayWithView(view).status(), ReplayStatus::kReproduced);

  json::object altered = view;
  altered.at("view").as_object()["shown_sha256"] = std::string(64, '0');
  EXPECT_EQ(Findings(ReplayWithView(altered)), std::vector<std::string>{"view OUTCOME"});

  json::object without = view;
  without.erase("view");
  EXPECT_EQ(Findings(ReplayWithView(without)), std::vector<std::string>{"view missing"});
}

struct Change {
  const char* what;
  void (*change)(TurnStory&);
  std::vector<std::string> findings;
};

TEST(ReplayTest, AChangedFactDivergesByItsClass) {
  const Change rows[] = {
      {"the contract",
       [](TurnStory& s) { s.opened.at("contract").as_object()["step_index"] = 2; },
       {"identity OUTCOME"}},
      {"a contract that cannot be read",
       [](TurnStory& s) { s.opened.at("contract").as_object()["surprise"] = 2; },
       {
           "contract OUTCOME",
           "gate.contract OUTCOME",
           "plan missing",
           "rules missing",
       }},
      {"the address the gate looked at",
       [](TurnStory& s) { Facts(s, "domain")["navigate_url"] = "https://shop.test/other"; },
       {"gate.domain.address OUTCOME"}},
      {"where the action was to go",
       [](TurnStory& s) { Facts(s, "domain")["navigate_url"] = "https://evil.test/"; },
       {"gate.domain OUTCOME", "gate.domain.address OUTCOME"}},
      {"the reason of a gate",
       [](TurnStory& s) { Decision(s, "domain")["reason"] = "empty_page"; },
       {"gate.domain OUTCOME"}},
      {"the numbers of the load",
       [](TurnStory& s) { Facts(s, "capacity")["running"] = 64; },
       {"gate.capacity OUTCOME"}},
      {"the tenant of a decision",
       [](TurnStory& s) { Decision(s, "capacity")["tenant_id"] = "other"; },
       {"gate.capacity AUTHORITY"}},
      {"a lease that had run out",
       [](TurnStory& s) { Facts(s, "lease")["left_ms"] = 0; },
       {"gate.lease AUTHORITY"}},
      {"the epoch of the lease",
       [](TurnStory& s) { Facts(s, "lease")["epoch"] = 4; },
       {"plan AUTHORITY", "end AUTHORITY"}},
      {"the order of the gates",
       [](TurnStory& s) { std::swap(Decision(s, "lease"), Decision(s, "capacity")); },
       {"gates.order ORDERING"}},
      {"a gate that was not asked",
       [](TurnStory& s) { s.opened.at("decisions").as_array().pop_back(); },
       {"gates.order missing"}},
      {"a budget of the plan",
       [](TurnStory& s) { ChangePlan(s, [](auto& plan) { plan.budgets.edge_ms = 7; }); },
       {"plan.budgets PLAN"}},
      {"the plan without its hash",
       [](TurnStory& s) { s.opened.at("resolved_plan").at("budgets").as_object()["edge_ms"] = 7; },
       {"plan PLAN", "end missing"}},
      {"the provider",
       [](TurnStory& s) {
         ChangePlan(s, [](auto& plan) { plan.provider_bindings["browser"] = "other"; });
       },
       {"plan.provider_bindings PROVIDER_CHOICE"}},
      {"the number of the turn",
       [](TurnStory& s) { ChangePlan(s, [](auto& plan) { plan.turn_sequence = 9; }); },
       {"plan.turn_id ORDERING"}},
      {"the plan that is named at the end",
       [](TurnStory& s) { s.closed["plan"] = std::string(64, '0'); },
       {"plan.name PLAN"}},
      {"what was observed",
       [](TurnStory& s) {
         ChangeResult(s, [](auto& r) {
           r.verification->outcomes[0].observed = *ParseJson(R"({"matches":1,"texts":["No"]})");
         });
       },
       {"rule.1 OUTCOME"}},
      {"what a precondition saw",
       [](TurnStory& s) {
         ChangeResult(s, [](auto& r) {
           r.metadata["preconditions"].at("outcomes").at(0).as_object()["observed"] =
               json::object{{"unobservable", "no"}};
         });
       },
       {"precondition.1 OUTCOME"}},
      {"a rule too few",
       [](TurnStory& s) { ChangeResult(s, [](auto& r) { r.verification->outcomes.pop_back(); }); },
       {"rule OUTCOME"}},
      {"the evidence without its digest",
       [](TurnStory& s) { s.closed.at("result").as_object()["post_state_id"] = "s_other"; },
       {"evidence OUTCOME"}},
      {"a success that was none",
       [](TurnStory& s) {
         ChangeResult(s, [](auto& r) { r.wait_outcomes[0].as_object()["satisfied"] = false; });
       },
       {"verdict OUTCOME"}},
      {"a failure that was none",
       [](TurnStory& s) {
         ChangeResult(s, [](auto& r) {
           r.success = false;
           r.failure = model::ActionFailure::Of(Error(ErrorCode::kPostconditionFailed, "no"));
         });
       },
       {"verdict OUTCOME"}},
      {"the summary of the result",
       [](TurnStory& s) { s.closed["success"] = false; },
       {"result.summary OUTCOME"}},
      {"the pause before an attempt",
       [](TurnStory& s) {
         ChangeResult(s, [](auto& r) { r.attempts[0].backoff = std::chrono::milliseconds(16); });
       },
       {"attempt.1 TIMING"}},
      {"an attempt that was not to be made",
       [](TurnStory& s) {
         ChangeResult(s, [](auto& r) {
           r.attempts[0].cause = ErrorCode::kSecretField;
           r.attempts.push_back({.n = 2, .backoff = std::chrono::milliseconds(250)});
         });
       },
       {"attempt.2 OUTCOME"}},
      {"the number of an attempt",
       [](TurnStory& s) { ChangeResult(s, [](auto& r) { r.attempts[0].n = 2; }); },
       {"attempts ORDERING"}},
      {"the turn's end",
       [](TurnStory& s) { s.closed["end"] = json::object{{"outcome", "abort"}}; },
       {"end OUTCOME"}},
      {"the record that opened the turn",
       [](TurnStory& s) { s.closed["opened"] = 1; },
       {"order ORDERING"}},
      {"a deadline that had passed",
       [](TurnStory& s) { s.opened.at("inputs").at(0).as_object()["value"] = 4000000000001; },
       {"deadline OUTCOME"}},
  };
  for (const Change& row : rows) {
    TurnStory story;
    row.change(story);
    const ReplayReport report = ReplayOf(story);
    EXPECT_EQ(Findings(report), row.findings) << row.what << "\n" << Told(report);
  }
}

TEST(ReplayTest, WhatIsNotThereIsMissingAndNeverPasses) {
  const Change rows[] = {
      {"the contract",
       [](TurnStory& s) { s.opened.erase("contract"); },
       {"contract missing", "gate.contract missing", "plan missing", "rules missing"}},
      {"the decisions",
       [](TurnStory& s) { s.opened.erase("decisions"); },
       {"gates missing", "plan missing", "end missing"}},
      {"the facts of a gate",
       [](TurnStory& s) { Decision(s, "capacity").erase("facts"); },
       {"gate.capacity missing"}},
      {"the rules",
       [](TurnStory& s) { s.snapshot.at("snapshots").as_array().pop_back(); },
       {"gate.domain missing"}},
      {"rules that are not what their digest says",
       [](TurnStory& s) {
         s.snapshot.at("snapshots").as_array().back().as_object()["content"] =
             json::object{{"navigate", json::object{{"allow", json::array{"*"}}}}};
       },
       {"gate.domain missing"}},
      {"a snapshot of the plan",
       [](TurnStory& s) {
         auto& list = s.snapshot.at("snapshots").as_array();
         list.erase(list.begin());
       },
       {"plan missing"}},
      {"the plan",
       [](TurnStory& s) { s.opened.erase("resolved_plan"); },
       {"plan missing", "end missing"}},
      {"the result", [](TurnStory& s) { s.closed.erase("result"); }, {"result missing"}},
      {"the clock", [](TurnStory& s) { s.opened.erase("inputs"); }, {"deadline missing"}},
      {"the end", [](TurnStory& s) { s.closed.erase("end"); }, {"end missing"}},
      {"an observation that was too large",
       [](TurnStory& s) {
         auto result = s.Result();
         result.verification->outcomes[0].observed =
             json::object{{"matches", 1}, {"texts", json::array{std::string(40'000, 'x')}}};
         BoundObservations(result);
         s.Seal(std::move(result));
       },
       {"rule.1 missing"}},
      {"an observation that was scrubbed",
       [](TurnStory& s) {
         auto result = s.Result();
         result.verification->outcomes[0].observed =
             json::object{{"matches", 1}, {"texts", json::array{"[secret shop]"}}};
         s.Seal(std::move(result));
       },
       {"rule.1 missing"}},
  };
  for (const Change& row : rows) {
    TurnStory story;
    row.change(story);
    const ReplayReport report = ReplayOf(story);
    EXPECT_EQ(Findings(report), row.findings) << row.what << "\n" << Told(report);
    EXPECT_NE(report.status(), ReplayStatus::kReproduced) << row.what;
  }
}

TEST(ReplayTest, ATurnWithoutAnEndIsMissingIt) {
  const TurnStory story;
  StoryChain chain;
  chain.Append(RecordKind::kSnapshot, story.snapshot);
  chain.Append(RecordKind::kTurnOpened, story.opened);

  EXPECT_EQ(Findings(ReplayOf(chain, story.turn.value())),
            (std::vector<std::string>{"ending missing"}));
}

TEST(ReplayTest, ATurnThatEndsTwiceDiverges) {
  const TurnStory story;
  StoryChain chain;
  chain.Write(story);
  chain.Append(RecordKind::kTurnClosed, story.closed);

  EXPECT_EQ(Findings(ReplayOf(chain, story.turn.value())),
            (std::vector<std::string>{"chain OUTCOME"}));
}

TEST(ReplayTest, ReplaysARefusal) {
  TurnStory story;
  const json::object refusal = story.Refusal();
  json::object changed = refusal;
  changed["failure_code"] = "QUEUE_FULL";
  for (const auto& [payload, findings] :
       {std::pair<json::object, std::vector<std::string>>{refusal, {}},
        {changed, {"refusal OUTCOME"}}}) {
    StoryChain chain;
    chain.Append(RecordKind::kSnapshot, story.snapshot);
    chain.Append(RecordKind::kRefusal, payload);
    const ReplayReport report = ReplayOf(chain, TextAt(refusal, "action_id"));
    EXPECT_EQ(Findings(report), findings) << Told(report);
    EXPECT_EQ(report.found_by, "action_id");
  }
}

TEST(ReplayTest, ARefusalBeforeTheGatesNeedsNoneOfThem) {
  struct Case {
    const char* reason;
    std::vector<std::string> findings;
  };
  const Case cases[] = {{"not_begun", {}},
                        {"deadline_passed", {}},
                        {"no_place", {}},
                        {"plan_unresolved", {"gates missing"}},
                        {"whatever", {"gates missing", "refusal missing"}}};
  for (const Case& c : cases) {
    TurnStory story;
    json::object refusal = story.Refusal();
    refusal["gate"] = "";
    refusal["reason"] = c.reason;
    refusal["decisions"].emplace_array();
    StoryChain chain;
    chain.Append(RecordKind::kRefusal, refusal);
    const ReplayReport report = ReplayOf(chain, TextAt(refusal, "action_id"));
    EXPECT_EQ(Findings(report), c.findings) << c.reason << ": " << Told(report);
  }
}

TEST(ReplayTest, ReplaysARunInPages) {
  StoryChain chain;
  TurnStory first;
  const TurnStory second(std::string(test::kStoryContract), 2);
  chain.Write(first);
  chain.Append(RecordKind::kRefusal, first.Refusal());
  chain.Write(second);

  const ReplayReport all = ReplayOf(chain, "r1");
  EXPECT_EQ(all.status(), ReplayStatus::kReproduced) << Told(all);
  EXPECT_EQ(all.turns.size(), 3U);
  EXPECT_EQ(all.found_by, "run");

  const auto trace = ReplayTrace(chain.chain.folder.path(), TenantId("acme"), "r1", {.limit = 2});
  ASSERT_TRUE(trace) << trace.error().message();
  EXPECT_EQ(trace->at("turns").as_array().size(), 2U);
  EXPECT_EQ(trace->at("status").as_string(), "reproduced") << json::serialize(*trace);
  const auto rest = ReplayTrace(chain.chain.folder.path(), TenantId("acme"), "r1",
                                {.cursor = trace->at("next").to_number<std::uint64_t>()});
  ASSERT_TRUE(rest) << rest.error().message();
  EXPECT_EQ(rest->at("turns").as_array().size(), 1U);
  EXPECT_TRUE(rest->at("next").is_null());
}

TEST(ReplayTest, TurnsThatOverlapEachBelongToOnePage) {
  const TurnStory first;
  const TurnStory second(std::string(test::kStoryContract), 2);
  StoryChain chain;
  chain.Append(RecordKind::kSnapshot, first.snapshot);
  json::object ends[] = {first.closed, second.closed};
  ends[0]["opened"] = chain.Append(RecordKind::kTurnOpened, first.opened);
  ends[1]["opened"] = chain.Append(RecordKind::kTurnOpened, second.opened);
  for (const json::object& end : ends) chain.Append(RecordKind::kTurnClosed, end);
  auto reader = chain.Reader();

  const auto page = ReplayNamed(reader, TenantId("acme"), {.id = "r1", .limit = 1});
  ASSERT_TRUE(page);
  EXPECT_EQ(Findings(*page), std::vector<std::string>());
  const auto next = ReplayNamed(reader, TenantId("acme"), {.id = "r1", .cursor = page->next});
  ASSERT_TRUE(next);
  EXPECT_EQ(Findings(*next), std::vector<std::string>());
  EXPECT_EQ(next->turns.size(), 1U);
}

TEST(ReplayTest, TheTurnsOfASessionAreOpenedInTheirOrder) {
  StoryChain chain;
  chain.Write(TurnStory(std::string(test::kStoryContract), 2));
  chain.Write(TurnStory(std::string(test::kStoryContract), 1));

  EXPECT_EQ(Findings(ReplayOf(chain, "r1")), (std::vector<std::string>{"sequence ORDERING"}));
}

TEST(ReplayTest, ATraceSaysWhatHappened) {
  StoryChain chain;
  const TurnStory story;
  chain.Write(story);
  chain.Close();

  const auto trace = ReplayTrace(chain.chain.folder.path(), TenantId("acme"), story.turn.value());
  ASSERT_TRUE(trace) << trace.error().message();
  const json::object& turn = trace->at("turns").at(0).as_object();
  EXPECT_EQ(turn.at("gates").at(5),
            *ParseJson(R"({"gate":"domain","verdict":"admit","reason":"allowed_by_rule"})"));
  EXPECT_EQ(turn.at("rules").at(0).at("verdict").as_string(), "passed");
  EXPECT_EQ(turn.at("end").at("outcome").as_string(), "commit");
  EXPECT_EQ(turn.at("events").as_array().size(), 2U);
  EXPECT_EQ(turn.at("replay").at("status").as_string(), "reproduced");
}

TEST(ReplayTest, AnExpectedDivergencePassesOnlyWhenItComes) {
  TurnStory story;
  ChangePlan(story, [](auto& plan) { plan.budgets.edge_ms = 7; });
  const auto expected = ExpectedDivergence::Parse("PLAN:plan.budgets");
  ASSERT_TRUE(expected);

  EXPECT_EQ(ReplayOf(story, {.expected = {*expected}}).status(), ReplayStatus::kExpected);
  const ReplayReport lacking = ReplayOf(TurnStory(), {.expected = {*expected}});
  EXPECT_EQ(lacking.status(), ReplayStatus::kDiverged);
  EXPECT_EQ(lacking.not_seen, (std::vector<std::string>{"PLAN:plan.budgets"}));
}

TEST(ReplayTest, SomeDivergencesNobodyCanAnnounce) {
  for (const char* text :
       {"AUTHORITY:gate.lease", "TIMING:attempt.1", "NEVER:plan", "PLAN", "PLAN:", ""}) {
    const auto parsed = ExpectedDivergence::Parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST(ReplayTest, APauseWithinTheToleranceIsTheSame) {
  TurnStory story;
  ChangeResult(story, [](auto& r) { r.attempts[0].backoff = std::chrono::milliseconds(15); });
  EXPECT_EQ(Findings(ReplayOf(story)), std::vector<std::string>());
  EXPECT_EQ(Findings(ReplayOf(story, {.timing_tolerance = std::chrono::milliseconds(10)})),
            (std::vector<std::string>{"attempt.1 TIMING"}));
}

TEST(ReplayTest, WhatNobodyRecordedIsNotFound) {
  StoryChain chain;
  chain.Write(TurnStory());
  auto reader = chain.Reader();

  const auto unknown = ReplayNamed(reader, TenantId("acme"), {.id = "nobody"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code(), ErrorCode::kNotFound);
  const auto empty = ReplayNamed(reader, TenantId("acme"), {.id = ""});
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace falconer::engine
