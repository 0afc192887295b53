// Replay of what a real runtime recorded.

#include "engine/replay/replay.h"

#include "engine/replay/replay_trace.h"
#include "tests/support/runtime_bench.h"
#include "tests/support/test_chain.h"

namespace falconer::test {
namespace {

std::string Contract(int step, std::string_view action, std::string_view more = "") {
  return R"({"workflow_id": "w1", "run_id": "run7", "step_index": )" + std::to_string(step) +
         R"(, "action_spec": )" + std::string(action) + std::string(more) + "}";
}

std::string Navigate(const std::string& url) {
  return R"({"action_type": "navigate", "url": ")" + url + R"("})";
}

TempDir NewData() {
  return TempDir::Create("falconer-replay-test-").value();
}

std::string Shop(BrowserFixture& t) {
  t.site.Serve("/shop",
               "<title>Shop</title><h1>Shop</h1><input id=name><ul><li>a<li>b</ul>"
               "<button id=buy onclick=\"document.cookie='paid=yes'; fetch('/effect', {method: "
               "'POST', body: JSON.stringify({name: 'bought'})}).then(() => done.textContent = "
               "'Thank you')\">Buy</button><output id=done></output>");
  return t.site.Url("/shop");
}

constexpr std::string_view kBuy = R"({"action_type": "click", "selector": "#buy"})";
// One rule of many kinds, before and after.
constexpr std::string_view kChecked = R"(,
  "preconditions": [{"rule_type": "element_present", "selector": "#buy", "state": "enabled"}],
  "wait_conditions": [{"kind": "text", "text": "Thank you"}],
  "expected_postconditions": [
    {"rule_type": "text_state", "selector": "#done", "expected": "Thank you"},
    {"rule_type": "network_status", "method": "POST", "url_pattern": "/effect"},
    {"rule_type": "cookie", "name": "paid", "expected": "yes"},
    {"rule_type": "count", "selector": "li", "op": "eq", "n": 2}],
  "verification_rules": [
    {"rule_type": "console_clean"}, {"rule_type": "no_new_errors", "severity": "soft"},
    {"rule_type": "url_pattern", "pattern": "**/shop"}],
  "deadline_unix_ms": 4000000000000)";
constexpr std::string_view kNeverThere = R"(,
  "retry": {"max_attempts": 1},
  "expected_postconditions": [{"rule_type": "text_state", "selector": "#done", "expected": "Never"}])";

// What a run of several turns leaves behind: three that succeed, one of them with derived guards,
// one whose postcondition fails, two refusals.
Task<void> MakeRun(BrowserFixture* t, std::filesystem::path data) {
  RuntimeBench bench(*t, data);
  const auto there = co_await bench.Execute(Contract(0, Navigate(Shop(*t))));
  EXPECT_TRUE(there.success) << json::serialize(there.ToJson());
  const auto bought = co_await bench.Execute(Contract(1, kBuy, kChecked));
  EXPECT_TRUE(bought.success) << json::serialize(bought.ToJson());
  const auto filled = co_await bench.Execute(
      Contract(2, R"({"action_type": "fill", "selector": "#name", "text": "Ann"})"));
  EXPECT_TRUE(filled.success) << json::serialize(filled.ToJson());
  const auto failed = co_await bench.Execute(Contract(3, kBuy, kNeverThere));
  EXPECT_TRUE(failed.failure && failed.failure->code == ErrorCode::kPostconditionFailed)
      << json::serialize(failed.ToJson());
  const auto blocked = co_await bench.Execute(Contract(4, Navigate("http://10.0.0.1/")));
  EXPECT_TRUE(blocked.failure && blocked.failure->code == ErrorCode::kSecurityDomainBlock);
  const auto broken = co_await bench.Execute(Contract(5, kBuy, R"(, "surprise": 1)"));
  EXPECT_TRUE(broken.failure && broken.failure->code == ErrorCode::kInvalidContract);
  co_await bench.Stop();
}

ledger::ChainReader ReaderOf(const std::filesystem::path& data) {
  return ledger::ChainReader::Open(ledger::ChainPaths::Of(data, TenantId("acme")).folder).value();
}

engine::ReplayReport ReplayOf(const std::filesystem::path& data, const std::string& id) {
  auto reader = ReaderOf(data);
  auto report = engine::ReplayNamed(reader, TenantId("acme"), {.id = id});
  EXPECT_TRUE(report) << (report ? "" : report.error().message());
  return report.value_or(engine::ReplayReport());
}

BROWSER_TEST(ReplayOfARunTest, EveryDecisionIsReproduced) {
  const TempDir data = NewData();
  co_await MakeRun(&t, data.path());

  const auto run = ReplayOf(data.path(), "run7");
  EXPECT_EQ(run.status(), engine::ReplayStatus::kReproduced) << json::serialize(run.ToJson());
  EXPECT_EQ(run.found_by, "run");
  EXPECT_EQ(run.turns.size(), 5u) << "what cannot be read belongs to no run";
  // The workflow is known of what could not be read, too.
  const auto workflow = ReplayOf(data.path(), "w1");
  EXPECT_EQ(workflow.status(), engine::ReplayStatus::kReproduced)
      << json::serialize(workflow.ToJson());
  EXPECT_EQ(workflow.turns.size(), 6u);
  const auto trace = engine::ReplayTrace(data.path(), TenantId("acme"), "run7");
  EXPECT_TRUE(trace && trace->at("turns").as_array().size() == 5u);
}

// Writes every record again with one changed, so that the chain itself is as it should be.
void CopyChanged(const std::filesystem::path& from, TestChain& into,
                 const std::function<void(json::object&)>& change) {
  auto reader = ReaderOf(from);
  const std::uint64_t last = reader.LastSeq().value();
  const auto writer = into.Writer();
  for (std::uint64_t seq = 1; seq <= last; ++seq) {
    const auto record = reader.At(seq).value();
    auto payload = ParseJsonObject(record.view().fields.payload).value();
    change(payload);
    EXPECT_TRUE(
        into.Run(writer->Append({record.view().fields.kind, CanonicalJson(payload).value()})));
  }
}

// The first observation of a turn's rules becomes another, under a digest of its own.
void ChangeObservation(json::object& payload) {
  if (!payload.contains("end") || TextAt(payload, "failure_code") != "POSTCONDITION_FAILED") return;
  auto result = model::ActionExecutionResult::FromJson(payload.at("result")).value();
  result.verification->outcomes[0].observed =
      json::object{{"matches", 1}, {"texts", json::array{"Never"}}};
  result.evidence_digest = result.EvidenceDigest().value();
  payload["result"] = result.ToJson();
}

BROWSER_TEST(ReplayOfARunTest, AnotherObservationDiverges) {
  const TempDir data = NewData();
  co_await MakeRun(&t, data.path());
  TestChain copy;
  CopyChanged(data.path(), copy, ChangeObservation);

  const auto run = ReplayOf(copy.folder.path(), "run7");
  std::vector<std::string> diverged;
  for (const auto& turn : run.turns) {
    for (const auto& check : turn.checks) {
      if (check.status != engine::ReplayStatus::kReproduced) diverged.push_back(check.decision);
    }
  }
  EXPECT_EQ(diverged, std::vector<std::string>{"rule.1"}) << json::serialize(run.ToJson());
}

// What may not be on the click's way is small.
BROWSER_TEST(ReplayOfARunTest, RecordsAreCompact) {
  const TempDir data = NewData();
  {
    RuntimeBench bench(t, data.path());
    co_await bench.Execute(Contract(0, Navigate(Shop(t))));
    for (int step = 1; step <= 3; ++step) co_await bench.Execute(Contract(step, kBuy));
    co_await bench.Stop();
  }
  auto reader = ReaderOf(data.path());
  std::size_t snapshots = 0;
  for (std::uint64_t seq = 1; seq <= reader.LastSeq().value(); ++seq) {
    const auto record = reader.At(seq).value();
    if (record.view().fields.kind == ledger::RecordKind::kSnapshot) ++snapshots;
    EXPECT_LT(record.bytes().size(), 7000u) << record.view().fields.payload;
  }
  EXPECT_EQ(snapshots, 1u) << "what stays the same is written once";
}

}  // namespace
}  // namespace falconer::test
