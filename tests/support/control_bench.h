#pragma once
// ControlBench: a runtime over a real browser and a small shop, for tests of what governs its
// turns: tokens, a policy and the people who are asked.

#include <string>
#include <utility>

#include "engine/replay/replay.h"
#include "tests/support/in_background.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {

// Enough to look, to go, to touch and to type, and for nothing that is sent.
inline constexpr model::CapabilitySet kOrdinaryRights = {
    model::Capability::kRead, model::Capability::kNavigate, model::Capability::kInteract,
    model::Capability::kWrite};

inline std::string TurnStep(int step, std::string_view action, std::string_view more = "") {
  return R"({"workflow_id": "w1", "step_index": )" + std::to_string(step) + R"(, "action_spec": )" +
         std::string(action) + std::string(more) + "}";
}

inline std::string ClickOn(std::string_view selector) {
  return R"({"action_type": "click", "selector": ")" + std::string(selector) + R"("})";
}

// A shop with a form that buys, a link that deletes, and a harmless button.
inline std::string ServeStore(BrowserFixture& t) {
  t.site.Serve("/store",
               "<h1>Store</h1><form method=post action=/effect><input name=name value=bought>"
               "<input id=note name=note><button id=buy>Buy now for $49.00</button></form>"
               "<a id=remove href='/effect?name=removed'>Delete account</a>"
               "<button id=more onclick=\"seen.textContent = 'more'\">Show more</button>"
               "<output id=seen></output>");
  return t.site.Url("/store");
}

struct ControlBench {
  explicit ControlBench(BrowserFixture& fixture, std::string_view yaml = "")
      : t(fixture), data(TempDir::Create("falconer-control-test-").value()), bench(t, data.path()) {
    if (!yaml.empty()) Govern(yaml);
  }

  // From now on this is the policy.
  void Govern(std::string_view yaml) {
    bench.control().policies.policy = kernel::AdmittedPolicy::Of(std::string(yaml)).value();
  }

  // The answer as it is, "" when there was none.
  Task<std::string> SendAs(engine::Caller caller, std::string contract, CancelToken cancel = {}) {
    const auto answer = co_await bench.runtime().Execute(
        t.ctx.WithTimeout(kLongPatience).WithCancel(std::move(cancel)), std::move(caller),
        ParseJson(contract).value());
    EXPECT_TRUE(answer) << Why(answer);
    co_return answer ? **answer : std::string();
  }
  Task<model::ActionExecutionResult> As(engine::Caller caller, std::string contract,
                                        CancelToken cancel = {}) {
    const std::string answer =
        co_await SendAs(std::move(caller), std::move(contract), std::move(cancel));
    co_return model::ActionExecutionResult::FromJson(ParseJson(answer).value()).value();
  }
  Task<model::ActionExecutionResult> As(model::CapabilitySet capabilities, std::string contract) {
    return As(bench.control().CallerWith("acme", "tester", {.capabilities = capabilities}),
              std::move(contract));
  }
  // What a replay says about a turn, run, workflow or action.
  engine::ReplayReport ReplayOf(const std::string& id) {
    const auto paths = ledger::ChainPaths::Of(data.path(), TenantId("acme"));
    auto reader = ledger::ChainReader::Open(paths.folder).value();
    auto report = engine::ReplayNamed(reader, TenantId("acme"), {.id = id});
    EXPECT_TRUE(report) << Why(report);
    return report.value_or(engine::ReplayReport());
  }
  Task<void> OpenStore() {
    const auto opened = co_await bench.Execute(
        TurnStep(0, R"({"action_type": "navigate", "url": ")" + ServeStore(t) + R"("})"));
    EXPECT_TRUE(opened.success) << json::serialize(opened.ToJson());
  }
  // The question that comes next.
  Task<model::ApprovalRequest> Asked() {
    Notifier news;
    const auto told = bench.control().approvals().on_changed().Subscribe([&] { news.NotifyAll(); });
    const auto asked = co_await news.Until(
        t.ctx.WithTimeout(kLongPatience),
        [&] { return !bench.control().approvals().Pending().empty(); }, "a question");
    EXPECT_TRUE(asked) << Why(asked);
    co_return asked ? bench.control().approvals().Pending().front() : model::ApprovalRequest();
  }
  Task<void> Answer(std::string id, model::ApprovalAnswer answer) {
    const auto decided = co_await bench.control().approvals().Decide(
        {.request_id = std::move(id), .answer = answer, .approver = "ann", .channel = "test"});
    EXPECT_TRUE(decided) << Why(decided);
  }

  BrowserFixture& t;
  TempDir data;
  RuntimeBench bench;
};

inline std::string FailureIn(const model::ActionExecutionResult& result) {
  return result.failure ? std::string(TraitsOf(result.failure->code).name) : "success";
}

inline constexpr char kAskBeforeBuying[] = R"(
policy: {name: ask-first, version: "1"}
rules:
  - name: ordinary
    when: {capability: {not_in: [PURCHASE, DELETE]}}
    then: allow
  - name: buying
    when: {capability: PURCHASE}
    then: {require_approval: {who: human, message: "${agent} buys for ${amount}"}}
)";

}  // namespace falconer::test
