// Several writers of one chain: in one process, where every step can be chosen, and in several that
// are killed at random.

#include <csignal>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger/action_catch_up.h"
#include "ledger/reader.h"
#include "ledger/verifier.h"
#include "tests/support/faulty_layer.h"
#include "tests/support/test_chain.h"

namespace falconer::ledger {
namespace {

using namespace std::chrono_literals;

class SharedChainTest : public testing::Test {
 protected:
  using Writer = std::unique_ptr<ChainWriter>;

  // A writer as another process would have it.
  Writer Other(FileLayer* layer = nullptr) {
    return std::make_unique<ChainWriter>(
        ChainWriterInput{.paths = chain_.Paths(), .tenant = chain_.tenant, .known = {}},
        chain_.options, chain_.key, chain_.clock, layer == nullptr ? chain_.plain : *layer);
  }
  Result<Receipt> Append(const Writer& writer, std::uint64_t number) {
    return chain_.Run(writer->Append(test::TestChain::Record(number)));
  }
  void Expect(const Writer& writer, std::uint64_t number, std::uint64_t seq) {
    const auto receipt = Append(writer, number);
    ASSERT_TRUE(receipt) << receipt.error().message();
    EXPECT_EQ(receipt->seq, seq);
  }
  void ExpectDamage(const Writer& writer) {
    const auto refused = Append(writer, 99);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::kLedgerDamaged) << refused.error().message();
  }
  VerifyReport Verify() {
    auto report = VerifyChain({.folder = chain_.Paths().folder,
                               .tenant = chain_.tenant,
                               .keys = {chain_.key.public_key()}});
    EXPECT_TRUE(report) << report.error().message();
    for (const Finding& finding : report->findings) {
      ADD_FAILURE() << json::serialize(finding.ToJson());
    }
    return *std::move(report);
  }
  int Independent() const {
    const auto tool =
        std::filesystem::path(__FILE__).parent_path() / "../../tools/verify_ledger.py";
    const std::string command = "python3 " + tool.string() + " chain " +
                                chain_.Paths().folder.string() + " --key " +
                                chain_.KeyPath().string() + " > /dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::filesystem::path Segment() const { return chain_.Paths().segment(1); }
  void AddBytes(const std::string& bytes) const {
    const UniqueFd fd(::open(Segment().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    ASSERT_EQ(::write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

  test::TestChain chain_;
};

TEST_F(SharedChainTest, WritersTakeTurnsAndNumberOn) {
  {
    const Writer a = Other();
    const Writer b = Other();
    const Writer c = Other();
    Expect(a, 1, 1);
    Expect(b, 2, 2);
    Expect(b, 3, 3);
    Expect(a, 4, 4);
    Expect(c, 5, 5);
    Expect(a, 6, 6);
    EXPECT_EQ(Verify().records, 6U) << "while it is open";
  }
  const VerifyReport report = Verify();
  EXPECT_EQ(report.records, 6U);
  EXPECT_EQ(report.signed_size, 6U);
  auto reader = ChainReader::Open(chain_.Paths().folder).value();
  for (std::uint64_t seq = 1; seq <= 6; ++seq) {
    EXPECT_EQ(reader.At(seq)->view().fields.payload, test::TestChain::Record(seq).payload);
  }
}

TEST_F(SharedChainTest, SegmentsAndCheckpointsOfOthersAreTakenUp) {
  chain_.options.segment_bytes = 600;
  chain_.options.checkpoint_records = 3;
  {
    const Writer writers[] = {Other(), Other(), Other()};
    std::mt19937 random(7);
    for (std::uint64_t seq = 1; seq <= 200; ++seq) Expect(writers[random() % 3], seq, seq);
    EXPECT_EQ(Verify().records, 200U);
  }
  const VerifyReport report = Verify();
  EXPECT_EQ(report.signed_size, 200U);
  EXPECT_GT(report.checkpoints, 50U);
  EXPECT_GT(ListSegments(chain_.Paths().folder)->size(), 40U);
  EXPECT_EQ(Independent(), 0);
}

TEST_F(SharedChainTest, TheSidecarIndexStaysWhole) {
  const Writer a = Other();
  const Writer b = Other();
  for (std::uint64_t seq = 1; seq <= 20; ++seq) Expect(seq % 3 == 0 ? a : b, seq, seq);
  EXPECT_EQ(std::filesystem::file_size(IndexOf(Segment())), IndexBytes(20));
  // As when a writer was killed before it wrote its entry.
  std::filesystem::resize_file(IndexOf(Segment()), IndexBytes(19));
  Expect(a, 21, 21);
  EXPECT_EQ(std::filesystem::file_size(IndexOf(Segment())), IndexBytes(21));
  std::filesystem::remove(IndexOf(Segment()));
  Expect(b, 22, 22);
  Expect(a, 23, 23);
  EXPECT_EQ(std::filesystem::file_size(IndexOf(Segment())), IndexBytes(23));
}

TEST_F(SharedChainTest, WhatAKilledWriterLeftIsCutByWhoeverIsNext) {
  {
    const Writer a = Other();
    const Writer b = Other();
    Expect(a, 1, 1);
    Expect(b, 2, 2);
    AddBytes(std::string(70, 'x'));
    Expect(a, 3, 4);
    Expect(b, 4, 5);
    EXPECT_EQ(ChainReader::Open(chain_.Paths().folder)->At(3)->view().fields.kind,
              RecordKind::kRecovery);
  }
  EXPECT_EQ(Verify().records, 5U);
}

TEST_F(SharedChainTest, WhatAKilledWriterFinishedWithoutAnsweringStays) {
  const Writer a = Other();
  Expect(a, 1, 1);
  std::string record;
  Hasher hasher;
  const auto head = ChainReader::Open(chain_.Paths().folder)->HashOf(1).value();
  AppendRecord(hasher, {.seq = 2, .previous = head, .payload = "{}"}, record);
  AddBytes(record);
  Expect(a, 3, 3);
  EXPECT_EQ(Verify().records, 3U);
}

TEST_F(SharedChainTest, WaitingForTheTurnEndsAndNamesWhoHasIt) {
  chain_.options.lock_patience = 30ms;
  const Writer a = Other();
  Expect(a, 1, 1);
  const ChainLock lock = ChainLock::Open(chain_.Paths()).value();
  {
    const auto turn = lock.Take(1s);
    ASSERT_TRUE(turn);
    const auto refused = Append(a, 2);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::kTimeout);
    EXPECT_EQ(refused.error().details().at("chain").as_string(), "acme");
    EXPECT_EQ(refused.error().details().at("holder").to_number<int>(), ::getpid());
  }
  Expect(a, 3, 2);
}

TEST_F(SharedChainTest, KnowsThatTheEndWasCutWhileItWasOpen) {
  const Writer a = Other();
  const Writer b = Other();
  Expect(a, 1, 1);
  const auto size = std::filesystem::file_size(Segment());
  Expect(b, 2, 2);
  std::filesystem::resize_file(Segment(), size);
  ExpectDamage(b);
  // Whoever never saw record 2 has only what the store and checkpoints know.
  Expect(a, 3, 2);
  ExpectDamage(b);
}

TEST_F(SharedChainTest, KnowsThatTheChainWasReplacedByAnOlderCopy) {
  const Writer a = Other();
  Expect(a, 1, 1);
  const std::string old = ReadFile(Segment()).value();
  Expect(a, 2, 2);
  ASSERT_TRUE(WriteFileAtomic(Segment(), old));
  ExpectDamage(a);
}

TEST_F(SharedChainTest, KnowsThatTheFolderIsGone) {
  const Writer a = Other();
  Expect(a, 1, 1);
  std::filesystem::remove_all(chain_.Paths().folder);
  ExpectDamage(a);
}

TEST_F(SharedChainTest, KnowsThatTheRecordsOfAnotherDoNotFollow) {
  const Writer a = Other();
  Expect(a, 1, 1);
  std::string record;
  Hasher hasher;
  AppendRecord(hasher, {.seq = 2, .previous = GenesisHash(chain_.tenant), .payload = "{}"}, record);
  AddBytes(record);
  // Nothing says that it was durable: it is cut like any torn end, and kept beside.
  Expect(a, 2, 3);
  EXPECT_EQ(Verify().records, 3U);
}

TEST_F(SharedChainTest, KnowsACheckpointThatDoesNotFollow) {
  chain_.options.checkpoint_records = 1;
  const Writer a = Other();
  Expect(a, 1, 1);
  Expect(a, 2, 2);
  const auto path = chain_.Paths().checkpoints();
  const std::string text = ReadFile(path).value();
  const std::string first(SplitCheckpoints(text).texts.front());
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  ASSERT_EQ(::write(fd.get(), first.data(), first.size()), static_cast<ssize_t>(first.size()));
  ExpectDamage(a);
}

TEST_F(SharedChainTest, ARefusedCommitIsCutBeforeOthersSeeIt) {
  test::FaultyLayer faulty;
  const Writer a = Other(&faulty);
  const Writer b = Other();
  Expect(a, 1, 1);
  faulty.FailAt(2, {.error = EIO});  // the sync of the commit, and nothing else
  EXPECT_EQ(Append(a, 2).error().code(), ErrorCode::kIoError);
  Expect(b, 3, 3);
  EXPECT_EQ(ChainReader::Open(chain_.Paths().folder)->At(2)->view().fields.kind,
            RecordKind::kRecovery);
}

TEST_F(SharedChainTest, ARefusedCommitThatOthersWentOnBehindHasToStay) {
  test::FaultyLayer faulty;
  {
    const Writer a = Other(&faulty);
    const Writer b = Other();
    Expect(a, 1, 1);
    faulty.FailAt(2, {.error = EIO, .times = 1000});
    EXPECT_EQ(Append(a, 2).error().code(), ErrorCode::kIoError);
    Expect(b, 3, 3);
    faulty.Heal();
    Expect(a, 4, 4);
    Expect(b, 5, 5);
  }
  EXPECT_EQ(Verify().records, 5U);
}

// All that a writer is told to have passed over.
struct Passed {
  std::mutex mutex;
  std::vector<PassedRecords> all;
};

TEST_F(SharedChainTest, TellsWhatOthersAppendedWithoutAGap) {
  const auto record = [](int action, RecordKind kind) {
    const json::object payload{
        {"workflow", "w"}, {"action_hash", Sha256Hex(std::to_string(action))}, {"turn_id", "t"}};
    return PreparedRecord{kind, CanonicalJson(payload).value()};
  };
  const Writer other = Other();
  ASSERT_TRUE(chain_.Run(other->Append(record(1, RecordKind::kTurnOpened))));
  Passed passed;
  const ChainWriterInput input{.paths = chain_.Paths(),
                               .tenant = chain_.tenant,
                               .known = {},
                               .on_head = {},
                               .indexed = 0,
                               .on_passed = [&](PassedRecords records) {
                                 const std::scoped_lock lock(passed.mutex);
                                 passed.all.push_back(std::move(records));
                               }};
  {
    ChainWriter own(input, chain_.options, chain_.key, chain_.clock, chain_.plain);
    ASSERT_EQ(chain_.Run(own.Append(record(2, RecordKind::kTurnOpened)))->seq, 2U);
    ASSERT_TRUE(chain_.Run(other->Append(record(1, RecordKind::kTurnClosed))));
    Expect(other, 7, 4);
    AddBytes("torn");
    ASSERT_EQ(chain_.Run(own.Append(record(2, RecordKind::kTurnClosed)))->seq, 6U);
  }
  ASSERT_EQ(passed.all.size(), 2U);
  EXPECT_EQ(passed.all[0].first, 1U);
  EXPECT_EQ(passed.all[0].last, 1U);
  EXPECT_EQ(passed.all[0].actions.at(0).state, store::ActionState::kOpen);
  // The fifth says what was cut.
  EXPECT_EQ(passed.all[1].first, 3U);
  EXPECT_EQ(passed.all[1].last, 5U);
  ASSERT_EQ(passed.all[1].actions.size(), 1U);
  EXPECT_EQ(passed.all[1].actions[0].seq, 3U);
  EXPECT_EQ(passed.all[1].actions[0].state, store::ActionState::kTerminal);
}

struct ToldRecord {
  std::uint64_t number = 0;
  std::uint64_t seq = 0;
};

Task<void> AppendNumbered(ChainWriter* writer, std::uint64_t number, int pipe) {
  for (;; ++number) {
    const auto receipt = co_await writer->Append(test::TestChain::Record(number));
    if (!receipt) {
      std::fprintf(stderr, "%s\n", receipt.error().message().c_str());
      _exit(3);
    }
    const ToldRecord told{number, receipt->seq};
    if (::write(pipe, &told, sizeof(told)) != sizeof(told)) _exit(4);
  }
}

// Processes that append to one chain, each until it is killed; another takes its place.
class Herd {
 public:
  Herd(test::TestChain& chain, std::size_t count) : chain_(chain) {
    for (std::size_t i = 0; i < count; ++i) children_.push_back(Spawn());
  }
  ~Herd() {
    while (!children_.empty()) KillOne(0, Replace::kNo);
  }

  enum class Replace { kYes, kNo };
  void KillOne(std::size_t which, Replace replace) {
    const Child child = children_[which];
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(which));
    ::kill(child.pid, SIGKILL);
    Drain(child);
    ::close(child.pipe);
    int status = 0;
    ::waitpid(child.pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "a writer gave up: " << WEXITSTATUS(status);
    if (replace == Replace::kYes) children_.push_back(Spawn());
  }
  // Waits for answers until there are `count`.
  void AwaitTold(std::size_t count) {
    while (told_.size() < count && !testing::Test::HasFailure()) {
      std::vector<pollfd> polled;
      for (const Child& child : children_) polled.push_back({child.pipe, POLLIN, 0});
      ASSERT_GT(::poll(polled.data(), polled.size(), 30'000), 0) << "nobody gets on";
      for (std::size_t i = 0; i < polled.size(); ++i) {
        if (polled[i].revents != 0) ReadOne(children_[i]);
      }
    }
  }
  std::size_t size() const { return children_.size(); }
  const std::map<std::uint64_t, std::uint64_t>& told() const { return told_; }

 private:
  struct Child {
    pid_t pid;
    int pipe;
  };

  Child Spawn() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const std::uint64_t first = ++spawned_ * 1'000'000;
    const pid_t pid = ::fork();
    if (pid == 0) Live(first, ends[1]);
    ::close(ends[1]);
    return {pid, ends[0]};
  }
  [[noreturn]] void Live(std::uint64_t first, int pipe) {
    boost::asio::io_context io;
    const auto writer = chain_.Writer();
    for (std::uint64_t i = 0; i < 8; ++i) {
      boost::asio::co_spawn(io, AppendNumbered(writer.get(), first + i * 100'000, pipe),
                            [](std::exception_ptr) {});
    }
    io.run();
    _exit(5);
  }
  bool ReadOne(const Child& child) {
    ToldRecord told;
    if (::read(child.pipe, &told, sizeof(told)) != static_cast<ssize_t>(sizeof(told))) return false;
    EXPECT_TRUE(told_.emplace(told.number, told.seq).second);
    return true;
  }
  void Drain(const Child& child) {
    while (ReadOne(child)) {
    }
  }

  test::TestChain& chain_;
  std::vector<Child> children_;
  std::uint64_t spawned_ = 0;
  std::map<std::uint64_t, std::uint64_t> told_;  // number to seq
};

class ManyProcessesTest : public SharedChainTest {
 protected:
  void Run(std::size_t processes, std::size_t records, std::size_t kills) {
    chain_.options.segment_bytes = 64 << 10;
    chain_.options.checkpoint_records = 97;
    std::mt19937 random(static_cast<unsigned>(processes));
    Herd herd(chain_, processes);
    for (std::size_t i = 1; i <= kills && !HasFailure(); ++i) {
      herd.AwaitTold(records * i / kills);
      herd.KillOne(random() % herd.size(), Herd::Replace::kYes);
      if (i % 4 == 0) CheckLive();
    }
    while (herd.size() > 0) herd.KillOne(0, Herd::Replace::kNo);
    CheckEnd(herd.told());
  }
  // Readers see a chain that makes sense while others write it.
  void CheckLive() {
    // Those that were killed may leave nobody who has the chain open.
    const auto lock = ChainLock::Open(chain_.Paths());
    ASSERT_TRUE(lock);
    Verify();
    auto reader = ChainReader::Open(chain_.Paths().folder);
    ASSERT_TRUE(reader) << reader.error().message();
    const auto last = reader->LastSeq();
    ASSERT_TRUE(last) << last.error().message();
    const auto page = reader->Query({}, *last > 50 ? *last - 50 : 1, 100);
    EXPECT_TRUE(page) << page.error().message();
  }
  void CheckEnd(const std::map<std::uint64_t, std::uint64_t>& told) {
    ASSERT_TRUE(Append(Other(), 1));
    const VerifyReport report = Verify();
    EXPECT_EQ(report.signed_size, report.records);
    EXPECT_EQ(Independent(), 0);
    std::map<std::uint64_t, std::uint64_t> found;
    auto reader = ChainReader::Open(chain_.Paths().folder).value();
    for (std::uint64_t seq = 1; seq <= report.records; ++seq) {
      const auto record = reader.At(seq);
      ASSERT_TRUE(record) << record.error().message();
      const auto payload = ParseJsonObject(record->view().fields.payload).value();
      if (record->view().fields.kind == RecordKind::kRecovery) continue;
      const auto number = payload.at("number").to_number<std::uint64_t>();
      EXPECT_TRUE(found.emplace(number, seq).second) << "twice: " << number;
    }
    for (const auto& [number, seq] : told) {
      const auto at = found.find(number);
      ASSERT_NE(at, found.end()) << "lost: " << number << ", which was told to be record " << seq;
      EXPECT_EQ(at->second, seq);
    }
    RecordProperty("records", static_cast<int>(report.records));
  }
};

TEST_F(ManyProcessesTest, TwoWhichAreKilledAtRandomLoseAndDoubleNothing) {
  Run(2, 4000, 40);
}

TEST_F(ManyProcessesTest, FourWhichAreKilledAtRandomLoseAndDoubleNothing) {
  Run(4, 8000, 60);
}

}  // namespace
}  // namespace falconer::ledger
