#include "ledger/chain_paths.h"

#include <set>

#include <gtest/gtest.h>

#include "base/file.h"
#include "ledger/segment.h"

namespace falconer::ledger {
namespace {

TEST(ChainPathsTest, TenantsNeverShareAFolder) {
  std::set<std::string> folders;
  const std::string names[] = {"",
                               "a",
                               "A",
                               "a/b",
                               "a_b",
                               "a%2Fb",
                               "..",
                               ".",
                               "%",
                               "%%",
                               "a b",
                               "a\nb",
                               "ä",
                               "a.b",
                               "a-b",
                               std::string(1, '\0'),
                               std::string(300, 'x'),
                               std::string(301, 'x')};
  for (const std::string& name : names) {
    const std::string folder = FolderNameOf(TenantId(name));
    EXPECT_TRUE(folders.insert(folder).second) << folder;
    EXPECT_EQ(folder.find_first_of("/."), std::string::npos) << folder;
    EXPECT_LE(folder.size(), 200U);
    EXPECT_EQ(DecodeTenant(EncodeTenant(name)), name);
  }
}

TEST(ChainPathsTest, RefusesNamesThatItNeverWrites) {
  for (const char* name : {"a.b", "%2f", "%41", "%2", "a%", "%%", ""}) {
    EXPECT_FALSE(DecodeTenant(name)) << name;
  }
}

TEST(ChainPathsTest, ListsSegmentsInOrderAndNothingElse) {
  const auto folder = TempDir::Create("falconer-paths-test-").value();
  const ChainPaths paths{folder.path()};
  for (const std::uint64_t seq : {100U, 1U, 20U}) {
    ASSERT_TRUE(WriteFileAtomic(paths.segment(seq), "x"));
  }
  ASSERT_TRUE(WriteFileAtomic(folder.path() / "1.seg", "x"));
  ASSERT_TRUE(WriteFileAtomic(folder.path() / "00000000000000000000.seg", "x"));
  ASSERT_TRUE(WriteFileAtomic(paths.checkpoints(), "x"));

  const auto segments = ListSegments(folder.path());

  ASSERT_TRUE(segments);
  ASSERT_EQ(segments->size(), 3U);
  EXPECT_EQ((*segments)[0].first_seq, 1U);
  EXPECT_EQ((*segments)[2].first_seq, 100U);
  EXPECT_EQ(ListSegments(folder.path() / "none").error().code(), ErrorCode::kNotFound);
}

TEST(SegmentHeaderTest, ReadsWhatItWroteAndSeesEveryChange) {
  const std::string bytes = EncodeSegmentHeader({TenantId("acme"), 9, Sha256Of("x")});
  const auto parsed = ParseSegmentHeader(bytes + "records");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->bytes, bytes.size());
  EXPECT_EQ(parsed->header.tenant.value(), "acme");
  EXPECT_EQ(parsed->header.first_seq, 9U);
  EXPECT_EQ(parsed->header.previous, Sha256Of("x"));

  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_EQ(ParseSegmentHeader(changed).error().code(), ErrorCode::kLedgerDamaged) << i;
    EXPECT_FALSE(ParseSegmentHeader(bytes.substr(0, i)));
  }
}

}  // namespace
}  // namespace falconer::ledger
