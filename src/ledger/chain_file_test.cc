#include "ledger/chain_file.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "ledger/archive.h"
#include "ledger/inclusion_proof.h"
#include "ledger/reader.h"
#include "ledger/verifier.h"
#include "tests/support/test_chain.h"

namespace falconer::ledger {
namespace {

// What somebody can put in the place of a file.
struct Disguise {
  const char* name;
  void (*put)(const std::filesystem::path& path);
};

constexpr Disguise kDisguises[] = {
    {"Pipe", [](const std::filesystem::path& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }},
    {"Folder", [](const std::filesystem::path& path) { std::filesystem::create_directory(path); }},
    {"Link",
     [](const std::filesystem::path& path) {
       std::filesystem::rename(path.string() + ".away", path.string() + ".elsewhere");
       std::filesystem::create_symlink(path.string() + ".elsewhere", path);
     }},
};

class ChainFileTest : public testing::TestWithParam<Disguise> {
 protected:
  void SetUp() override { chain_.Fill(5); }

  // The file is moved aside, and something else stands where it was.
  void Disguised(const std::filesystem::path& path) {
    std::filesystem::rename(path, path.string() + ".away");
    GetParam().put(path);
  }
  Result<VerifyReport> Verify() const {
    return VerifyChain({.folder = chain_.Paths().folder,
                        .tenant = chain_.tenant,
                        .keys = {chain_.key.public_key()}});
  }
  void ExpectNamed(const Error& error, const std::filesystem::path& path) {
    EXPECT_EQ(error.code(), ErrorCode::kLedgerDamaged) << Describe(error);
    EXPECT_TRUE(error.message().contains(path.string())) << Describe(error);
  }

  test::TestChain chain_;
};

TEST_P(ChainFileTest, ASegmentThatIsNoPlainFileIsRefusedAndNamed) {
  const auto segment = chain_.Paths().segment(1);
  Disguised(segment);

  EXPECT_EQ(ListChains(chain_.folder.path()).value(), std::vector{chain_.tenant});
  ExpectNamed(ChainReader::Open(chain_.Paths().folder)->At(1).error(), segment);
  ExpectNamed(chain_.Run(chain_.Writer()->Append(test::TestChain::Record(6))).error(), segment);
  const auto report = Verify();
  ASSERT_TRUE(report) << Describe(report.error());
  ASSERT_FALSE(report->findings.empty());
  EXPECT_EQ(report->findings.front().kind, FindingKind::kBadFraming);
  EXPECT_EQ(report->findings.front().file, segment.string());
}

TEST_P(ChainFileTest, CheckpointsThatAreNoPlainFileAreRefusedAndNamed) {
  const auto checkpoints = chain_.Paths().checkpoints();
  const PublicKey& key = chain_.key.public_key();
  Disguised(checkpoints);

  ExpectNamed(ProveRecord(chain_.Paths().folder, {}, 1, std::span(&key, 1)).error(), checkpoints);
  ExpectNamed(chain_.Run(chain_.Writer()->Append(test::TestChain::Record(6))).error(), checkpoints);
  const auto report = Verify();
  ASSERT_TRUE(report) << Describe(report.error());
  ASSERT_FALSE(report->findings.empty());
  EXPECT_EQ(report->findings.front().kind, FindingKind::kBadFraming);
  EXPECT_EQ(report->findings.front().file, checkpoints.string());
}

TEST_P(ChainFileTest, AListOfTheArchiveThatIsNoPlainFileIsRefusedAndNamed) {
  const auto archived = chain_.Paths().archived();
  ASSERT_TRUE(WriteFileAtomic(archived, "{}"));
  const PublicKey& key = chain_.key.public_key();
  Disguised(archived);

  ExpectNamed(ArchivedUpTo(chain_.Paths().folder, std::span(&key, 1)).error(), archived);
}

TEST_P(ChainFileTest, AnIndexThatIsNoPlainFileIsDoneWithout) {
  Disguised(IndexOf(chain_.Paths().segment(1)));

  const auto record = ChainReader::Open(chain_.Paths().folder)->At(3);
  EXPECT_TRUE(record) << Describe(record.error());
}

TEST_P(ChainFileTest, ALockThatIsNoPlainFileKeepsNobodyWaiting) {
  const auto lock = chain_.Paths().lock();
  Disguised(lock);

  EXPECT_TRUE(Verify());
  ExpectNamed(chain_.Run(chain_.Writer()->Append(test::TestChain::Record(6))).error(), lock);
}

INSTANTIATE_TEST_SUITE_P(Every, ChainFileTest, testing::ValuesIn(kDisguises),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace falconer::ledger
