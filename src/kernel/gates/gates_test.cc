#include <algorithm>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "kernel/gates/capacity_gate.h"
#include "kernel/gates/lease_gate.h"
#include "kernel/gates/standard_gates.h"
#include "store/sqlite_store.h"
#include "tests/support/co_test.h"
#include "tests/support/gate_tokens.h"
#include "tests/support/turn_fakes.h"

namespace falconer::kernel {
namespace {

using namespace std::chrono_literals;
using model::DecisionKind;

class FakeContract final : public ContractCheck {
 public:
  Result<void> CheckContract(const GateInput&) const override {
    if (is_valid) return {};
    return Fail(ErrorCode::kInvalidContract, "contract.action: is required");
  }
  bool is_valid = true;
};

class FakeLeases final : public LeaseView {
 public:
  std::optional<LeaseStatus> LeaseOf(const SessionId&) const override { return lease; }
  std::optional<LeaseStatus> lease;
};

class FakeRules final : public DomainRulesSource {
 public:
  std::shared_ptr<const policy::DomainRules> RulesFor(const TenantId&) const override {
    return rules;
  }
  std::shared_ptr<const policy::DomainRules> rules =
      std::make_shared<policy::DomainRules>(*policy::DomainRules::Parse(
          *ParseJson(R"({"navigate":{"allow":["a.test"],"deny":["b.test"]}})")));
};

class NoPolicy final : public PolicySource {
 public:
  std::shared_ptr<const AdmittedPolicy> PolicyFor(const TenantId&) override { return nullptr; }
};

struct GateFixture {
  explicit GateFixture(const CallContext& ctx) : watch(ctx.executor(), clock, *store) {
    leases.lease = {.epoch = 7, .is_granted = true, .expires = clock.Now() + 5min};
    ShowToken();
  }
  // One that is good from now on.
  void ShowToken() {
    input.token =
        test::IssueToken(verifier, key, clock, "a", "x", {.capabilities = test::EveryCapability()});
  }

  GateList Gates() {
    return StandardGates({.clock = clock,
                          .contract = contract,
                          .tokens = tokens,
                          .rules = rules,
                          .policies = policies,
                          .pauses = *store,
                          .pause_watch = watch,
                          .quotas = *store,
                          .quota = {},
                          .rates = rate_book,
                          .breakers = *store,
                          .breaker = {},
                          .owner = "me",
                          .epochs = guard,
                          .load = meter});
  }
  // The reasons on record, with a "-" before those that refused.
  std::vector<std::string> Record() const {
    std::vector<std::string> words;
    for (const auto& decision : sink.decisions) {
      const bool is_admit = decision.kind == DecisionKind::kAdmit;
      words.push_back((is_admit ? "" : "-") + decision.gate + ":" + decision.reason);
      const auto valid = decision.Validate();
      EXPECT_TRUE(valid) << Describe(valid.error());
    }
    return words;
  }

  TempDir folder = TempDir::Create("falconer-gates-test-").value();
  FakeClock clock;
  std::unique_ptr<store::SqliteStore> store =
      store::SqliteStore::Open(folder.path() / "control.db", clock).value();
  FakeContract contract;
  FakeLeases leases;
  FakeRules rules;
  NoPolicy policies;
  RateBook rate_book{*store};
  test::OneKey key;
  test::MemoryTokenRecords records;
  policy::TokenVerifier verifier{{.default_tenant = TenantId("a")}, key, clock};
  policy::TokenGuard tokens{verifier, records};
  PauseWatch watch;
  EpochGuard guard{leases, clock};
  LoadMeter meter{clock, {.running = 2, .running_per_tenant = 1, .queued = 2}};
  EventStamper stamper{SessionId("s"), "p1", clock};
  test::RecordingSink sink;
  Admission admission;
  GateInput input{.tenant = TenantId("a"),
                  .workflow = WorkflowId("w"),
                  .agent = "x",
                  .session = SessionId("s"),
                  .action = model::ActionType::kNavigate,
                  .use = "contract-1",
                  .navigate_url = "https://a.test/",
                  .admission = &admission};
};

Task<Verdict> Run(GateFixture* f, CallContext ctx) {
  const GateList list = f->Gates();
  Verdict verdict = co_await RunGates(ctx, &list, &f->input, &f->stamper, &f->sink);
  co_return verdict;
}

CO_TEST(GatesTest, AdmitsInOrderAndHandsOverWhatItTook) {
  GateFixture f(ctx);
  const Verdict verdict = co_await Run(&f, ctx);

  EXPECT_TRUE(verdict.is_admit()) << verdict.reason;
  EXPECT_EQ(f.Record(),
            (std::vector<std::string>{
                "pause:not_paused", "contract:contract_valid", "token:token_in_force",
                "capability:capability_granted", "constraint:within_constraints",
                "domain:allowed_by_rule", "risk:no_policy", "quota:quota_available",
                "rate:nothing_to_count", "breaker:circuit_closed", "lease:lease_authorized",
                "capacity:capacity_available", "use:may_be_used"}));
  EXPECT_EQ(f.admission.epoch, 7);
  EXPECT_EQ(f.meter.running(), 1U);
  f.admission = {};
  EXPECT_EQ(f.meter.running(), 0U) << "the place goes back with the admission";
  co_await f.watch.Stop();
}

CO_TEST(GatesTest, StopsAtTheFirstRefusalAndRecordsIt) {
  struct Row {
    void (*change)(GateFixture&);
    DecisionKind kind;
    ErrorCode code;
    const char* record;
  };
  const Row rows[] = {
      {[](GateFixture& f) { f.contract.is_valid = false; }, DecisionKind::kReject,
       ErrorCode::kInvalidContract, "-contract:contract_invalid"},
      {[](GateFixture& f) { f.input.navigate_url = "https://c.test/"; }, DecisionKind::kReject,
       ErrorCode::kSecurityDomainBlock, "-domain:no_allow_rule"},
      {[](GateFixture& f) {
         f.input.navigate_url.clear();
         f.input.page_url = "https://b.test/";
       },
       DecisionKind::kReject, ErrorCode::kSecurityDomainBlock, "-domain:denied_by_rule"},
      {[](GateFixture& f) { f.input.epoch = 6; }, DecisionKind::kStaleEpochReject,
       ErrorCode::kStaleEpoch, "-lease:stale_epoch"},
      {[](GateFixture& f) { f.input.epoch = 8; }, DecisionKind::kReject,
       ErrorCode::kInvalidContract, "-lease:invalid_input"},
      {[](GateFixture& f) { f.leases.lease.reset(); }, DecisionKind::kDeauthorizedDrain,
       ErrorCode::kSessionLeaseNotAcquired, "-lease:deauthorized"},
      {[](GateFixture& f) {
         f.clock.Advance(5min);
         f.ShowToken();
       },
       DecisionKind::kDeauthorizedDrain, ErrorCode::kSessionLeaseNotAcquired,
       "-lease:deauthorized"},
  };
  for (const Row& row : rows) {
    GateFixture f(ctx);
    row.change(f);
    const Verdict verdict = co_await Run(&f, ctx);
    EXPECT_EQ(verdict.kind, row.kind) << row.record;
    EXPECT_TRUE(verdict.error && verdict.error->code() == row.code) << row.record;
    EXPECT_EQ(f.Record().back(), row.record);
    EXPECT_EQ(f.meter.running(), 0U) << "a refusal must not keep a place";
    co_await f.watch.Stop();
  }
}

CO_TEST(GatesTest, AFullNodeDefersAndSaysWhenToAskAgain) {
  GateFixture f(ctx);
  const auto own = f.meter.TryRun(TenantId("a"));
  const Verdict tenant = co_await Run(&f, ctx);
  const auto other = f.meter.TryRun(TenantId("b"));
  const Verdict full = co_await Run(&f, ctx);
  const auto waiting = f.meter.TryQueue(TenantId("b"));
  const auto waiting_too = f.meter.TryQueue(TenantId("b"));
  const Verdict overrun = co_await Run(&f, ctx);

  EXPECT_EQ(tenant.kind, DecisionKind::kDefer);
  EXPECT_EQ(tenant.reason, "capacity_tenant_limit");
  EXPECT_EQ(full.reason, "capacity_running_limit");
  EXPECT_TRUE(full.retry_after && *full.retry_after >= 50ms);
  EXPECT_EQ(overrun.kind, DecisionKind::kReject);
  EXPECT_EQ(overrun.reason, "capacity_queue_limit");
  EXPECT_TRUE(overrun.error && overrun.error->is_retryable());
  const auto deferred =
      std::ranges::find(f.sink.decisions, "capacity", &model::DecisionOutcome::gate);
  EXPECT_EQ(deferred->retry_after_ms, tenant.retry_after->count());
  co_await f.watch.Stop();
}

CO_TEST(GatesTest, ACallThatIsNoLongerWantedIsRejected) {
  GateFixture f(ctx);
  CancelSource cancel;
  cancel.Cancel(Error(ErrorCode::kCancelled, "gave up"));
  const Verdict verdict = co_await Run(&f, ctx.WithCancel(cancel.token()));

  EXPECT_EQ(verdict.reason, "no_longer_wanted");
  EXPECT_EQ(f.Record(), std::vector<std::string>{"-pause:no_longer_wanted"});
  co_await f.watch.Stop();
}

CO_TEST(GatesTest, AnActionBeforeThereIsAPageIsAdmitted) {
  GateFixture f(ctx);
  f.input.navigate_url.clear();
  const Verdict blank = co_await Run(&f, ctx);
  EXPECT_TRUE(blank.is_admit());
  f.admission = {};
  f.input.page_url = "about:blank";
  const Verdict empty = co_await Run(&f, ctx);
  EXPECT_TRUE(empty.is_admit());
  co_await f.watch.Stop();
}

CO_TEST(GateListTest, EveryRowHasOneGateAndEveryGateARow) {
  GateFixture f(ctx);
  EXPECT_EQ(f.Gates().gates().size(), GateOrder().size());
  std::vector<std::unique_ptr<Gate>> few;
  few.push_back(std::make_unique<LeaseGate>(f.guard));

  const auto without = GateList::Create(std::move(few));

  EXPECT_FALSE(without);
  if (!without) EXPECT_EQ(without.error().message(), "gate pause is missing");
  co_await f.watch.Stop();
}

TEST(GateListTest, EveryPositionHasAReason) {
  for (const GateRow& row : GateOrder()) EXPECT_GT(row.why_here.size(), 20U) << row.name;
  EXPECT_EQ(GateOrder().back().name, "use");
}

TEST(LoadMeterTest, LearnsHowLongTurnsTake) {
  FakeClock clock;
  LoadMeter meter(clock, {.running = 1, .running_per_tenant = 1, .queued = 10});
  const auto before = meter.RetryAfter();
  for (int i = 0; i < 40; ++i) {
    const auto place = meter.TryRun(TenantId("a"));
    ASSERT_TRUE(place);
    clock.Advance(4s);
  }
  EXPECT_GT(meter.RetryAfter(), before);
  EXPECT_NEAR(static_cast<double>(meter.RetryAfter().count()), 4000, 100);
  const auto waiting = meter.TryQueue(TenantId("a"));
  EXPECT_NEAR(static_cast<double>(meter.RetryAfter().count()), 8000, 200);
}

TEST(LoadMeterTest, AMovedPermitGivesItsPlaceBackOnce) {
  FakeClock clock;
  LoadMeter meter(clock, {});
  LoadPermit held;
  {
    auto place = meter.TryRun(TenantId("a"));
    ASSERT_TRUE(place);
    held = *std::move(place);
  }
  EXPECT_EQ(meter.running(TenantId("a")), 1U);
  held = LoadPermit();
  EXPECT_EQ(meter.running(), 0U);
  EXPECT_EQ(meter.running(TenantId("a")), 0U);
}

// A replay has nothing but the facts on record.
CO_TEST(GatesTest, TheFactsOnRecordGiveTheSameVerdictAgain) {
  for (const std::int64_t left_ms : {60'000, 0}) {
    GateFixture f(ctx);
    f.leases.lease->expires = f.clock.Now() + std::chrono::milliseconds(left_ms);
    const auto held = f.meter.TryRun(TenantId("a"));
    co_await Run(&f, ctx);
    for (const auto& decision : f.sink.decisions) {
      const json::object recorded = ParseJsonObject(json::serialize(decision.facts)).value();
      std::optional<Verdict> again;
      if (decision.gate == "domain") {
        const auto facts = DomainFacts::FromJson(recorded);
        EXPECT_TRUE(facts && facts->rules == f.rules.rules->digest());
        if (facts) again = DecideDomain(*f.rules.rules, *facts);
      } else if (decision.gate == "lease") {
        const auto facts = LeaseFacts::FromJson(recorded);
        EXPECT_TRUE(facts) << json::serialize(decision.facts);
        if (facts) again = VerdictOf(EpochVerdict::Of(*facts), decision.session);
      } else if (decision.gate == "capacity") {
        const auto numbers = LoadNumbers::FromJson(recorded);
        EXPECT_TRUE(numbers) << json::serialize(decision.facts);
        if (numbers) again = VerdictOf(*numbers, decision.tenant);
      }
      if (!again) continue;
      EXPECT_EQ(again->kind, decision.kind) << decision.gate;
      EXPECT_EQ(again->reason, decision.reason);
      EXPECT_EQ(again->retry_after.has_value(), decision.retry_after_ms.has_value());
    }
    co_await f.watch.Stop();
  }
}

TEST(GatesTest, AnAddressThatWasCutIsNoFact) {
  const DomainFacts facts{.navigate_url = "https://a.test/" + std::string(kMaxFactUrl, 'x'),
                          .page_url = "https://a.test/",
                          .rules = "r"};
  const json::object recorded = facts.ToJson();
  EXPECT_LT(json::serialize(recorded).size(), kMaxFactUrl + 200);
  const auto read = DomainFacts::FromJson(recorded);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::kNotFound);
}

TEST(GatesTest, FactsThatNoGateWritesAreRefused) {
  for (const char* text :
       {R"({})",
        R"({"running":-1,"running_of_tenant":0,"queued":0,"limits":[1,1,1],"average_ns":0})",
        R"({"running":1,"running_of_tenant":0,"queued":0,"limits":[1,1],"average_ns":0})",
        R"({"running":1,"running_of_tenant":0,"queued":0,"limits":[1,1,"x"],"average_ns":0})"}) {
    EXPECT_FALSE(LoadNumbers::FromJson(ParseJsonObject(text).value())) << text;
  }
  EXPECT_FALSE(LeaseFacts::FromJson(ParseJsonObject(R"({"known":true,"epoch":1})").value()));
  EXPECT_FALSE(DomainFacts::FromJson(ParseJsonObject(R"({"page_url":"https://a/"})").value()));
}

}  // namespace
}  // namespace falconer::kernel
