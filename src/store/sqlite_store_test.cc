#include "store/sqlite_store.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>
#include <mutex>
#include <set>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include <boost/asio/co_spawn.hpp>

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "base/hex.h"
#include "store/sqlite/schema.h"
#include "tests/support/run_task.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;

class SqliteStoreTest : public testing::Test {
 protected:
  SqliteStoreTest() : folder_(TempDir::Create("falconer-store-test-").value()) {}

  std::filesystem::path File() const { return folder_.path() / "control.db"; }
  std::unique_ptr<SqliteStore> OpenStore(SqliteOptions options = {}) {
    auto store = SqliteStore::Open(File(), clock_, options);
    EXPECT_TRUE(store) << store.error().message();
    return *std::move(store);
  }
  // Runs one call to its end.
  template <typename T>
  T Run(Task<T> task) {
    return test::RunTask(io_, std::move(task));
  }

  // Runs beside others on the loop; the last one ends it.
  void Start(Task<void> task, int* left) {
    boost::asio::co_spawn(io_, std::move(task), [this, left](std::exception_ptr) {
      if (--*left == 0) io_.stop();
    });
  }
  static Task<void> WriteOne(SqliteStore* store, StoreJob job, Result<void>* outcome) {
    *outcome = co_await store->Write(std::move(job));
  }

  static LeaseRequest Request(std::string owner, std::chrono::milliseconds ttl = 1min) {
    return {{TenantId("acme"), WorkflowId("orders")}, std::move(owner), ttl, ""};
  }
  static IndexedAction Action(std::uint64_t number, ActionState state, std::uint64_t seq) {
    return {{TenantId("acme"), "orders", Sha256Of(std::to_string(number))},
            state,
            seq,
            TurnId("turn" + std::to_string(number))};
  }

  TempDir folder_;
  FakeClock clock_;
  boost::asio::io_context io_;
};

TEST_F(SqliteStoreTest, GrantsALeaseOnceAndNamesItsHolderToOthers) {
  const auto store = OpenStore();

  const auto first = Run(store->AcquireLease(Request("a")));
  const auto second = Run(store->AcquireLease(Request("b")));

  ASSERT_TRUE(first) << first.error().message();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::kSessionLeaseNotAcquired);
  EXPECT_EQ(second.error().details().at("owner").as_string(), "a");
  EXPECT_EQ(second.error().details().at("retry_after_ms").as_int64(), 60'000);
}

TEST_F(SqliteStoreTest, GivesTheHolderItsLeaseAgainWithTheSameEpoch) {
  const auto store = OpenStore();
  const auto first = Run(store->AcquireLease(Request("a")));
  clock_.Advance(30s);

  const auto again = Run(store->AcquireLease(Request("a")));

  ASSERT_TRUE(first && again);
  EXPECT_EQ(again->epoch, first->epoch);
  EXPECT_EQ(again->expires, first->expires + 30s);
}

TEST_F(SqliteStoreTest, TheLeaseOfAnOwnerThatIsGoneIsFree) {
  const auto store = OpenStore();
  const auto old = Run(store->AcquireLease(Request("a")));
  LeaseRequest request = Request("b");
  request.gone_owner = "somebody else";
  EXPECT_FALSE(Run(store->AcquireLease(request)));
  request.gone_owner = "a";

  const auto taken = Run(store->AcquireLease(request));
  const auto renewed = Run(store->RenewLease(*old, 1min));

  ASSERT_TRUE(taken) << taken.error().message();
  EXPECT_GT(taken->epoch, old->epoch);
  EXPECT_FALSE(renewed) << "the old owner is fenced";
}

TEST_F(SqliteStoreTest, EpochsRiseAndNeverComeAgainAlsoAfterReleaseAndReopening) {
  std::set<std::uint64_t> seen;
  std::uint64_t last = 0;
  for (int i = 0; i < 6; ++i) {
    const auto store = OpenStore();
    const auto lease = Run(store->AcquireLease(Request(i % 2 == 0 ? "a" : "b")));
    ASSERT_TRUE(lease) << lease.error().message();
    EXPECT_GT(lease->epoch, last);
    EXPECT_TRUE(seen.insert(lease->epoch).second);
    last = lease->epoch;
    EXPECT_TRUE(Run(store->ReleaseLease(*lease)));
  }
}

TEST_F(SqliteStoreTest, AnExpiredLeaseGoesToTheNextOwnerAndIsStaleForTheOld) {
  const auto store = OpenStore();
  const auto old = Run(store->AcquireLease(Request("a")));
  clock_.Advance(61s);

  const auto lapsed = Run(store->RenewLease(*old, 1min));
  const auto taken = Run(store->AcquireLease(Request("b")));
  const auto renewed = Run(store->RenewLease(*old, 1min));

  ASSERT_TRUE(taken);
  EXPECT_GT(taken->epoch, old->epoch);
  EXPECT_EQ(lapsed.error().code(), ErrorCode::kStaleEpoch);
  EXPECT_EQ(lapsed.error().details().at("reason").as_string(), "expired");
  EXPECT_EQ(renewed.error().details().at("reason").as_string(), "superseded");
  EXPECT_TRUE(Run(store->RenewLease(*taken, 1min)));
}

TEST_F(SqliteStoreTest, ReleasingALostLeaseDoesNotHurtTheNewHolder) {
  const auto store = OpenStore();
  const auto old = Run(store->AcquireLease(Request("a")));
  clock_.Advance(61s);
  const auto taken = Run(store->AcquireLease(Request("b")));

  EXPECT_TRUE(Run(store->ReleaseLease(*old)));

  EXPECT_TRUE(Run(store->RenewLease(*taken, 1min)));
}

TEST_F(SqliteStoreTest, TenantsDoNotMeet) {
  const auto store = OpenStore();
  LeaseRequest other = Request("b");
  other.key.tenant = TenantId("other");

  const auto ours = Run(store->AcquireLease(Request("a")));
  const auto theirs = Run(store->AcquireLease(other));
  Lease forged = *theirs;
  forged.key.tenant = TenantId("acme");

  EXPECT_TRUE(theirs);
  EXPECT_EQ(Run(store->RenewLease(forged, 1min)).error().code(), ErrorCode::kStaleEpoch);
  EXPECT_TRUE(Run(store->RenewLease(*theirs, 1min)));
  EXPECT_TRUE(Run(store->RenewLease(*ours, 1min)));
}

TEST_F(SqliteStoreTest, RefusesLeasesWithoutOwnerOrWithAnAbsurdTtl) {
  const auto store = OpenStore();

  EXPECT_EQ(Run(store->AcquireLease(Request(""))).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Run(store->AcquireLease(Request("a", 0ms))).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(Run(store->AcquireLease(Request("a", 25h))).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST_F(SqliteStoreTest, AJobThatFailsTakesNothingButItsOwnWritesBack) {
  const auto store = OpenStore();
  std::vector<Result<void>> outcomes(32);
  int left = 32;
  for (std::uint64_t i = 0; i < 32; ++i) {
    StoreJob job = [i](StoreTransaction& transaction) -> Result<void> {
      TRY(transaction.PutActions({.actions = {Action(i, ActionState::kTerminal, 1)}}));
      if (i % 3 == 0) return Fail(ErrorCode::kPolicyDenied, "no");
      return {};
    };
    Start(WriteOne(store.get(), std::move(job), &outcomes[i]), &left);
  }
  io_.run_for(20s);

  for (std::uint64_t i = 0; i < 32; ++i) {
    const auto found = Run(store->FindAction(Action(i, ActionState::kOpen, 0).key));
    EXPECT_EQ(outcomes[i].has_value(), i % 3 != 0);
    EXPECT_EQ(found->has_value(), i % 3 != 0) << i;
  }
}

struct Score {
  std::atomic<int> wins = 0;
  std::atomic<int> refusals = 0;
};

Task<void> AcquireMany(SqliteStore* store, std::string owner, Score* score) {
  for (int i = 0; i < 100; ++i) {
    LeaseRequest request{{TenantId("t"), WorkflowId(std::to_string(i))}, owner, 1min, ""};
    const auto lease = co_await store->AcquireLease(request);
    EXPECT_TRUE(lease || lease.error().code() == ErrorCode::kSessionLeaseNotAcquired)
        << lease.error().message();
    ++(lease ? score->wins : score->refusals);
  }
}

TEST_F(SqliteStoreTest, TwoStoresOnOneFileRaceForLeasesAndOneWinsEach) {
  SystemClock clock;
  const auto path = File();
  Score score;
  const auto race = [&](std::string owner) {
    boost::asio::io_context io;
    auto store = SqliteStore::Open(path, clock);
    ASSERT_TRUE(store) << store.error().message();
    test::RunCo(io, AcquireMany(store->get(), std::move(owner), &score), 60s);
  };
  {
    const std::jthread one([&] { race("one"); });
    const std::jthread two([&] { race("two"); });
  }

  EXPECT_EQ(score.wins, 100);
  EXPECT_EQ(score.refusals, 100);
}

TEST_F(SqliteStoreTest, FindsActionsByTheirWholeKey) {
  const auto store = OpenStore({.cached_actions = 0});
  const IndexedAction action = Action(1, ActionState::kTerminal, 7);
  ASSERT_TRUE(Run(store->PutActions({.actions = {action}, .chain = "acme", .indexed_seq = 7})));
  ActionKey elsewhere = action.key;
  elsewhere.scope = "other";

  EXPECT_EQ(**Run(store->FindAction(action.key)), action);
  EXPECT_FALSE(Run(store->FindAction(elsewhere))->has_value());
  EXPECT_EQ(*Run(store->IndexedSeq("acme")), 7U);
  EXPECT_EQ(*Run(store->IndexedSeq("nobody")), 0U);
}

TEST_F(SqliteStoreTest, ALaterRecordWinsAndAnEarlierOneChangesNothing) {
  const auto store = OpenStore();
  ASSERT_TRUE(Run(store->PutActions({.actions = {Action(1, ActionState::kOpen, 5)}})));
  ASSERT_TRUE(Run(store->PutActions({.actions = {Action(1, ActionState::kTerminal, 9)}})));
  ASSERT_TRUE(Run(store->PutActions({.actions = {Action(1, ActionState::kOpen, 5)}})));

  const auto found = Run(store->FindAction(Action(1, ActionState::kOpen, 0).key));

  EXPECT_EQ((*found)->state, ActionState::kTerminal);
  EXPECT_EQ((*found)->seq, 9U);
}

TEST_F(SqliteStoreTest, EvictsTheOldestTerminalActionsAndNeverOpenOnes) {
  const auto store = OpenStore({.max_actions = 10, .cached_actions = 0});
  ActionBatch batch;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const bool is_open = i < 4;
    batch.actions.push_back(
        Action(i, is_open ? ActionState::kOpen : ActionState::kTerminal, i + 1));
  }

  ASSERT_TRUE(Run(store->PutActions(batch)));

  for (std::uint64_t i = 0; i < 30; ++i) {
    const auto found = Run(store->FindAction(batch.actions[i].key));
    EXPECT_EQ(found->has_value(), i < 4 || i >= 24) << i;
  }
}

TEST_F(SqliteStoreTest, KeepsHeadsAndNeverGoesBack) {
  const ChainHead head{"acme", 7, Sha256Of("record"), Sha256Of("root")};
  {
    const auto store = OpenStore();
    EXPECT_FALSE(Run(store->GetHead("acme"))->has_value());
    store->PostHead(head);
  }
  {
    const auto store = OpenStore();
    EXPECT_EQ(**Run(store->GetHead("acme")), head);
    ChainHead back = head;
    back.seq = 6;
    store->PostHead(back);
  }
  const auto store = OpenStore();
  EXPECT_EQ(**Run(store->GetHead("acme")), head);
}

TEST_F(SqliteStoreTest, WritesTheNewestOfManyPostedHeadsBeforeItCloses) {
  {
    const auto store = OpenStore({.queue_bound = 4});
    for (std::uint64_t i = 1; i <= 10'000; ++i) store->PostHead({"acme", i, {}, {}});
  }
  const auto store = OpenStore();
  EXPECT_EQ((*Run(store->GetHead("acme")))->seq, 10'000U);
}

TEST_F(SqliteStoreTest, RefusesMoreJobsThanItMayHold) {
  const auto store = OpenStore({.queue_bound = 2, .batch_bound = 1});
  std::mutex gate;
  gate.lock();
  std::vector<Result<void>> outcomes(8);
  int left = 8;
  for (Result<void>& outcome : outcomes) {
    StoreJob job = [&gate](StoreTransaction&) -> Result<void> {
      const std::scoped_lock wait(gate);
      return {};
    };
    Start(WriteOne(store.get(), std::move(job), &outcome), &left);
  }
  // The refused ones are answered at once, though nothing can be done yet.
  io_.poll();
  io_.restart();
  EXPECT_LE(left, 3);
  gate.unlock();
  io_.run_for(20s);

  EXPECT_EQ(left, 0);
  const auto refused = std::ranges::count_if(outcomes, [](const Result<void>& outcome) {
    return !outcome && outcome.error().code() == ErrorCode::kQueueFull;
  });
  EXPECT_GE(refused, 5);
  EXPECT_LE(refused, 6);
}

TEST_F(SqliteStoreTest, KeepsWorkingWhenTheDiskHasSpaceAgain) {
  const auto store = OpenStore();
  ASSERT_TRUE(Run(store->PutActions({.actions = {}, .chain = "acme", .indexed_seq = 1})));
  ActionBatch big;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    big.actions.push_back(Action(i, ActionState::kTerminal, 1));
  }
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{256 << 10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);

  const auto refused = Run(store->PutActions(big));
  setrlimit(RLIMIT_FSIZE, &before);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kIoError) << refused.error().message();
  EXPECT_TRUE(refused.error().message().contains("control.db")) << refused.error().message();
  EXPECT_FALSE(Run(store->FindAction(big.actions.front().key))->has_value());
  EXPECT_TRUE(Run(store->PutActions(big)));
  EXPECT_TRUE(Run(store->FindAction(big.actions.back().key))->has_value());
}

TEST_F(SqliteStoreTest, SaysAtOnceThatAFileIsNoDatabase) {
  ASSERT_TRUE(WriteFileAtomic(File(), std::string(8192, 'x')));

  const auto store = SqliteStore::Open(File(), clock_);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), ErrorCode::kStoreDamaged);
  EXPECT_TRUE(store.error().message().contains("control.db")) << store.error().message();
}

TEST_F(SqliteStoreTest, SaysAtOnceThatTheSchemaIsDamaged) {
  {
    OpenStore();
  }
  std::string bytes = ReadFile(File()).value();
  for (std::size_t i = 100; i < 4096; ++i) bytes[i] = static_cast<char>(0xff);
  std::filesystem::remove(File().string() + "-wal");
  ASSERT_TRUE(WriteFileAtomic(File(), bytes));

  const auto store = SqliteStore::Open(File(), clock_);

  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), ErrorCode::kStoreDamaged) << store.error().message();
}

// Runs SQL as another program would.
void RunSql(const std::filesystem::path& path, const char* sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);
}

TEST_F(SqliteStoreTest, RefusesTheDatabaseOfAnotherProgram) {
  RunSql(File(), "CREATE TABLE theirs(x)");
  EXPECT_EQ(SqliteStore::Open(File(), clock_).error().code(), ErrorCode::kStoreDamaged);
}

TEST_F(SqliteStoreTest, RefusesAFileOfANewerProgram) {
  {
    OpenStore();
  }
  RunSql(File(), "PRAGMA user_version=99");
  EXPECT_EQ(SqliteStore::Open(File(), clock_).error().code(), ErrorCode::kUnsupported);
}

TEST_F(SqliteStoreTest, TheFileIsPrivate) {
  {
    OpenStore();
  }
  const auto mode = std::filesystem::status(File()).permissions();
  EXPECT_EQ(mode & std::filesystem::perms::others_all, std::filesystem::perms::none);
  EXPECT_EQ(mode & std::filesystem::perms::group_all, std::filesystem::perms::none);
}

// Writes number after number and tells each one that is durable.
Task<void> WriteForEver(SqliteStore* store, int pipe) {
  const auto indexed = co_await store->IndexedSeq("acme");
  for (std::uint64_t seq = *indexed + 1;; ++seq) {
    const auto put =
        co_await store->PutActions({.actions = {}, .chain = "acme", .indexed_seq = seq});
    if (!put || ::write(pipe, &seq, sizeof(seq)) != sizeof(seq)) _exit(1);
  }
}

// Does so until it is killed.
[[noreturn]] void WriteUntilKilled(const std::filesystem::path& path, int pipe) {
  SystemClock clock;
  boost::asio::io_context io;
  auto store = SqliteStore::Open(path, clock);
  test::RunCo(io, WriteForEver(store->get(), pipe), 60s);
  _exit(2);
}

TEST_F(SqliteStoreTest, LosesNothingThatWasAnsweredWhenItIsKilled) {
  std::uint64_t told = 0;
  for (int round = 0; round < 10; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) WriteUntilKilled(File(), ends[1]);
    ::close(ends[1]);
    std::uint64_t seq = 0;
    for (int i = 0; i < 3 + 7 * round; ++i) {
      ASSERT_EQ(::read(ends[0], &seq, sizeof(seq)), static_cast<ssize_t>(sizeof(seq)));
      told = seq;
    }
    ::kill(child, SIGKILL);
    while (::read(ends[0], &seq, sizeof(seq)) == static_cast<ssize_t>(sizeof(seq))) told = seq;
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);

    const auto store = OpenStore();
    EXPECT_GE(*Run(store->IndexedSeq("acme")), told);
  }
}

}  // namespace
}  // namespace falconer::store
