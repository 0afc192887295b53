#include "kernel/actions/action_registry.h"

#include <atomic>
#include <mutex>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/file.h"
#include "store/sqlite_store.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer::kernel {
namespace {

ActionName Key(std::uint8_t n, std::string tenant = "acme") {
  ActionName name{.tenant = TenantId(std::move(tenant)), .scope = "w1", .digest = {}};
  name.digest[0] = n;
  return name;
}

AnswerBytes Bytes(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

struct Bench {
  explicit Bench(const CallContext& ctx)
      : store(*store::SqliteStore::Open(folder.path() / "control.db", ctx.clock())),
        registry(ctx.executor(), ctx.clock(), *store) {}

  TempDir folder = TempDir::Create("falconer-kernel-test-").value();
  std::unique_ptr<store::SqliteStore> store;
  ActionRegistry registry;
};

// Keeps the store's writer busy.
class StoreHold {
 public:
  StoreHold() { gate_.lock(); }
  ~StoreHold() { LetGo(); }
  void LetGo() {
    if (std::exchange(is_closed_, false)) gate_.unlock();
  }
  Task<void> Take(store::ControlStore* store) {
    const auto done = co_await store->Write([this](store::StoreTransaction&) -> Result<void> {
      is_held = true;
      const std::scoped_lock wait(gate_);
      return {};
    });
    EXPECT_TRUE(done);
  }

  std::atomic<bool> is_held = false;

 private:
  std::mutex gate_;
  bool is_closed_ = true;
};

// Carries the action out for whoever gets the claim, and notes the answers of the others.
Task<void> Send(CallContext ctx, ActionRegistry* registry, Notifier* go, const bool* may_go,
                std::vector<std::string>* answers, int* carried_out) {
  auto standing = co_await registry->Begin(ctx, Key(1));
  EXPECT_TRUE(standing);
  if (!standing) co_return;
  if (standing->claim) {
    ++*carried_out;
    const auto gone = co_await go->Until(ctx, [may_go] { return *may_go; }, "the word");
    EXPECT_TRUE(gone);
    standing->claim->Finish(Bytes("done"));
    answers->push_back("done");
  } else {
    answers->push_back(*standing->answer);
  }
}

CO_TEST(ActionRegistryTest, OfManyAtOnceOneIsCarriedOutAndAllAreAnsweredAlike) {
  Bench bench(ctx);
  Notifier go;
  bool may_go = false;
  std::vector<std::string> answers;
  int carried_out = 0;
  TaskScope tasks(ctx.executor());
  for (int i = 0; i < 50; ++i)
    tasks.Spawn("send", Send(ctx, &bench.registry, &go, &may_go, &answers, &carried_out));
  while (carried_out == 0) co_await test::Settle();
  EXPECT_EQ(bench.registry.in_flight(), 1u);

  may_go = true;
  go.NotifyAll();
  co_await tasks.Join();

  EXPECT_EQ(carried_out, 1);
  EXPECT_EQ(answers, std::vector<std::string>(50, "done"));
  EXPECT_EQ(bench.registry.in_flight(), 0u);
}

CO_TEST(ActionRegistryTest, ARefusalIsNobodyElsesAnswer) {
  Bench bench(ctx);
  {
    const auto first = co_await bench.registry.Begin(ctx, Key(1));
    EXPECT_TRUE(first && first->claim);
  }
  const auto second = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(second && second->claim) << "it is evaluated afresh";
}

CO_TEST(ActionRegistryTest, TellsApartTenantsAndActions) {
  Bench bench(ctx);
  const auto one = co_await bench.registry.Begin(ctx, Key(1));
  const auto other_action = co_await bench.registry.Begin(ctx, Key(2));
  const auto other_tenant = co_await bench.registry.Begin(ctx, Key(1, "other"));
  EXPECT_TRUE(one && one->claim);
  EXPECT_TRUE(other_action && other_action->claim);
  EXPECT_TRUE(other_tenant && other_tenant->claim);
  EXPECT_EQ(bench.registry.in_flight(), 3u);
}

CO_TEST(ActionRegistryTest, WhatHasEndedIsKnown) {
  Bench bench(ctx);
  auto first = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(first && first->claim);
  if (!first || !first->claim) co_return;
  bench.registry.Saw(TenantId("acme"), 1);
  bench.registry.SawOpened(*first->claim, 2, TurnId("s.t000001"));
  first->claim->Finish(Bytes("answer"));
  bench.registry.SawClosed(*std::move(first->claim), 3, TurnId("s.t000001"));

  // Before the index has it, and after.
  const auto at_once = co_await bench.registry.Begin(ctx, Key(1));
  co_await bench.registry.Stop();
  const auto later = co_await bench.registry.Begin(ctx, Key(1));

  EXPECT_TRUE(at_once && at_once->answer && *at_once->answer == "answer");
  EXPECT_TRUE(later);
  if (!later) co_return;
  EXPECT_EQ(later->known, (KnownAction{.is_over = true, .seq = 3, .turn = TurnId("s.t000001")}));
  EXPECT_FALSE(later->claim);
  EXPECT_EQ(bench.registry.in_flight(), 0u);
  const auto indexed = co_await bench.store->IndexedSeq("acme");
  EXPECT_TRUE(indexed && *indexed == 3u);
}

CO_TEST(ActionRegistryTest, TheIndexIsCompleteOnlyUpToTheFirstGap) {
  Bench bench(ctx);
  auto standing = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(standing && standing->claim);
  if (!standing || !standing->claim) co_return;
  bench.registry.Saw(TenantId("acme"), 1);
  bench.registry.SawOpened(*standing->claim, 4, TurnId("t"));
  co_await bench.registry.Stop();
  const auto with_gap = co_await bench.store->IndexedSeq("acme");
  EXPECT_TRUE(with_gap && *with_gap == 1u);

  bench.registry.Saw(TenantId("acme"), 3);
  bench.registry.Saw(TenantId("acme"), 2);
  bench.registry.SawClosed(*std::move(standing->claim), 5, TurnId("t"));
  co_await bench.registry.Stop();
  const auto whole = co_await bench.store->IndexedSeq("acme");
  EXPECT_TRUE(whole && *whole == 5u);
}

CO_TEST(ActionRegistryTest, WhatWasOpenedAndNeverEndedIsToBeFoundOut) {
  Bench bench(ctx);
  {
    auto crashed = co_await bench.registry.Begin(ctx, Key(1));
    EXPECT_TRUE(crashed && crashed->claim);
    if (crashed && crashed->claim) bench.registry.SawOpened(*crashed->claim, 3, TurnId("t"));
  }
  co_await bench.registry.Stop();

  const auto standing = co_await bench.registry.Begin(ctx, Key(1));

  EXPECT_TRUE(standing && standing->known && !standing->known->is_over && standing->claim);
}

CO_TEST(ActionRegistryTest, AnOpenedActionStaysInFlightUntilTheIndexHasIt) {
  Bench bench(ctx);
  StoreHold hold;
  TaskScope tasks(ctx.executor());
  tasks.Spawn("hold", hold.Take(bench.store.get()));
  while (!hold.is_held) co_await test::Settle();
  auto first = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(first && first->claim);
  if (!first || !first->claim) co_return;
  bench.registry.SawOpened(*first->claim, 3, TurnId("t"));
  // The record that it ended could not be written: there is no answer.
  first->claim.reset();

  const auto too_early =
      co_await bench.registry.Begin(ctx.WithTimeout(std::chrono::milliseconds(20)), Key(1));
  EXPECT_FALSE(too_early) << "it would be carried out twice";
  hold.LetGo();
  const auto second = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(second && second->known && !second->known->is_over && second->claim);
  co_await tasks.Join();
}

CO_TEST(ActionRegistryTest, ClaimsNothingOfOthersUntilTheyAreIndexed) {
  Bench bench(ctx);
  const TenantId tenant("acme");
  const auto feed = std::make_shared<ledger::PassedFeed>();
  bench.registry.Follow(feed);
  auto own = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(own && own->claim);
  if (!own || !own->claim) co_return;
  bench.registry.Saw(tenant, 1);
  bench.registry.SawOpened(*own->claim, 4, TurnId("t"));
  co_await bench.registry.Stop();
  EXPECT_EQ(co_await bench.store->IndexedSeq("acme"), 1u);

  const ActionName of_other = Key(2);
  feed->Tell({.tenant = tenant,
              .first = 2,
              .last = 3,
              .actions = {{.key = {tenant, of_other.scope, of_other.digest},
                           .state = store::ActionState::kOpen,
                           .seq = 3,
                           .turn = TurnId("u")}}});
  co_await test::Settle();
  co_await bench.registry.Stop();
  EXPECT_EQ(co_await bench.store->IndexedSeq("acme"), 4u);
  const auto others = co_await bench.registry.Begin(ctx, of_other);
  EXPECT_TRUE(others && others->known && !others->known->is_over);
}

CO_TEST(ActionRegistryTest, GoesOnFromWhatTheIndexHas) {
  Bench bench(ctx);
  EXPECT_TRUE(co_await bench.store->PutActions({.actions = {}, .chain = "acme", .indexed_seq = 9}));
  auto standing = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(standing && standing->claim);
  if (!standing || !standing->claim) co_return;
  bench.registry.SawOpened(*standing->claim, 10, TurnId("t"));
  co_await bench.registry.Stop();
  EXPECT_EQ(co_await bench.store->IndexedSeq("acme"), 10u);
}

CO_TEST(ActionRegistryTest, AFeedMayOutliveWhoListens) {
  const auto feed = std::make_shared<ledger::PassedFeed>();
  {
    Bench bench(ctx);
    bench.registry.Follow(feed);
    feed->Tell({.tenant = TenantId("acme"), .first = 1, .last = 1, .actions = {}});
  }
  feed->Tell({.tenant = TenantId("acme"), .first = 2, .last = 2, .actions = {}});
  co_await test::Settle();
}

CO_TEST(ActionRegistryTest, TellsWhetherSomebodyWouldBeWaitedFor) {
  Bench bench(ctx);
  EXPECT_FALSE(bench.registry.IsUnderWay(Key(1)));
  {
    const auto first = co_await bench.registry.Begin(ctx, Key(1));
    EXPECT_TRUE(bench.registry.IsUnderWay(Key(1)));
    EXPECT_FALSE(bench.registry.IsUnderWay(Key(1, "other")));
  }
  EXPECT_FALSE(bench.registry.IsUnderWay(Key(1)));
}

CO_TEST(ActionRegistryTest, WaitingEndsWithTheCallersTime) {
  Bench bench(ctx);
  const auto first = co_await bench.registry.Begin(ctx, Key(1));
  EXPECT_TRUE(first && first->claim);

  const auto second =
      co_await bench.registry.Begin(ctx.WithTimeout(std::chrono::milliseconds(20)), Key(1));

  EXPECT_FALSE(second);
  if (!second) EXPECT_EQ(second.error().code(), ErrorCode::kTimeout);
}

}  // namespace
}  // namespace falconer::kernel
