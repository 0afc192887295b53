#include "engine/control/hold_keeper.h"

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_browser.h"
#include "tests/support/gate_tokens.h"
#include "tests/support/memory_approvals.h"
#include "tests/support/sample_approval.h"
#include "tests/support/settle.h"
#include "tests/support/store_bench.h"

namespace falconer::engine {
namespace {

using namespace std::chrono_literals;
using test::Settle;

// Records that do something while they are asked.
class MeddlingRecords final : public policy::TokenRecords {
 public:
  Task<Result<model::TokenStanding>> StandingOf(model::TokenName name) override {
    if (meanwhile) meanwhile();
    co_return co_await memory.StandingOf(std::move(name));
  }
  Task<Result<model::UseOutcome>> Consume(model::TokenUse use) override {
    return memory.Consume(std::move(use));
  }
  test::MemoryTokenRecords memory;
  std::function<void()> meanwhile;
};

// A session of a browser that only says what it is told, at a time of its own.
struct KeeperBench {
  explicit KeeperBench(const CallContext& real)
      : ctx(real.executor(), clock),
        fake(real.executor()),
        verifier({.default_tenant = TenantId("acme")}, key, clock),
        tokens(verifier, token_records),
        approval_records(clock),
        approvals(real.executor(), clock, approval_records, {.owner = "test:1"},
                  [this](TenantId, json::object event) -> Task<Result<void>> {
                    events.push_back(TextAt(event, "event"));
                    return Recorded();
                  }),
        store(store::SqliteStore::Open(folder.path() / "control.db", clock).value()),
        rates(*store),
        rule(std::make_shared<ControlRule>(nullptr, clock)),
        keeper(real.executor(), clock, {tokens, approvals, rates, redactor}, rule) {}

  static Task<Result<void>> Recorded() { co_return Result<void>(); }

  Task<void> Open() {
    auto attached = co_await fake.Attach(ctx);
    browser = *std::move(attached);
    browser::SessionOptions options;
    options.request_rule = rule;
    auto opened = co_await browser->NewSession(ctx, SessionId("s"), std::move(options));
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message());
    keeper.Follow(*std::move(opened));
  }
  // A turn under a token of a minute; what changes something is asked about from this risk on.
  void Begin(std::optional<model::RiskLevel> ask_from = std::nullopt) {
    const std::string token = test::IssueToken(verifier, key, clock, "acme", "tester",
                                               {.capabilities = test::EveryCapability()});
    ControlGrounds grounds;
    grounds.asker = {.tenant = TenantId("acme"), .agent_id = "tester", .turn = TurnId("s.t1")};
    grounds.action.type = model::ActionType::kClick;
    grounds.contract_digest = std::string(64, 'c');
    grounds.token = kernel::AdmittedToken::Of(verifier.Verify(token).value()).value();
    grounds.ask_from = ask_from;
    control = std::make_shared<TurnControl>(std::move(grounds), clock);
    keeper.Begin(control, {});
  }
  Task<void> Post(std::string id) {
    const json::object request{{"url", "http://a.test/save"},
                               {"method", "POST"},
                               {"headers", json::object()},
                               {"postDataEntries", json::array{{{"bytes", "YT0x"}}}}};
    fake.peer().Event(fake.last_page(), "Fetch.requestPaused",
                      json::serialize(json::object{{"requestId", id},
                                                   {"request", request},
                                                   {"frameId", "f"},
                                                   {"resourceType", "XHR"},
                                                   {"networkId", "n-" + id}}));
    co_await Settle();
  }
  Task<void> Approve() {
    const auto decided =
        co_await approvals.Decide(test::Approving(approval_records.last_id, "ann"));
    EXPECT_TRUE(decided) << (decided ? "" : decided.error().message());
    co_await Settle();
  }
  std::size_t Sent() { return fake.peer().CountOf("Fetch.continueRequest"); }
  std::size_t Refused() { return fake.peer().CountOf("Fetch.failRequest"); }
  std::string FailureCode() const {
    return control->failure() ? std::string(control->failure()->name()) : "";
  }
  Task<void> Close() {
    co_await keeper.CallOff(Error(ErrorCode::kSessionClosed, "over"));
    co_await approvals.Stop();
    co_await browser->Close(ctx);
  }

  FakeClock clock;
  CallContext ctx;
  test::FakeBrowser fake;
  TempDir folder = TempDir::Create("falconer-test-").value();
  test::OneKey key;
  policy::TokenVerifier verifier;
  MeddlingRecords token_records;
  policy::TokenGuard tokens;
  test::MemoryApprovals approval_records;
  std::vector<std::string> events;
  ApprovalDesk approvals;
  std::unique_ptr<store::SqliteStore> store;
  kernel::RateBook rates;
  policy::Redactor redactor;
  std::shared_ptr<ControlRule> rule;
  std::unique_ptr<browser::Browser> browser;
  HoldKeeper keeper;
  std::shared_ptr<TurnControl> control;
};

CO_TEST(HoldKeeperTest, WhatAPageSendsAfterItsTurnLeavesUntilTheTokenIsOver) {
  KeeperBench bench(ctx);
  co_await bench.Open();
  bench.Begin();
  EXPECT_TRUE(co_await bench.keeper.Settled(bench.ctx));

  co_await bench.Post("in-force");
  EXPECT_EQ(bench.Sent(), 1U);
  bench.clock.Advance(89s);
  co_await bench.Post("within-the-skew");
  EXPECT_EQ(bench.Sent(), 2U);
  bench.clock.Advance(2s);
  co_await bench.Post("over");

  EXPECT_EQ(bench.Sent(), 2U);
  EXPECT_EQ(bench.Refused(), 1U);
  EXPECT_EQ(bench.FailureCode(), "TOKEN_EXPIRED");
  co_await bench.Close();
}

CO_TEST(HoldKeeperTest, PeopleMayTakeLongerThanTheTokenLives) {
  KeeperBench bench(ctx);
  co_await bench.Open();
  bench.Begin(model::RiskLevel::kLow);
  co_await bench.Post("asked");
  bench.clock.Advance(9min);
  co_await bench.Approve();
  EXPECT_EQ(bench.Sent(), 1U) << bench.FailureCode();
  co_await bench.Close();
}

CO_TEST(HoldKeeperTest, ATokenThatIsRevokedMeanwhileLetsNothingGo) {
  KeeperBench bench(ctx);
  co_await bench.Open();
  bench.Begin(model::RiskLevel::kLow);
  co_await bench.Post("asked");
  bench.token_records.memory.revoked = model::Revocation::kToken;
  co_await bench.Approve();

  EXPECT_EQ(bench.Sent(), 0U);
  EXPECT_EQ(bench.Refused(), 1U);
  EXPECT_EQ(bench.FailureCode(), "TOKEN_REVOKED");
  EXPECT_EQ(bench.events.back(), "unused");
  const json::object& ruling = bench.control->rulings().at(0).as_object();
  EXPECT_EQ(TextAt(ruling.at("end").as_object(), "code"), "TOKEN_REVOKED");
  co_await bench.Close();
}

CO_TEST(HoldKeeperTest, WhatIsCalledOffInTheLastMomentDoesNotLeave) {
  KeeperBench bench(ctx);
  co_await bench.Open();
  CancelSource session;
  bench.keeper.EndWith({session.token()});
  bench.Begin(model::RiskLevel::kLow);
  co_await bench.Post("asked");
  bench.token_records.meanwhile = [&] {
    session.Cancel(Error(ErrorCode::kStaleEpoch, "the lease is lost"));
  };
  co_await bench.Approve();
  EXPECT_EQ(bench.Sent(), 0U);
  EXPECT_EQ(bench.Refused(), 1U);
  EXPECT_EQ(bench.FailureCode(), "STALE_EPOCH");
  co_await bench.Close();
}

CO_TEST(HoldKeeperTest, WhatIsAskedAfterATurnEndsWithItsSession) {
  KeeperBench bench(ctx);
  co_await bench.Open();
  CancelSource session;
  bench.keeper.EndWith({session.token()});
  bench.Begin(model::RiskLevel::kLow);
  EXPECT_TRUE(co_await bench.keeper.Settled(bench.ctx));
  co_await bench.Post("late");
  EXPECT_EQ(bench.approvals.Pending().size(), 1U);
  session.Cancel(Error(ErrorCode::kStaleEpoch, "the lease is lost"));
  co_await Settle();
  EXPECT_TRUE(bench.approvals.Pending().empty());
  EXPECT_EQ(bench.Sent(), 0U);
  EXPECT_EQ(bench.Refused(), 1U);
  co_await bench.Close();
}

CO_TEST(HoldKeeperTest, AStreamIsNotPutToPeople) {
  KeeperBench bench(ctx);
  co_await bench.Open();
  bench.Begin(model::RiskLevel::kLow);
  const json::object request{{"url", "http://a.test/save"},
                             {"method", "POST"},
                             {"headers", json::object()},
                             {"postDataEntries", json::array{json::object()}}};
  bench.fake.peer().Event(bench.fake.last_page(), "Fetch.requestPaused",
                          json::serialize(json::object{{"requestId", "stream"},
                                                       {"request", request},
                                                       {"frameId", "f"},
                                                       {"resourceType", "XHR"},
                                                       {"networkId", "n"}}));
  co_await Settle();
  EXPECT_TRUE(bench.approval_records.records.empty());
  EXPECT_EQ(bench.Refused(), 1U);
  EXPECT_EQ(TextAt(bench.control->failure()->details(), "reason"), "body_cannot_be_read");
  co_await bench.Close();
}

}  // namespace
}  // namespace falconer::engine
