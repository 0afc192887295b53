#include "ledger/chain_writer.h"

#include <atomic>
#include <cerrno>
#include <set>
#include <thread>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>

#include "ledger/reader.h"
#include "ledger/verifier.h"
#include "tests/support/test_chain.h"

namespace falconer::ledger {
namespace {

using namespace std::chrono_literals;

// A disk that can be told to fail.
class FaultyLayer final : public FileLayer {
 public:
  ssize_t Write(int fd, const char* bytes, std::size_t size) override {
    const std::int64_t room = room_.load();
    if (room < 0) return FileLayer::Write(fd, bytes, size);
    if (room == 0) {
      errno = ENOSPC;
      return -1;
    }
    const auto part = std::min(size, static_cast<std::size_t>(room));
    room_ -= static_cast<std::int64_t>(part);
    return FileLayer::Write(fd, bytes, part);
  }
  int Sync(int fd) override {
    ++syncs;
    if (!fails_sync) return FileLayer::Sync(fd);
    errno = EIO;
    return -1;
  }
  int Truncate(int fd, off_t size) override {
    if (!fails_truncate) return FileLayer::Truncate(fd, size);
    errno = EIO;
    return -1;
  }

  void LeaveRoom(std::int64_t bytes) { room_ = bytes; }
  void MakeRoom() { room_ = -1; }

  std::atomic<bool> fails_sync = false;
  std::atomic<bool> fails_truncate = false;
  std::atomic<int> syncs = 0;

 private:
  std::atomic<std::int64_t> room_ = -1;
};

class ChainWriterTest : public testing::Test {
 protected:
  VerifyReport Verify(UnsignedTail tail = UnsignedTail::kFinding) {
    auto report = VerifyChain({.folder = chain_.Paths().folder,
                               .tenant = chain_.tenant,
                               .keys = {chain_.key.public_key()},
                               .head = chain_.head,
                               .unsigned_tail = tail});
    EXPECT_TRUE(report) << report.error().message();
    for (const Finding& finding : report->findings) {
      ADD_FAILURE() << json::serialize(finding.ToJson());
    }
    return *std::move(report);
  }
  std::filesystem::path Segment(std::uint64_t first = 1) const {
    return chain_.Paths().segment(first);
  }
  Result<Receipt> Append(std::uint64_t number) {
    return chain_.Run(chain_.Writer()->Append(test::TestChain::Record(number)));
  }

  test::TestChain chain_;
  FaultyLayer layer_;
};

TEST_F(ChainWriterTest, NumbersRecordsAndChainsThem) {
  chain_.Fill(5);
  auto reader = ChainReader::Open(chain_.Paths().folder).value();

  Sha256Digest previous = GenesisHash(chain_.tenant);
  for (std::uint64_t seq = 1; seq <= 5; ++seq) {
    const auto record = reader.At(seq);
    ASSERT_TRUE(record) << record.error().message();
    EXPECT_EQ(record->view().fields.previous, previous);
    EXPECT_EQ(record->view().fields.payload, test::TestChain::Record(seq).payload);
    previous = record->view().hash;
  }
  EXPECT_EQ(chain_.head->seq, 5U);
  EXPECT_EQ(chain_.head->record_hash, previous);
  const VerifyReport report = Verify();
  EXPECT_EQ(report.records, 5U);
  EXPECT_EQ(report.signed_size, 5U);
  EXPECT_EQ(report.root, chain_.head->tree_root);
}

TEST_F(ChainWriterTest, GoesOnWhereItStopped) {
  chain_.Fill(3);
  chain_.known = chain_.head;
  EXPECT_EQ(Append(4)->seq, 4U);
  chain_.known = chain_.head;
  EXPECT_EQ(Append(5)->seq, 5U);
  EXPECT_EQ(Verify().records, 5U);
}

struct Crowd {
  boost::asio::io_context* io;
  int left;
  std::set<std::uint64_t> seqs;
};

// One of many that append at once; the last one ends the loop.
Task<void> AppendSome(ChainWriter* writer, Crowd* crowd, int count) {
  std::uint64_t last = 0;
  for (int i = 0; i < count; ++i) {
    const auto receipt =
        co_await writer->Append(test::TestChain::Record(static_cast<std::uint64_t>(i)));
    EXPECT_TRUE(receipt);
    if (!receipt) break;
    EXPECT_GT(receipt->seq, last);
    last = receipt->seq;
    EXPECT_TRUE(crowd->seqs.insert(receipt->seq).second);
  }
  if (--crowd->left == 0) crowd->io->stop();
}

TEST_F(ChainWriterTest, ManyAppendsAtOnceGetConsecutiveNumbersAndShareSyncs) {
  chain_.layer = &layer_;
  constexpr int kTasks = 64;
  constexpr int kEach = 50;
  Crowd crowd{.io = &chain_.io, .left = kTasks};
  const auto writer = chain_.Writer();
  for (int i = 0; i < kTasks; ++i) {
    boost::asio::co_spawn(chain_.io, AppendSome(writer.get(), &crowd, kEach),
                          [](std::exception_ptr) {});
  }
  chain_.io.run_for(30s);

  EXPECT_EQ(crowd.seqs.size(), static_cast<std::size_t>(kTasks * kEach));
  EXPECT_EQ(*crowd.seqs.rbegin(), static_cast<std::uint64_t>(kTasks * kEach));
  EXPECT_LT(layer_.syncs, kTasks * kEach / 4);
  EXPECT_EQ(ChainReader::Open(chain_.Paths().folder)->LastSeq(),
            static_cast<std::uint64_t>(kTasks * kEach));
}

TEST_F(ChainWriterTest, BeginsANewSegmentWhenOneIsFull) {
  chain_.options.segment_bytes = 1000;
  chain_.Fill(20);

  EXPECT_GT(ListSegments(chain_.Paths().folder)->size(), 3U);
  EXPECT_EQ(Verify().records, 20U);
  chain_.known = chain_.head;
  EXPECT_EQ(Append(21)->seq, 21U);
  EXPECT_EQ(Verify().records, 21U);
}

TEST_F(ChainWriterTest, SignsCheckpointsByCountAndAtTheEnd) {
  chain_.options.checkpoint_records = 4;
  chain_.Fill(10);

  const VerifyReport report = Verify();
  EXPECT_EQ(report.checkpoints, 3U);
  EXPECT_EQ(report.signed_size, 10U);
}

TEST_F(ChainWriterTest, SignsACheckpointAfterAWhile) {
  chain_.options.checkpoint_interval = 1ms;
  const auto writer = chain_.Writer();
  ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(1))));
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  const auto checkpoints = chain_.Paths().checkpoints();
  while (std::filesystem::file_size(checkpoints) == 0 &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_GT(std::filesystem::file_size(checkpoints), 0U);
}

TEST_F(ChainWriterTest, GivesACheckpointWhenAsked) {
  const auto writer = chain_.Writer();
  EXPECT_EQ(chain_.Run(writer->AddCheckpoint()).error().code(), ErrorCode::kNotFound);
  ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(1))));
  const auto checkpoint = chain_.Run(writer->AddCheckpoint());
  ASSERT_TRUE(checkpoint);
  EXPECT_EQ(checkpoint->size(), 1U);
  EXPECT_EQ(chain_.Run(writer->AddCheckpoint())->TextHash(), checkpoint->TextHash());
}

TEST_F(ChainWriterTest, RefusesMoreThanItMayHold) {
  chain_.options.queue_bound = 0;
  EXPECT_EQ(Append(1).error().code(), ErrorCode::kQueueFull);
}

TEST_F(ChainWriterTest, AFullDiskRefusesWhatMetItAndNothingElse) {
  chain_.layer = &layer_;
  {
    const auto writer = chain_.Writer();
    ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(1))));
    const auto size = std::filesystem::file_size(Segment());
    layer_.LeaveRoom(40);
    const auto refused = chain_.Run(writer->Append(test::TestChain::Record(2)));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::kIoError);
    EXPECT_TRUE(refused.error().message().contains(".seg")) << refused.error().message();
    EXPECT_TRUE(refused.error().message().contains("No space")) << refused.error().message();
    EXPECT_EQ(std::filesystem::file_size(Segment()), size);
    layer_.MakeRoom();
    EXPECT_EQ(chain_.Run(writer->Append(test::TestChain::Record(3)))->seq, 2U);
  }
  EXPECT_EQ(Verify().records, 2U);
}

TEST_F(ChainWriterTest, AFullDiskAtTheStartOfASegmentLeavesNoSegment) {
  chain_.layer = &layer_;
  chain_.options.segment_bytes = 1;
  {
    const auto writer = chain_.Writer();
    ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(1))));
    layer_.LeaveRoom(10);
    ASSERT_FALSE(chain_.Run(writer->Append(test::TestChain::Record(2))));
    EXPECT_FALSE(std::filesystem::exists(Segment(2)));
    layer_.MakeRoom();
    EXPECT_EQ(chain_.Run(writer->Append(test::TestChain::Record(3)))->seq, 2U);
  }
  EXPECT_EQ(Verify().records, 2U);
}

TEST_F(ChainWriterTest, AfterAFailedSyncTheRefusedRecordsAreGoneAndTheChainIsCheckedAnew) {
  chain_.layer = &layer_;
  {
    const auto writer = chain_.Writer();
    ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(1))));
    layer_.fails_sync = true;
    EXPECT_EQ(chain_.Run(writer->Append(test::TestChain::Record(2))).error().code(),
              ErrorCode::kIoError);
    EXPECT_EQ(chain_.Run(writer->Append(test::TestChain::Record(3))).error().code(),
              ErrorCode::kIoError);
    layer_.fails_sync = false;
    const auto receipt = chain_.Run(writer->Append(test::TestChain::Record(4)));
    ASSERT_TRUE(receipt) << receipt.error().message();
    // Record 2 of the chain says that something was cut.
    EXPECT_EQ(receipt->seq, 3U);
  }
  auto reader = ChainReader::Open(chain_.Paths().folder).value();
  EXPECT_EQ(reader.At(2)->view().fields.kind, RecordKind::kRecovery);
  EXPECT_EQ(reader.At(3)->view().fields.payload, test::TestChain::Record(4).payload);
  EXPECT_EQ(Verify().records, 3U);
}

TEST_F(ChainWriterTest, WhenTheCutFailsTooTheChainIsOpenedAnew) {
  chain_.layer = &layer_;
  {
    const auto writer = chain_.Writer();
    ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(1))));
    layer_.LeaveRoom(40);
    layer_.fails_truncate = true;
    EXPECT_FALSE(chain_.Run(writer->Append(test::TestChain::Record(2))));
    layer_.MakeRoom();
    EXPECT_FALSE(chain_.Run(writer->Append(test::TestChain::Record(3))));
    layer_.fails_truncate = false;
    EXPECT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(4))));
  }
  EXPECT_EQ(Verify().records, 3U);
}

TEST_F(ChainWriterTest, CutsATornEndAndRecordsIt) {
  chain_.Fill(3);
  const auto good = std::filesystem::file_size(Segment());
  std::string torn;
  Hasher hasher;
  AppendRecord(hasher, {.seq = 4, .previous = chain_.head->record_hash, .payload = "{}"}, torn);
  for (const std::size_t size : {std::size_t{1}, std::size_t{50}, torn.size() - 1}) {
    test::TestChain chain;
    chain.Fill(3);
    const auto path = chain.Paths().segment(1);
    ASSERT_TRUE(WriteFileAtomic(path, ReadFile(path).value() + torn.substr(0, size)));

    const auto receipt = chain.Run(chain.Writer()->Append(test::TestChain::Record(9)));

    ASSERT_TRUE(receipt) << receipt.error().message();
    EXPECT_EQ(receipt->seq, 5U);
    auto reader = ChainReader::Open(chain.Paths().folder).value();
    const auto note = RecordToJson(reader.At(4)->view()).value();
    EXPECT_EQ(note.at("kind").as_string(), "recovery");
    EXPECT_EQ(note.at("payload").at("offset").to_number<std::uint64_t>(), good);
    EXPECT_EQ(note.at("payload").at("bytes").to_number<std::uint64_t>(), size);
  }
}

TEST_F(ChainWriterTest, TakesUpRecordsThatWereDurableButNotYetTold) {
  chain_.Fill(3);
  chain_.known = chain_.head;
  std::filesystem::remove(chain_.Paths().checkpoints());
  chain_.Fill(2);
  chain_.known->seq = 3;
  chain_.known->record_hash = ChainReader::Open(chain_.Paths().folder)->HashOf(3).value();
  EXPECT_EQ(Append(6)->seq, 6U);
}

TEST_F(ChainWriterTest, NeverCutsWhatWasDurable) {
  chain_.Fill(5);
  const std::string good = ReadFile(Segment()).value();
  chain_.known = chain_.head;
  const auto refuse = [&](std::string content, std::string_view why) {
    ASSERT_TRUE(WriteFileAtomic(Segment(), content));
    const auto refused = Append(6);
    ASSERT_FALSE(refused) << why;
    EXPECT_EQ(refused.error().code(), ErrorCode::kLedgerDamaged) << refused.error().message();
    EXPECT_TRUE(refused.error().details().contains("seq")) << why;
    EXPECT_EQ(ReadFile(Segment()).value(), content) << why;
  };

  std::string changed = good;
  changed[changed.size() - 40] ^= 1;
  refuse(changed, "a changed byte");
  refuse(good.substr(0, good.size() - 10), "a cut record");
  refuse(good.substr(0, 300), "several cut records");
  std::filesystem::remove(chain_.Paths().checkpoints());
  refuse(good.substr(0, good.size() - 10), "a cut record that only the store knows");
}

TEST_F(ChainWriterTest, KnowsARollbackByTheStoreEvenWhenEverythingIsGone) {
  chain_.Fill(5);
  chain_.known = chain_.head;
  std::filesystem::remove_all(chain_.Paths().folder);
  EXPECT_EQ(Append(6).error().code(), ErrorCode::kLedgerDamaged);
}

TEST_F(ChainWriterTest, KnowsARewrittenChainByTheStore) {
  chain_.Fill(5);
  chain_.known = chain_.head;
  chain_.known->record_hash[0] ^= 1U;
  EXPECT_EQ(Append(6).error().code(), ErrorCode::kLedgerDamaged);
}

TEST_F(ChainWriterTest, KnowsARollbackByTheAnchor) {
  const auto anchor = TempDir::Create("falconer-anchor-test-").value();
  chain_.options.anchor_folder = anchor.path();
  chain_.Fill(2);
  const auto copy = TempDir::Create("falconer-copy-test-").value();
  std::filesystem::copy(chain_.Paths().folder, copy.path() / "c",
                        std::filesystem::copy_options::recursive);
  chain_.Fill(2);
  std::filesystem::remove_all(chain_.Paths().folder);
  std::filesystem::copy(copy.path() / "c", chain_.Paths().folder,
                        std::filesystem::copy_options::recursive);

  const auto refused = Append(9);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kLedgerDamaged) << refused.error().message();
}

TEST_F(ChainWriterTest, RefusesAChainOfAnotherTenant) {
  chain_.Fill(2);
  chain_.tenant = TenantId("other");
  std::filesystem::rename(ChainPaths::Of(chain_.folder.path(), TenantId("acme")).folder,
                          chain_.Paths().folder);
  EXPECT_EQ(Append(3).error().code(), ErrorCode::kLedgerDamaged);
}

TEST_F(ChainWriterTest, RefusesCheckpointsThatItsKeyDidNotSign) {
  chain_.Fill(2);
  std::filesystem::remove_all(chain_.folder.path() / "keys");
  chain_.key = SigningKey::LoadOrCreate(chain_.folder.path()).value();
  EXPECT_EQ(Append(3).error().code(), ErrorCode::kLedgerDamaged);
}

TEST_F(ChainWriterTest, ATornCheckpointIsMadeAnew) {
  chain_.Fill(2);
  const auto path = chain_.Paths().checkpoints();
  const std::string text = ReadFile(path).value();
  ASSERT_TRUE(WriteFileAtomic(path, text + text.substr(0, 100)));
  EXPECT_TRUE(Append(3));
  EXPECT_EQ(Verify().signed_size, 3U);
}

TEST_F(ChainWriterTest, ASegmentWithoutItsHeaderIsDroppedWhenACrashLeftIt) {
  chain_.options.segment_bytes = 1;
  chain_.Fill(2);
  for (const char* content : {"", "FALCLDG1", "garbage"}) {
    test::TestChain chain;
    chain.options.segment_bytes = 1;
    chain.Fill(2);
    ASSERT_TRUE(WriteFileAtomic(chain.Paths().segment(3), content));
    const auto receipt = chain.Run(chain.Writer()->Append(test::TestChain::Record(9)));
    ASSERT_TRUE(receipt) << receipt.error().message();
    EXPECT_EQ(receipt->seq, 4U);
  }
}

}  // namespace
}  // namespace falconer::ledger
