// Reading a page is governed as an action that reads is, though it is no turn.

#include "engine/look.h"

#include "tests/support/control_bench.h"

namespace falconer::test {
namespace {

const WorkflowId kWorkflow("w1");

template <typename T>
Result<void> OnlyWhether(const Result<T>& looked) {
  if (!looked) return std::unexpected(looked.error());
  return {};
}

// Every way to look, by its name.
Task<std::map<std::string, Result<void>>> LookEveryWay(CallContext ctx, ControlBench& test,
                                                       engine::Caller caller) {
  engine::Look look(test.bench.runtime(), std::move(caller));
  std::map<std::string, Result<void>> out;
  out["state"] = OnlyWhether(co_await look.State(ctx, kWorkflow, {}));
  out["since"] = OnlyWhether(co_await look.Since(ctx, kWorkflow, TabId(), "none"));
  out["last"] = OnlyWhether(co_await look.Last(ctx, kWorkflow));
  out["find"] = OnlyWhether(co_await look.Find(ctx, kWorkflow, TabId(), "Store", 5));
  out["describe"] = OnlyWhether(co_await look.Describe(ctx, kWorkflow, model::Target()));
  out["tabs"] = OnlyWhether(co_await look.Tabs(ctx, kWorkflow));
  out["network"] = OnlyWhether(co_await look.Network(ctx, kWorkflow, {}));
  out["console"] = OnlyWhether(co_await look.Console(ctx, kWorkflow, {}));
  co_return out;
}

Task<void> ExpectEveryLook(CallContext ctx, ControlBench& test, engine::Caller caller,
                           ErrorCode code) {
  const auto looked = co_await LookEveryWay(std::move(ctx), test, std::move(caller));
  for (const auto& [name, result] : looked) {
    EXPECT_EQ(CodeOf(result), code) << name << ": " << Why(result);
    if (!result) EXPECT_TRUE(result.error().details().contains("denial_id")) << name;
  }
}

std::uint64_t RecordsOf(ControlBench& test) {
  const auto paths = ledger::ChainPaths::Of(test.data.path(), TenantId("acme"));
  return ledger::ChainReader::Open(paths.folder).value().LastSeq().value();
}

json::object LastRecordOf(ControlBench& test) {
  const auto paths = ledger::ChainPaths::Of(test.data.path(), TenantId("acme"));
  auto reader = ledger::ChainReader::Open(paths.folder).value();
  const auto record = reader.At(reader.LastSeq().value()).value();
  return ParseJsonObject(record.view().fields.payload).value();
}

BROWSER_TEST(LookTest, WhoMayReadReadsAndLeavesNoRecord) {
  ControlBench test(t);
  co_await test.OpenStore();
  const std::uint64_t before = RecordsOf(test);

  const auto looked = co_await LookEveryWay(t.ctx, test, test.bench.control().Caller());

  for (const auto& [name, result] : looked) EXPECT_TRUE(result) << name << ": " << Why(result);
  EXPECT_EQ(RecordsOf(test), before);
  co_await test.bench.Stop();
}

BROWSER_TEST(LookTest, ATokenThatIsRevokedOrLacksReadReadsNothing) {
  ControlBench test(t);
  ControlKit& kit = test.bench.control();
  co_await test.OpenStore();
  const engine::Caller revoked = kit.Caller("acme", "revoked");
  co_await kit.Revoke("revoked");
  const engine::Caller blind =
      kit.CallerWith("acme", "tester", {.capabilities = {model::Capability::kInteract}});

  co_await ExpectEveryLook(t.ctx, test, revoked, ErrorCode::kTokenRevoked);
  co_await ExpectEveryLook(t.ctx, test, blind, ErrorCode::kCapabilityMissing);
  co_await ExpectEveryLook(t.ctx, test, {.tenant = TenantId("acme"), .agent = "a", .token = ""},
                           ErrorCode::kTokenInvalid);

  const json::object told = LastRecordOf(test);
  EXPECT_EQ(TextAt(told, "look"), "snapshot");
  EXPECT_EQ(TextAt(told, "gate"), "token");
  EXPECT_EQ(TextAt(told, "workflow"), "w1");
  EXPECT_EQ(told.at("decisions").as_array().size(), 2u) << json::serialize(told);
  co_await test.bench.Stop();
}

BROWSER_TEST(LookTest, WhileAllIsPausedNothingIsReadAndNoSessionOpened) {
  ControlBench test(t);
  co_await test.bench.control().Pause();

  co_await ExpectEveryLook(t.ctx, test, test.bench.control().Caller(), ErrorCode::kRuntimePaused);

  EXPECT_TRUE(test.bench.runtime().parts().sessions.List().empty());
  EXPECT_EQ(test.bench.leases().held(), 0u);
  co_await test.bench.Stop();
}

constexpr char kNothingIsRead[] = R"(
policy: {name: blind, version: "1"}
rules:
  - {name: act, when: {capability: {not_in: [READ]}}, then: allow}
)";

constexpr char kReadingIsAskedAbout[] = R"(
policy: {name: shy, version: "1"}
rules:
  - {name: read, when: {capability: READ}, then: {require_approval: {who: human}}}
)";

BROWSER_TEST(LookTest, ThePolicyDecidesAboutReadingToo) {
  ControlBench test(t);
  co_await test.OpenStore();
  const engine::Caller caller = test.bench.control().Caller();

  test.Govern(kNothingIsRead);
  co_await ExpectEveryLook(t.ctx, test, caller, ErrorCode::kPolicyDenied);
  test.Govern(kReadingIsAskedAbout);
  co_await ExpectEveryLook(t.ctx, test, caller, ErrorCode::kSecurityApprovalRequired);
  EXPECT_TRUE(test.bench.control().approvals().Pending().empty());
  co_await test.bench.Stop();
}

BROWSER_TEST(LookTest, APageThatIsAnotherOneNowIsAskedAboutAgain) {
  ControlBench test(t);
  co_await test.OpenStore();
  const engine::Caller of_page = test.bench.control().CallerWith(
      "acme", "tester",
      {.capabilities = kOrdinaryRights,
       .constraints =
           policy::ParseTokenConstraints(json::object{{"domains", {"127.0.0.1"}}}).value()});
  engine::Look look(test.bench.runtime(), of_page);
  const auto first = co_await look.State(t.ctx, kWorkflow, {});
  EXPECT_TRUE(first) << Why(first);

  t.site.Serve("/away", "<h1>Away</h1>");
  const auto gone = co_await test.bench.Execute(TurnStep(
      1, R"({"action_type": "navigate", "url": ")" + t.site.CrossSiteUrl("/away") + R"("})"));
  EXPECT_TRUE(gone.success) << json::serialize(gone.ToJson());
  const auto second = co_await look.State(t.ctx, kWorkflow, {});

  EXPECT_EQ(CodeOf(second), ErrorCode::kConstraintViolated) << Why(second);
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
