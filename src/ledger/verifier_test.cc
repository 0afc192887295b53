#include "ledger/verifier.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ledger/archive.h"
#include "ledger/reader.h"
#include "ledger/segment.h"
#include "tests/support/test_chain.h"

namespace falconer::ledger {
namespace {

class VerifierTest : public testing::Test {
 protected:
  VerifyInput Input() const {
    return {.folder = chain_.Paths().folder,
            .tenant = chain_.tenant,
            .keys = {chain_.key.public_key()}};
  }
  VerifyReport Verify(const VerifyInput& input) const {
    auto report = VerifyChain(input);
    EXPECT_TRUE(report) << report.error().message();
    return *std::move(report);
  }
  VerifyReport Verify() const { return Verify(Input()); }
  std::set<FindingKind> Kinds() const {
    std::set<FindingKind> kinds;
    for (const Finding& finding : Verify().findings) kinds.insert(finding.kind);
    return kinds;
  }
  // The exit code of the verifier that shares no code with this one.
  int Independent(const std::string& more = "") const {
    const auto tool =
        std::filesystem::path(__FILE__).parent_path() / "../../tools/verify_ledger.py";
    const std::string command = "python3 " + tool.string() + " chain " +
                                chain_.Paths().folder.string() + " --key " +
                                chain_.KeyPath().string() + more + " > /dev/null";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
  }
  // Thousands of times, so without waiting for the disk.
  void Replace(const std::filesystem::path& path, std::string_view content) const {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    ASSERT_TRUE(out << content);
  }
  std::filesystem::path Segment(std::uint64_t first = 1) const {
    return chain_.Paths().segment(first);
  }
  Checkpoint LastCheckpoint() const {
    const std::string text = ReadFile(chain_.Paths().checkpoints()).value();
    return ParseCheckpoint(SplitCheckpoints(text).texts.back()).value();
  }

  test::TestChain chain_;
};

struct Parts {
  std::string header;
  std::vector<std::string> records;

  std::string Join() const {
    std::string out = header;
    for (const std::string& record : records) out += record;
    return out;
  }
};

Parts PartsOf(const std::string& content) {
  Parts parts;
  std::size_t at = ParseSegmentHeader(content)->bytes;
  parts.header = content.substr(0, at);
  while (at < content.size()) {
    const auto record = ReadRecord(std::string_view(content).substr(at));
    parts.records.emplace_back(record->bytes);
    at += record->bytes.size();
  }
  return parts;
}

// The records with all numbers and hashes made anew, as somebody without the key can.
std::string Rechained(const Parts& parts, const TenantId& tenant) {
  Hasher hasher;
  std::string out = parts.header;
  RecordFields fields{.previous = GenesisHash(tenant)};
  for (const std::string& record : parts.records) {
    const RecordFields old = ReadRecord(record)->fields;
    fields.kind = old.kind;
    fields.wall_ms = old.wall_ms;
    fields.payload = old.payload;
    ++fields.seq;
    fields.previous = AppendRecord(hasher, fields, out);
  }
  return out;
}

TEST_F(VerifierTest, AGoodChainHasNoFindingsForBothVerifiers) {
  chain_.options.segment_bytes = 1000;
  chain_.options.checkpoint_records = 4;
  chain_.Fill(20);

  const VerifyReport report = Verify();

  EXPECT_TRUE(report.is_clean());
  EXPECT_EQ(report.first_seq, 1U);
  EXPECT_EQ(report.last_seq, 20U);
  EXPECT_EQ(report.signed_size, 20U);
  EXPECT_EQ(report.root, chain_.head->tree_root);
  EXPECT_EQ(Independent(), 0);
}

TEST_F(VerifierTest, AnEmptyFolderIsAnEmptyChainAndAMissingOneAnError) {
  std::filesystem::create_directories(chain_.Paths().folder);
  EXPECT_TRUE(Verify().is_clean());
  VerifyInput nowhere = Input();
  nowhere.folder = chain_.folder.path() / "none";
  EXPECT_EQ(VerifyChain(nowhere).error().code(), ErrorCode::kNotFound);
}

TEST_F(VerifierTest, FindsEveryFlippedByteOfEveryFile) {
  chain_.options.checkpoint_records = 3;
  chain_.Fill(8);
  std::size_t tried = 0;
  for (const auto& path : {Segment(), chain_.Paths().checkpoints()}) {
    const std::string good = ReadFile(path).value();
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 8)));
      Replace(path, changed);
      EXPECT_FALSE(Verify().is_clean()) << path << " byte " << i;
      if (++tried % 191 == 0) EXPECT_EQ(Independent(), 1) << path << " byte " << i;
    }
    Replace(path, good);
  }
  EXPECT_GT(tried, 3000U);
  EXPECT_TRUE(Verify().is_clean());
}

TEST_F(VerifierTest, FindsEveryCutOfEveryFile) {
  chain_.Fill(6);
  std::size_t tried = 0;
  for (const auto& path : {Segment(), chain_.Paths().checkpoints()}) {
    const std::string good = ReadFile(path).value();
    for (std::size_t size = 0; size < good.size(); ++size) {
      Replace(path, good.substr(0, size));
      EXPECT_FALSE(Verify().is_clean()) << path << " cut at " << size;
      if (++tried % 191 == 0) EXPECT_EQ(Independent(), 1) << path << " cut at " << size;
    }
    Replace(path, good);
  }
  EXPECT_GT(tried, 1500U);
}

TEST_F(VerifierTest, FindsEveryDroppedSwappedDoubledAndInsertedRecord) {
  chain_.Fill(8);
  const Parts good = PartsOf(ReadFile(Segment()).value());
  test::TestChain other("acme");
  other.Fill(8);
  const std::string foreign = PartsOf(ReadFile(other.Paths().segment(1)).value()).records[3];
  const auto check = [&](const Parts& parts, std::string_view what, std::size_t at) {
    Replace(Segment(), parts.Join());
    EXPECT_FALSE(Verify().is_clean()) << what << " " << at;
    if (at == 3) EXPECT_EQ(Independent(), 1) << what << " " << at;
    // The same with every hash made anew is found by the signature alone.
    Replace(Segment(), Rechained(parts, chain_.tenant));
    const auto kinds = Kinds();
    EXPECT_TRUE(kinds.contains(FindingKind::kRecordSignatureMismatch) ||
                kinds.contains(FindingKind::kTruncated) || kinds.contains(FindingKind::kUnsigned))
        << what << " " << at;
    if (at == 3) EXPECT_EQ(Independent(), 1) << what << " " << at;
  };
  for (std::size_t i = 0; i < good.records.size(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>(i);
    Parts parts = good;
    parts.records.erase(parts.records.begin() + place);
    check(parts, "dropped", i);
    parts = good;
    parts.records.insert(parts.records.begin() + place, good.records[i]);
    check(parts, "doubled", i);
    for (std::size_t j = i + 1; j < good.records.size(); ++j) {
      parts = good;
      std::swap(parts.records[i], parts.records[j]);
      check(parts, "swapped", i);
    }
  }
  Parts parts = good;
  parts.records.insert(parts.records.begin() + 4, foreign);
  Replace(Segment(), parts.Join());
  EXPECT_TRUE(Kinds().contains(FindingKind::kChainLinkMismatch));
}

TEST_F(VerifierTest, FindsAChangedPayloadWithEveryHashMadeAnew) {
  chain_.options.checkpoint_records = 2;
  chain_.Fill(6);
  Parts parts = PartsOf(ReadFile(Segment()).value());
  std::string& record = parts.records[2];
  record[record.find("odd")] = 'X';
  Replace(Segment(), Rechained(parts, chain_.tenant));

  const VerifyReport report = Verify();

  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings.front().kind, FindingKind::kRecordSignatureMismatch);
  EXPECT_LE(report.signed_size, 2U);
  EXPECT_EQ(Independent(), 1);
}

TEST_F(VerifierTest, FindsAWholeLogRewrittenAndSignedWithAnotherKey) {
  chain_.Fill(5);
  test::TestChain forged("acme");
  forged.Fill(7);
  std::filesystem::remove_all(chain_.Paths().folder);
  std::filesystem::copy(forged.Paths().folder, chain_.Paths().folder,
                        std::filesystem::copy_options::recursive);

  EXPECT_TRUE(Kinds().contains(FindingKind::kRecordSignatureMismatch));
  EXPECT_EQ(Independent(), 1);
}

TEST_F(VerifierTest, FindsRemovedAndMovedCheckpoints) {
  chain_.options.checkpoint_records = 2;
  chain_.Fill(8);
  const auto path = chain_.Paths().checkpoints();
  const std::string text = ReadFile(path).value();
  const CheckpointTexts split = SplitCheckpoints(text);
  ASSERT_EQ(split.texts.size(), 4U);
  for (std::size_t skip = 0; skip < split.texts.size(); ++skip) {
    std::string left;
    for (std::size_t i = 0; i < split.texts.size(); ++i) {
      if (i != skip) left += split.texts[i];
    }
    Replace(path, left);
    EXPECT_FALSE(Verify().is_clean()) << skip;
    EXPECT_EQ(Independent(), 1) << skip;
  }
  Replace(path, std::string(split.texts[1]) + std::string(split.texts[0]) +
                    std::string(split.texts[2]) + std::string(split.texts[3]));
  EXPECT_FALSE(Verify().is_clean());
  EXPECT_EQ(Independent(), 1);
  std::filesystem::remove(path);
  EXPECT_EQ(Kinds(), std::set{FindingKind::kUnsigned});
  EXPECT_EQ(Independent(), 1);
}

TEST_F(VerifierTest, FindsARollbackByWhatOthersRemember) {
  chain_.Fill(4);
  const std::string old_log = ReadFile(Segment()).value();
  const std::string old_checkpoints = ReadFile(chain_.Paths().checkpoints()).value();
  chain_.Fill(3);
  const Checkpoint kept = LastCheckpoint();
  Replace(Segment(), old_log);
  Replace(chain_.Paths().checkpoints(), old_checkpoints);
  EXPECT_TRUE(Verify().is_clean()) << "nobody remembers: this is what anchors are for";

  VerifyInput with_head = Input();
  with_head.head = chain_.head;
  VerifyInput with_witness = Input();
  with_witness.witnesses = {kept};
  Replace(chain_.folder.path() / "kept", kept.ToText());

  EXPECT_EQ(Verify(with_head).findings.front().kind, FindingKind::kRollback);
  EXPECT_EQ(Verify(with_witness).findings.front().kind, FindingKind::kRollback);
  EXPECT_EQ(Independent(" --checkpoint " + (chain_.folder.path() / "kept").string()), 1);
}

TEST_F(VerifierTest, FindsAForkMadeWithTheStolenKey) {
  chain_.Fill(4);
  const Checkpoint kept = LastCheckpoint();
  const store::ChainHead head = *chain_.head;
  std::filesystem::remove_all(chain_.Paths().folder);
  const auto writer_of_lies = [&] {
    const auto writer = chain_.Writer();
    for (std::uint64_t i = 10; i < 16; ++i) {
      ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(i))));
    }
  };
  writer_of_lies();
  EXPECT_TRUE(Verify().is_clean());

  VerifyInput with_head = Input();
  with_head.head = head;
  VerifyInput with_witness = Input();
  with_witness.witnesses = {kept};

  Replace(chain_.folder.path() / "kept", kept.ToText());

  EXPECT_EQ(Verify(with_head).findings.front().kind, FindingKind::kFork);
  EXPECT_EQ(Verify(with_witness).findings.front().kind, FindingKind::kFork);
  EXPECT_EQ(Independent(), 0);
  EXPECT_EQ(Independent(" --checkpoint " + (chain_.folder.path() / "kept").string()), 1);
}

TEST_F(VerifierTest, FindsTwoSignedRootsForOneSize) {
  chain_.Fill(4);
  Checkpoint lie = LastCheckpoint();
  const Sha256Digest previous = lie.TextHash();
  Hasher hasher;
  MerklePeaks tree;
  for (const char* leaf : {"a", "b", "c", "d"}) tree.Append(hasher, hasher.Leaf(leaf));
  lie.tree = tree;
  lie.previous = previous;
  lie = Sign(lie, chain_.key);
  const auto path = chain_.Paths().checkpoints();
  Replace(path, ReadFile(path).value() + lie.ToText());

  EXPECT_TRUE(Kinds().contains(FindingKind::kFork));
  EXPECT_EQ(Independent(), 1);
}

TEST_F(VerifierTest, FindsMissingSegmentsAndSegmentsOfOthers) {
  chain_.options.segment_bytes = 1000;
  chain_.Fill(20);
  const auto segments = ListSegments(chain_.Paths().folder).value();
  ASSERT_GT(segments.size(), 3U);
  for (const SegmentFile& segment : segments) {
    const std::string good = ReadFile(segment.path).value();
    std::filesystem::remove(segment.path);
    EXPECT_FALSE(Verify().is_clean()) << segment.path;
    EXPECT_EQ(Independent(), 1) << segment.path;
    Replace(segment.path, good);
  }
  VerifyInput other = Input();
  other.tenant = TenantId("other");
  EXPECT_EQ(Verify(other).findings.front().kind, FindingKind::kWrongTenant);
}

TEST_F(VerifierTest, GoesOnFromATrustedCheckpoint) {
  chain_.options.segment_bytes = 1000;
  chain_.Fill(10);
  VerifyInput since = Input();
  since.since = LastCheckpoint();
  chain_.Fill(7);
  // What is far before the trusted checkpoint is not read again.
  std::filesystem::remove(Segment());

  const VerifyReport report = Verify(since);

  EXPECT_TRUE(report.is_clean());
  EXPECT_EQ(report.first_seq, 11U);
  EXPECT_EQ(report.records, 7U);
  EXPECT_EQ(report.root, chain_.head->tree_root);
  since.since->head[0] ^= 1U;
  EXPECT_FALSE(Verify(since).is_clean());
}

TEST_F(VerifierTest, AcceptsTheUnsignedEndOfAChainOnlyWhileItIsWrittenOrAllowed) {
  chain_.Fill(2);
  const std::string checkpoints = ReadFile(chain_.Paths().checkpoints()).value();
  {
    const auto writer = chain_.Writer();
    ASSERT_TRUE(chain_.Run(writer->Append(test::TestChain::Record(3))));
    EXPECT_TRUE(Verify().is_clean());
    EXPECT_EQ(Verify().signed_size, 2U);
  }
  Replace(chain_.Paths().checkpoints(), checkpoints);
  VerifyInput allowed = Input();
  allowed.unsigned_tail = UnsignedTail::kAllowed;
  EXPECT_EQ(Kinds(), std::set{FindingKind::kUnsigned});
  EXPECT_TRUE(Verify(allowed).is_clean());
}

TEST_F(VerifierTest, ArchivedSegmentsAreVerifiedInTheArchiveAndNotMissedWithoutIt) {
  chain_.options.segment_bytes = 1000;
  chain_.Fill(20);
  const auto archive = chain_.folder.path() / "archive";

  const auto moved = ArchiveChain(chain_.Paths(), chain_.key, archive);

  ASSERT_TRUE(moved) << moved.error().message();
  ASSERT_GT(moved->size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(Segment()));
  VerifyInput with_archive = Input();
  with_archive.archive = archive;
  EXPECT_EQ(Verify(with_archive).records, 20U);
  EXPECT_TRUE(Verify(with_archive).is_clean());
  EXPECT_EQ(Independent(" --archive " + archive.string()), 0);
  const VerifyReport without = Verify();
  EXPECT_TRUE(without.is_clean());
  EXPECT_EQ(without.first_seq, moved->back().last_seq + 1);
  EXPECT_EQ(without.root, chain_.head->tree_root);

  const std::vector<PublicKey> keys = {chain_.key.public_key()};
  for (const std::uint64_t seq : {1U, 20U}) {
    const auto record = FindRecord(chain_.Paths().folder, seq, keys);
    ASSERT_TRUE(record) << Describe(record.error());
    EXPECT_EQ(record->view().fields.seq, seq) << "wherever it is now";
  }
  EXPECT_EQ(FindRecord(chain_.Paths().folder, 21, keys).error().code(), ErrorCode::kNotFound);
  const auto away = chain_.folder.path() / "away";
  std::filesystem::rename(archive, away);
  const auto told = FindRecord(chain_.Paths().folder, 1, keys);
  EXPECT_EQ(told.error().code(), ErrorCode::kRecordArchived) << Describe(told.error());
  EXPECT_EQ(TextAt(told.error().details(), "archive"), archive.string());
  std::filesystem::rename(away, archive);

  // It can still be written, and archived again.
  chain_.known = chain_.head;
  chain_.Fill(20);
  EXPECT_TRUE(ArchiveChain(chain_.Paths(), chain_.key, archive));
  EXPECT_TRUE(Verify().is_clean());
  EXPECT_EQ(Verify(with_archive).records, 40U);

  std::string changed = ReadFile(archive / Segment().filename()).value();
  changed[500] ^= 1;
  Replace(archive / Segment().filename(), changed);
  EXPECT_FALSE(Verify(with_archive).is_clean());
  const auto forged = FindRecord(chain_.Paths().folder, 1, keys);
  EXPECT_EQ(forged ? ErrorCode::kInternalError : forged.error().code(), ErrorCode::kLedgerDamaged)
      << "a record of a segment that was changed";
  std::filesystem::remove(chain_.Paths().archived());
  EXPECT_EQ(FindRecord(chain_.Paths().folder, 1, keys).error().code(), ErrorCode::kLedgerDamaged)
      << "nobody says that it was archived";
  EXPECT_EQ(Verify().findings.front().kind, FindingKind::kMissingSegment);
}

TEST_F(VerifierTest, APipeInThePlaceOfAFileKeepsNoVerifierWaiting) {
  chain_.Fill(5);
  for (const auto& path : {Segment(), chain_.Paths().checkpoints()}) {
    const std::string good = ReadFile(path).value();
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);

    EXPECT_TRUE(Kinds().contains(FindingKind::kBadFraming)) << path;
    EXPECT_EQ(Independent(), 1) << path;

    std::filesystem::remove(path);
    Replace(path, good);
  }
  EXPECT_TRUE(Verify().is_clean());
}

}  // namespace
}  // namespace falconer::ledger
