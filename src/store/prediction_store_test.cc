#include "store/prediction_store.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/sqlite/context_run.h"
#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;
using test::Finish;

const TenantId kShop("shop");

ContextRow Row(std::uint64_t context, std::uint64_t next, float by_person, std::int32_t day = 1) {
  return {.context = context, .next = next, .by_person = by_person, .by_agent = 0, .day = day};
}

// Contexts are digests: spread over all shelves.
ContextRow SpreadRow(std::uint64_t number, float by_person) {
  return Row(number * 0x9E3779B97F4A7C15, number, by_person);
}

SeenAction Seen(std::uint64_t symbol, std::int64_t at_ms, DoneBy by = DoneBy::kPerson) {
  return {.symbol = symbol,
          .signature = "signature " + std::to_string(symbol),
          .action = {{"type", "click"}},
          .page = "https://shop.example/cart",
          .by = by,
          .succeeded = true,
          .at_ms = at_ms};
}

class PredictionStoreTest : public test::StoreBench {
 protected:
  static void Put(SqliteStore& store, LearntBatch batch) {
    batch.tenant = kShop;
    if (batch.node.empty()) batch.node = "one";
    const auto put = Finish(store.PutLearnt(std::move(batch)));
    EXPECT_TRUE(put) << put.error().message();
  }
  static LearntContexts Load(SqliteStore& store, std::string node = "one") {
    const auto loaded = Finish(store.LoadContexts(kShop, std::move(node)));
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded.value_or(LearntContexts());
  }
  static std::vector<KnownAction> Actions(SqliteStore& store) {
    const auto loaded = Finish(store.LoadActions(kShop));
    EXPECT_TRUE(loaded) << loaded.error().message();
    return loaded.value_or(std::vector<KnownAction>());
  }
  static std::vector<TopTransition> Top(SqliteStore& store, std::size_t most = 100) {
    const auto top = Finish(store.TopTransitions(kShop, most));
    EXPECT_TRUE(top) << top.error().message();
    return top.value_or(std::vector<TopTransition>());
  }
  std::int64_t Ask(const std::string& sql) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open_v2(file().c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    sqlite3_step(statement);
    const std::int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
  }
};

TEST_F(PredictionStoreTest, KeepsRowsOfContextsBeyondTheProcess) {
  const std::vector<ContextRow> rows = {Row(1, 2, 3), Row(1, 4, 0.5), Row(~std::uint64_t{0}, 7, 1)};
  Put(*OpenStore(), {.contexts = rows});

  const LearntContexts learnt = Load(*OpenStore());

  EXPECT_EQ(learnt.own, rows);
  EXPECT_TRUE(learnt.others.empty());
}

TEST_F(PredictionStoreTest, TheNewestValueOfARowIsRight) {
  const auto store = OpenStore();
  std::vector<ContextRow> expected;
  for (std::uint64_t number = 1; number <= 200; ++number) expected.push_back(SpreadRow(number, 1));
  Put(*store, {.contexts = expected});
  for (int round = 2; round < 60; ++round) {
    const auto at = static_cast<std::size_t>(round * 7 % 200);
    expected[at].by_person = static_cast<float>(round);
    Put(*store, {.contexts = {expected[at]}});
  }

  std::ranges::sort(expected, {}, &ContextRow::context);
  EXPECT_EQ(Load(*store).own, expected);
}

TEST_F(PredictionStoreTest, RowsThatCountNothingAreForgotten) {
  const auto store = OpenStore();
  Put(*store, {.contexts = {Row(1, 2, 3), Row(1, 3, 3), Row(1, 4, 3), Row(1, 5, 3)}});
  Put(*store, {.contexts = {Row(1, 3, 0)}});

  EXPECT_EQ(Load(*store).own, (std::vector{Row(1, 2, 3), Row(1, 4, 3), Row(1, 5, 3)}));
}

TEST_F(PredictionStoreTest, ManySmallBatchesStayInFewRuns) {
  const auto store = OpenStore();
  for (std::uint64_t number = 1; number <= 300; ++number)
    Put(*store, {.contexts = {Row(number, 1, 1)}});

  EXPECT_EQ(Load(*store).own.size(), 300U);
  EXPECT_LE(Ask("SELECT count(*) FROM context_runs"), 30);
}

TEST_F(PredictionStoreTest, TellsWhatIsANodesOwnFromWhatOthersCounted) {
  const auto store = OpenStore();
  Put(*store, {.node = "one", .contexts = {Row(1, 2, 3)}});
  Put(*store, {.node = "two", .contexts = {Row(1, 2, 5)}});

  EXPECT_EQ(Load(*store, "one").own, std::vector{Row(1, 2, 3)});
  EXPECT_EQ(Load(*store, "one").others, std::vector{Row(1, 2, 5)});
  EXPECT_EQ(Load(*store, "three").others.size(), 2U);
}

TEST_F(PredictionStoreTest, MergingANodeTwiceGivesTheSame) {
  const auto store = OpenStore();
  Put(*store, {.node = "one", .contexts = {Row(1, 2, 3)}});
  const std::vector<ContextRow> rows = {Row(1, 2, 5), Row(8, 9, 1)};
  ASSERT_TRUE(Finish(store->PutNode(kShop, "two", rows)));
  const LearntContexts once = Load(*store);
  ASSERT_TRUE(Finish(store->PutNode(kShop, "two", rows)));
  const LearntContexts twice = Load(*store);

  EXPECT_EQ(once.own, twice.own);
  EXPECT_EQ(once.others, rows);
  EXPECT_EQ(twice.others, rows);
}

TEST_F(PredictionStoreTest, ANodeWithoutRowsIsForgotten) {
  const auto store = OpenStore();
  ASSERT_TRUE(Finish(store->PutNode(kShop, "two", {Row(1, 2, 5)})));
  ASSERT_TRUE(Finish(store->PutNode(kShop, "two", {})));

  EXPECT_TRUE(Load(*store).others.empty());
  EXPECT_EQ(Ask("SELECT count(*) FROM learners"), 0);
}

TEST_F(PredictionStoreTest, CountsActionsByWhoDidThem) {
  const auto store = OpenStore();
  SeenAction failed = Seen(5, 40, DoneBy::kAgent);
  failed.succeeded = false;
  failed.action = {{"type", "broken"}};
  Put(*store, {.actions = {Seen(5, 10), Seen(5, 30, DoneBy::kPrediction)}});
  Put(*store, {.actions = {Seen(5, 20), failed}});

  const std::vector<KnownAction> known = Actions(*store);

  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].by_person, 2);
  EXPECT_EQ(known[0].by_agent, 1);
  EXPECT_EQ(known[0].by_prediction, 1);
  EXPECT_EQ(known[0].failed, 1);
  EXPECT_EQ(known[0].last_ms, 40);
  EXPECT_EQ(known[0].signature, "signature 5");
  EXPECT_EQ(known[0].action, (json::object{{"type", "click"}})) << "learnt from what went well";
}

TEST_F(PredictionStoreTest, AnActionThatOnlyFailedSoFarDoesNotReplaceOneThatWentWell) {
  const auto store = OpenStore();
  SeenAction failed = Seen(5, 40);
  failed.succeeded = false;
  failed.action = {{"type", "broken"}};
  Put(*store, {.actions = {Seen(5, 10)}});
  Put(*store, {.actions = {failed}});

  EXPECT_EQ(Actions(*store).at(0).action, (json::object{{"type", "click"}}));
}

TEST_F(PredictionStoreTest, ATopTransitionTellsHowMuchCameAfterTheSame) {
  const auto store = OpenStore();
  Put(*store, {.transitions = {{.from = 1, .to = 2},
                               {.from = 1, .to = 2},
                               {.from = 1, .to = 2},
                               {.from = 1, .to = 3},
                               {.from = 2, .to = 1}}});

  const std::vector<TopTransition> top = Top(*store, 1);

  ASSERT_EQ(top.size(), 1U);
  EXPECT_EQ(top[0].count, 3);
  EXPECT_EQ(top[0].from_count, 4) << "also of those that are not told";
}

TEST_F(PredictionStoreTest, TopTransitionsComeByCountThenBySymbol) {
  const auto store = OpenStore();
  const std::uint64_t high = ~std::uint64_t{0};
  Put(*store, {.actions = {Seen(1, 1), Seen(2, 1), Seen(high, 1)},
               .transitions = {{.from = 1, .to = 2},
                               {.from = 1, .to = high},
                               {.from = 2, .to = 1},
                               {.from = 2, .to = 1},
                               {.from = 0, .to = 1}}});

  const std::vector<TopTransition> top = Top(*store);

  ASSERT_EQ(top.size(), 4U);
  EXPECT_EQ(top[0].from, "signature 2");
  EXPECT_EQ(top[0].to, "signature 1");
  EXPECT_EQ(top[0].count, 2);
  EXPECT_EQ(top[1].from, "") << "the beginning";
  EXPECT_EQ(top[2].to_symbol, 2U);
  EXPECT_EQ(top[3].to_symbol, high);
  EXPECT_EQ(Top(*store, 1).size(), 1U);
}

TEST_F(PredictionStoreTest, TransitionsOfBothOrdersAreCountedAndNoPredictionIs) {
  const auto store = OpenStore();
  const SeenTransition seen{.from_before = 3, .has_two = true, .from = 1, .to = 2};
  SeenTransition predicted = seen;
  predicted.by = DoneBy::kPrediction;
  Put(*store, {.transitions = {seen, seen, predicted, {.from = 1, .to = 2}}});
  Put(*store, {.transitions = {seen, predicted}});

  EXPECT_EQ(Top(*store).at(0).count, 4);
  EXPECT_EQ(Ask("SELECT count FROM transitions_second_order"), 3);
}

TEST_F(PredictionStoreTest, BoundForgetsTheOldestActionsAndWhatLeadsToAndFromThem) {
  const auto store = OpenStore();
  Put(*store, {.actions = {Seen(1, 10), Seen(2, 20), Seen(3, 30)},
               .transitions = {{.from_before = 1, .has_two = true, .from = 2, .to = 3},
                               {.from = 1, .to = 2},
                               {.from = 3, .to = 1},
                               {.from_before = 2, .has_two = true, .from = 3, .to = 2}}});

  ASSERT_TRUE(Finish(store->BoundLearnt(kShop, {.actions = 2})));

  EXPECT_EQ(Actions(*store).size(), 2U);
  EXPECT_EQ(Actions(*store).at(0).symbol, 3U);
  EXPECT_EQ(Top(*store).size(), 2U);
  EXPECT_EQ(Ask("SELECT count(*) FROM transitions_second_order"), 1);
}

TEST_F(PredictionStoreTest, BoundForgetsRowsAndTransitionsThatWereNotCountedForTheLongestTime) {
  const auto store = OpenStore();
  Put(*store,
      {.transitions = {{.from = 1, .to = 2}}, .contexts = {Row(1, 2, 9, 1), Row(1, 3, 1, 2)}});
  clock_.Advance(48h);
  Put(*store, {.node = "two",
               .transitions = {{.from = 3, .to = 4}},
               .contexts = {Row(1, 2, 1, 3), Row(2, 2, 4, 2)}});

  ASSERT_TRUE(Finish(store->BoundLearnt(kShop, {.contexts = 4})));
  EXPECT_EQ(Load(*store).own.size(), 2U) << "nothing is beyond the bound";
  ASSERT_TRUE(Finish(store->BoundLearnt(kShop, {.contexts = 2})));
  EXPECT_TRUE(Load(*store).own.empty());
  EXPECT_EQ(Load(*store).others, (std::vector{Row(1, 2, 1, 3), Row(2, 2, 4, 2)}));
  ASSERT_TRUE(Finish(store->BoundLearnt(kShop, {.contexts = 1})));
  EXPECT_EQ(Load(*store).others, std::vector{Row(1, 2, 1, 3)});
  EXPECT_EQ(Top(*store).size(), 1U);
  EXPECT_EQ(Top(*store).at(0).from_symbol, 3U);
}

TEST_F(PredictionStoreTest, BoundPutsAwayWhatNewerValuesHaveReplaced) {
  const auto store = OpenStore();
  for (float times = 1; times <= 5; ++times) Put(*store, {.contexts = {Row(1, 2, times)}});
  const auto stored = [&] { return Ask("SELECT total(count) FROM context_runs"); };
  EXPECT_EQ(stored(), 5);

  ASSERT_TRUE(Finish(store->BoundLearnt(kShop, {.contexts = 4})));
  EXPECT_EQ(stored(), 5);
  ASSERT_TRUE(Finish(store->BoundLearnt(kShop, {.contexts = 3})));

  EXPECT_EQ(stored(), 1);
  EXPECT_EQ(Load(*store).own, std::vector{Row(1, 2, 5)});
}

TEST_F(PredictionStoreTest, ForgetsOneTenantAndNoOther) {
  const auto store = OpenStore();
  Put(*store,
      {.actions = {Seen(1, 1)}, .transitions = {{.from = 1, .to = 1}}, .contexts = {Row(1, 1, 1)}});
  LearntBatch other{.tenant = TenantId("bank"), .node = "one", .actions = {Seen(1, 1)}};
  other.contexts = {Row(1, 1, 1)};
  ASSERT_TRUE(Finish(store->PutLearnt(other)));

  ASSERT_TRUE(Finish(store->ForgetLearnt(kShop)));

  EXPECT_TRUE(Actions(*store).empty());
  EXPECT_TRUE(Top(*store).empty());
  EXPECT_TRUE(Load(*store).own.empty());
  EXPECT_EQ(Finish(store->LoadActions(TenantId("bank")))->size(), 1U);
  EXPECT_EQ(Finish(store->LoadContexts(TenantId("bank"), "one"))->own.size(), 1U);
}

TEST_F(PredictionStoreTest, WritesNothingOfABatchThatMakesNoSense) {
  const auto store = OpenStore();
  const float none = std::numeric_limits<float>::quiet_NaN();
  const LearntBatch good{
      .tenant = kShop, .node = "one", .actions = {Seen(1, 1)}, .contexts = {Row(1, 1, 1)}};
  LearntBatch no_node = good;
  no_node.node = "";
  LearntBatch no_number = good;
  no_number.contexts.push_back(Row(2, 2, none));
  LearntBatch below_zero = good;
  below_zero.contexts.push_back(Row(2, 2, -1));
  LearntBatch no_symbol = good;
  no_symbol.actions.push_back(Seen(0, 1));

  for (const LearntBatch& bad : {no_node, no_number, below_zero, no_symbol}) {
    const auto put = Finish(store->PutLearnt(bad));
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code(), ErrorCode::kInvalidArgument);
  }

  EXPECT_FALSE(Finish(store->PutNode(kShop, "two", {Row(1, 1, none)})));
  EXPECT_TRUE(Actions(*store).empty());
  EXPECT_TRUE(Load(*store).own.empty());
  EXPECT_TRUE(Load(*store).others.empty());
}

TEST_F(PredictionStoreTest, SaysThatARunIsDamaged) {
  {
    const auto store = OpenStore();
    Put(*store, {.contexts = {Row(1, 1, 1)}});
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "UPDATE context_runs SET rows = x'0102'", nullptr, nullptr, nullptr);
  sqlite3_close(database);

  const auto loaded = Finish(OpenStore()->LoadContexts(kShop, "one"));

  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), ErrorCode::kStoreDamaged);
}

TEST_F(PredictionStoreTest, TwoProgramsThatLearnAtOnceLoseNothing) {
  std::atomic<int> next = 0;
  Race(16, [&next](SqliteStore& store) {
    const int number = ++next;
    LearntBatch batch{.tenant = kShop,
                      .node = "node" + std::to_string(number),
                      .actions = {Seen(1, number)},
                      .transitions = {{.from = 1, .to = 1}}};
    batch.contexts = {SpreadRow(static_cast<std::uint64_t>(number), 1)};
    return Finish(store.PutLearnt(std::move(batch))).has_value();
  });

  const auto store = OpenStore();
  EXPECT_EQ(Load(*store, "").others.size(), 16U);
  EXPECT_EQ(Actions(*store).at(0).by_person, 16);
  EXPECT_EQ(Top(*store).at(0).count, 16);
}

// In another process: learns, and says what was answered, until it is killed.
[[noreturn]] void LearnUntilKilled(const std::filesystem::path& path, int told) {
  SystemClock clock;
  auto store = SqliteStore::Open(path, clock);
  if (!store) ::_exit(255);
  for (std::uint64_t number = 1;; ++number) {
    LearntBatch batch{.tenant = kShop, .node = "one", .actions = {Seen(number, 1)}};
    batch.contexts = {SpreadRow(number, 1)};
    if (!Finish((*store)->PutLearnt(std::move(batch)))) ::_exit(254);
    if (::write(told, &number, sizeof number) != sizeof number) ::_exit(253);
  }
}

TEST_F(PredictionStoreTest, LosesNothingThatWasAnsweredWhenItIsKilled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) LearnUntilKilled(file(), ends[1]);
  ::close(ends[1]);
  std::uint64_t last = 0;
  while (last < 50) ASSERT_EQ(::read(ends[0], &last, sizeof last), ssize_t{sizeof last});
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  std::uint64_t told = 0;
  while (::read(ends[0], &told, sizeof told) == sizeof told) last = told;
  ::close(ends[0]);

  const auto store = OpenStore();
  const std::size_t actions = Actions(*store).size();
  EXPECT_GE(actions, last);
  EXPECT_EQ(Load(*store).own.size(), actions) << "a batch is written whole or not at all";
}

}  // namespace
}  // namespace falconer::store
