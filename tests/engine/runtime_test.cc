// The whole spine over a real browser: admitted, frozen, carried out, verified, sealed.

#include <csignal>
#include <sys/resource.h>

#include "ledger/verifier.h"
#include "tests/support/in_background.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {
namespace {

std::string Contract(int step, std::string_view action, std::string_view more = "") {
  return R"({"workflow_id": "w1", "step_index": )" + std::to_string(step) + R"(, "action_spec": )" +
         std::string(action) + std::string(more) + "}";
}

std::string Navigate(const std::string& url) {
  return R"({"action_type": "navigate", "url": ")" + url + R"("})";
}

std::optional<ErrorCode> CodeOf(const model::ActionExecutionResult& result) {
  return result.failure ? std::optional(result.failure->code) : std::nullopt;
}

std::string Told(const model::ActionExecutionResult& result) {
  return json::serialize(result.ToJson());
}

TempDir NewData() {
  return TempDir::Create("falconer-runtime-test-").value();
}

// A page whose server counts what is bought.
std::string Shop(BrowserFixture& t) {
  t.site.Serve("/shop",
               "<h1>Shop</h1><button id=buy onclick=\"fetch('/effect', {method: 'POST', body: "
               "JSON.stringify({name: 'bought'})}).then(() => done.textContent = "
               "'Thank you')\">Buy</button><output id=done></output>");
  return t.site.Url("/shop");
}

constexpr std::string_view kBuy = R"({"action_type": "click", "selector": "#buy"})";
constexpr std::string_view kThanks =
    R"(, "wait_conditions": [{"kind": "text", "text": "Thank you"}])";

// What may have happened is not to be done again, whatever its code allows.
BROWSER_TEST(RuntimeTest, AClickThatAHangingPageSwallowsIsNotForRepeating) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  t.site.Serve("/hang", "<button id=hang onclick='for (;;) {}'>Hang</button>");

  co_await bench.Execute(Contract(0, Navigate(t.site.Url("/hang"))));
  const auto clicked =
      co_await bench.Execute(Contract(1, R"({"action_type": "click", "selector": "#hang"})",
                                      R"(, "timeout": {"execute_ms": 500, "total_ms": 1500})"));

  EXPECT_EQ(CodeOf(clicked), ErrorCode::kTimeout) << Told(clicked);
  EXPECT_TRUE(clicked.failure && !clicked.failure->retryable) << Told(clicked);
  EXPECT_TRUE(clicked.metadata.contains("may_have_acted")) << Told(clicked);
  co_await bench.Stop();
}

// While it lives no file of this process grows beyond so many bytes, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(std::uintmax_t bytes) : on_signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit small{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, on_signal_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*on_signal_)(int);
  rlimit before_{};
};

std::uintmax_t SegmentSize(const TempDir& data) {
  std::uintmax_t most = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data.path() / "ledger" / "acme")) {
    if (entry.path().extension() == ".seg") most = std::max(most, entry.file_size());
  }
  return most;
}

// As it comes when it may not be on record.
Task<Result<kernel::AnswerBytes>> Buy(RuntimeBench& bench, CallContext ctx) {
  return bench.runtime().Execute(std::move(ctx), bench.control().Caller(),
                                 ParseJson(Contract(1, kBuy, kThanks)).value());
}

BROWSER_TEST(RuntimeTest, WhatHappenedButCouldNotBeRecordedIsNotForRepeating) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  co_await bench.Execute(Contract(0, Navigate(Shop(t))));
  const CallContext ctx = t.ctx.WithTimeout(kLongPatience);
  t.site.Hold("/effect");
  InBackground buying(ctx.executor(), Buy(bench, ctx));
  EXPECT_TRUE(co_await t.site.UntilRequests(ctx, "/effect", 1));
  std::optional<FullDisk> full(SegmentSize(data));
  t.site.Release("/effect");

  const auto bought = co_await buying.Join();

  EXPECT_EQ(test::CodeOf(bought), ErrorCode::kOutcomeUnknown) << Why(bought);
  EXPECT_TRUE(!bought && !bought.error().is_retryable());
  full.reset();
  const auto again = co_await bench.Execute(Contract(1, kBuy, kThanks));
  EXPECT_EQ(CodeOf(again), ErrorCode::kOutcomeUnknown) << Told(again);
  EXPECT_EQ(t.site.EffectCount("bought"), 1u);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, WhatCouldNotBeAnnouncedDoesNotHappen) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  co_await bench.Execute(Contract(0, Navigate(Shop(t))));
  std::optional<FullDisk> full(SegmentSize(data));

  const auto bought = co_await Buy(bench, t.ctx.WithTimeout(kLongPatience));

  EXPECT_EQ(test::CodeOf(bought), ErrorCode::kIoError) << Why(bought);
  EXPECT_EQ(t.site.EffectCount("bought"), 0u);
  full.reset();
  EXPECT_TRUE((co_await bench.Execute(Contract(1, kBuy, kThanks))).success);
  EXPECT_EQ(t.site.EffectCount("bought"), 1u);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, ATurnIsCarriedOutAndSealed) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  const auto there = co_await bench.Execute(Contract(0, Navigate(Shop(t))));
  const auto bought = co_await bench.Execute(Contract(1, kBuy, kThanks));

  EXPECT_TRUE(there.success) << Told(there);
  EXPECT_TRUE(bought.success) << Told(bought);
  EXPECT_TRUE(bought.ledger && bought.ledger->seq > there.ledger->seq);
  EXPECT_EQ(bought.evidence_digest.size(), 64u);
  EXPECT_EQ(t.site.EffectCount("bought"), 1u);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, TheSameContractIsAnsweredWithTheSameBytes) {
  const TempDir data = NewData();
  const std::string shop = Shop(t);
  std::string first;
  {
    RuntimeBench bench(t, data.path(), "test:1");
    co_await bench.Execute(Contract(0, Navigate(shop)));
    first = co_await bench.Send(Contract(1, kBuy, kThanks));
    EXPECT_EQ(co_await bench.Send(Contract(1, kBuy, kThanks)), first);
    co_await bench.Stop();
  }
  RuntimeBench later(t, data.path(), "test:2");
  EXPECT_EQ(co_await later.Send(Contract(1, kBuy, kThanks)), first) << "also after a restart";
  EXPECT_EQ(t.site.EffectCount("bought"), 1u);
  co_await later.Stop();
}

constexpr std::size_t kClients = 32;
constexpr std::size_t kDuplicates = 1000;

// One client: sends the contract until all together have sent enough.
Task<void> SendInto(RuntimeBench* bench, std::string contract, std::size_t* sent,
                    std::vector<std::string>* answers) {
  while ((*sent)++ < kDuplicates) answers->push_back(co_await bench->Send(contract));
}

BROWSER_TEST(RuntimeTest, AStormOfDuplicatesHasOneEffect) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  co_await bench.Execute(Contract(0, Navigate(Shop(t))));
  std::vector<std::string> answers;
  TaskScope tasks(t.ctx.executor());
  std::size_t sent = 0;
  for (std::size_t i = 0; i < kClients; ++i)
    tasks.Spawn("storm", SendInto(&bench, Contract(1, kBuy, kThanks), &sent, &answers));
  co_await tasks.Join();

  EXPECT_EQ(answers.size(), kDuplicates);
  EXPECT_TRUE(std::ranges::all_of(answers, [&](const auto& a) { return a == answers[0]; }));
  EXPECT_EQ(t.site.EffectCount("bought"), 1u);
  co_await bench.Stop();
}

Task<void> ExecuteInto(RuntimeBench* bench, std::string contract, CancelToken cancel,
                       std::optional<model::ActionExecutionResult>* result) {
  *result = co_await bench->Execute(std::move(contract), "acme", std::move(cancel));
}

BROWSER_TEST(RuntimeTest, RefusalsAreRecordedAndNeverCached) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  const auto broken = co_await bench.Execute(R"({"workflow_id": "w1", "surprise": 1})");
  const auto blocked = co_await bench.Execute(Contract(0, Navigate("http://10.0.0.1/")));
  const auto again = co_await bench.Execute(Contract(0, Navigate("http://10.0.0.1/")));

  EXPECT_EQ(CodeOf(broken), ErrorCode::kInvalidContract) << Told(broken);
  EXPECT_EQ(CodeOf(blocked), ErrorCode::kSecurityDomainBlock) << Told(blocked);
  EXPECT_TRUE(broken.ledger && blocked.ledger && again.ledger);
  if (blocked.ledger && again.ledger) EXPECT_LT(blocked.ledger->seq, again.ledger->seq);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, NothingLeavesOnceItWasCalledOff) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  co_await bench.Execute(Contract(0, Navigate(Shop(t))));
  t.site.Hold("/effect");
  CancelSource cancel;
  std::optional<model::ActionExecutionResult> result;
  TaskScope tasks(t.ctx.executor());
  tasks.Spawn("called off",
              ExecuteInto(&bench, Contract(1, kBuy, kThanks), cancel.token(), &result));
  const auto asked =
      co_await t.site.UntilRequests(t.ctx.WithTimeout(std::chrono::seconds(20)), "/effect", 1);
  EXPECT_TRUE(asked) << Why(asked);

  cancel.Cancel(Error(ErrorCode::kCancelled, "enough"));
  co_await tasks.Join();
  t.site.Release("/effect");

  EXPECT_TRUE(result && CodeOf(*result) == ErrorCode::kCancelled);
  if (!result) co_return;
  const json::value* fence = result->metadata.if_contains("fence");
  EXPECT_TRUE(fence != nullptr) << Told(*result);
  if (fence != nullptr) EXPECT_EQ(fence->at("left"), 0) << Told(*result);
  const auto again = co_await bench.Execute(Contract(1, kBuy, kThanks));
  EXPECT_EQ(Told(again), Told(*result)) << "what was called off has ended";
  EXPECT_LE(t.site.EffectCount("bought"), 1u);
  co_await bench.Stop();
}

// A purchase that has reached the shop and is not answered yet.
Task<void> BuyAndHold(BrowserFixture* t, RuntimeBench* bench, TaskScope* tasks,
                      std::optional<model::ActionExecutionResult>* result) {
  co_await bench->Execute(Contract(0, Navigate(Shop(*t))));
  t->site.Hold("/effect");
  tasks->Spawn("held", ExecuteInto(bench, Contract(1, kBuy, kThanks), {}, result));
  const auto asked =
      co_await t->site.UntilRequests(t->ctx.WithTimeout(std::chrono::seconds(20)), "/effect", 1);
  EXPECT_TRUE(asked) << Why(asked);
}

BROWSER_TEST(RuntimeTest, ClosingASessionAnswersTheTurnThatRunsInIt) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  std::optional<model::ActionExecutionResult> result;
  TaskScope tasks(t.ctx.executor());
  co_await BuyAndHold(&t, &bench, &tasks, &result);

  co_await bench.runtime().Close(t.ctx.WithTimeout(std::chrono::seconds(20)),
                                 {.tenant = TenantId("acme"), .workflow = WorkflowId("w1")});
  co_await tasks.Join();
  t.site.Release("/effect");

  EXPECT_TRUE(result && CodeOf(*result) == ErrorCode::kSessionClosed);
  if (!result) co_return;
  EXPECT_TRUE(result->ledger) << Told(*result);
  const auto again = co_await bench.Execute(Contract(1, kBuy, kThanks));
  EXPECT_EQ(Told(again), Told(*result)) << "it has ended, in whichever session it is asked for";
  EXPECT_LE(t.site.EffectCount("bought"), 1u);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, WhatSomebodyElseIsDoingIsNotLookedInto) {
  const TempDir data = NewData();
  RuntimeBench first(t, data.path(), "test:1");
  RuntimeBench second(t, data.path(), "test:2");
  std::optional<model::ActionExecutionResult> result;
  TaskScope tasks(t.ctx.executor());
  co_await BuyAndHold(&t, &first, &tasks, &result);

  const auto elsewhere = co_await second.Execute(Contract(1, kBuy, kThanks));
  t.site.Release("/effect");
  co_await tasks.Join();

  EXPECT_EQ(CodeOf(elsewhere), ErrorCode::kSessionLeaseNotAcquired) << Told(elsewhere);
  EXPECT_TRUE(result && result->success);
  EXPECT_EQ(t.site.EffectCount("bought"), 1u);
  co_await first.Stop();
  co_await second.Stop();
}

BROWSER_TEST(RuntimeTest, WhatFailedIsNoSuccessBecauseNothingSpeaksAgainstIt) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  const auto back = co_await bench.Execute(Contract(0, R"({"action_type": "go_back"})"));
  co_await bench.Execute(Contract(1, Navigate(Shop(t))));
  const auto bought = co_await bench.Execute(
      Contract(2, R"({"action_type": "purchase", "selector": "#buy", "timeout_ms": 1})"));

  EXPECT_EQ(CodeOf(back), ErrorCode::kNavigationFailed) << Told(back);
  EXPECT_FALSE(bought.success && t.site.EffectCount("bought") == 0) << Told(bought);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, CountsOfRequestsCanBeJudged) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  const auto there = co_await bench.Execute(Contract(0, Navigate(Shop(t)), R"(,
      "verification_rules": [{"rule_type": "invariant", "name": "no_failed_requests"},
                             {"rule_type": "invariant", "name": "no_silent_failures"}])"));

  EXPECT_TRUE(there.success) << Told(there);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, WhatComesTooLateIsRefused) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());

  const auto late =
      co_await bench.Execute(Contract(0, Navigate(Shop(t)), R"(, "deadline_unix_ms": 1)"));

  EXPECT_EQ(CodeOf(late), ErrorCode::kDeadlineExceeded) << Told(late);
  EXPECT_TRUE(late.ledger) << "a refusal is on record";
  EXPECT_EQ(t.site.RequestCount("/shop"), 0u);
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, PicturesAreKeptAmongTheArtifacts) {
  const TempDir data = NewData();
  RuntimeBench bench(t, data.path());
  co_await bench.Execute(Contract(0, Navigate(Shop(t))));

  const auto taken = co_await bench.Execute(Contract(1, R"({"action_type": "screenshot"})"));

  EXPECT_EQ(taken.artifacts.size(), 1u) << Told(taken);
  const browser::ArtifactOwner owner{.tenant = TenantId("acme"), .workflow = WorkflowId("w1")};
  for (const model::ResultArtifact& artifact : taken.artifacts) {
    const auto found = bench.runtime().parts().artifacts.Find(owner, artifact.artifact_id);
    EXPECT_TRUE(found) << Why(found);
    if (found) EXPECT_EQ(found->sha256, artifact.sha256);
  }
  co_await bench.Stop();
}

BROWSER_TEST(RuntimeTest, ASecondOwnerIsRefused) {
  const TempDir data = NewData();
  RuntimeBench first(t, data.path(), "test:1");
  co_await first.Execute(Contract(0, Navigate(Shop(t))));
  store::SqliteOptions ignored;
  auto store = store::SqliteStore::Open(data.path() / "control.db", t.ctx.clock(), ignored).value();

  const auto taken = co_await store->AcquireLease(
      {.key = {.tenant = TenantId("acme"), .workflow = WorkflowId("w1")}, .owner = "other:1"});

  EXPECT_FALSE(taken);
  if (!taken) EXPECT_EQ(taken.error().code(), ErrorCode::kSessionLeaseNotAcquired);
  co_await first.Stop();
}

BROWSER_TEST(RuntimeTest, TheLedgerVerifiesOffline) {
  const TempDir data = NewData();
  std::vector<ledger::PublicKey> keys;
  {
    RuntimeBench bench(t, data.path());
    keys.push_back(bench.ledger().public_key());
    co_await bench.Execute(Contract(0, Navigate(Shop(t))));
    for (int step = 1; step <= 5; ++step) co_await bench.Execute(Contract(step, kBuy, kThanks));
    co_await bench.Stop();
  }
  const auto report = ledger::VerifyChain(
      {.folder = ledger::ChainPaths::Of(data.path(), TenantId("acme")).folder, .keys = keys});
  EXPECT_TRUE(report && report->is_clean())
      << (report ? json::serialize(report->ToJson()) : Why(report));
  if (report) EXPECT_EQ(report->records, 13u);
}

}  // namespace
}  // namespace falconer::test
