#include "ledger/record.h"

#include <set>

#include <gtest/gtest.h>

#include "base/file.h"
#include "ledger/little_endian.h"

namespace falconer::ledger {
namespace {

std::string Example(Hasher& hasher) {
  std::string bytes;
  AppendRecord(hasher,
               {.kind = RecordKind::kDecision,
                .seq = 7,
                .wall_ms = -5,
                .previous = Sha256Of("before"),
                .payload = R"({"a":1})"},
               bytes);
  return bytes;
}

TEST(RecordTest, ReadsWhatItWrote) {
  Hasher hasher;
  const std::string bytes = Example(hasher);

  const std::string more = bytes + "next";
  const auto record = ReadRecord(more);

  ASSERT_TRUE(record);
  EXPECT_EQ(record->bytes, bytes);
  EXPECT_EQ(record->fields.kind, RecordKind::kDecision);
  EXPECT_EQ(record->fields.seq, 7U);
  EXPECT_EQ(record->fields.wall_ms, -5);
  EXPECT_EQ(record->fields.previous, Sha256Of("before"));
  EXPECT_EQ(record->fields.payload, R"({"a":1})");
  EXPECT_TRUE(record->HasRightHash(hasher));
}

TEST(RecordTest, EveryFlippedBitIsSeen) {
  Hasher hasher;
  const std::string bytes = Example(hasher);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    const auto record = ReadRecord(changed);
    EXPECT_FALSE(record && record->HasRightHash(hasher)) << bit;
  }
}

TEST(RecordTest, NamesWhatIsWrongWithAFrame) {
  Hasher hasher;
  const std::string bytes = Example(hasher);
  std::string wrong = bytes;

  EXPECT_EQ(ReadRecord("").error(), FrameFault::kIncomplete);
  EXPECT_EQ(ReadRecord(bytes.substr(0, bytes.size() - 1)).error(), FrameFault::kIncomplete);
  wrong[5] = 2;
  EXPECT_EQ(ReadRecord(wrong).error(), FrameFault::kBadVersion);
  wrong = bytes;
  wrong[7] = 1;
  EXPECT_EQ(ReadRecord(wrong).error(), FrameFault::kNotZero);
  EXPECT_EQ(ReadRecord(std::string(100, '\0')).error(), FrameFault::kBadLength);
  EXPECT_EQ(ReadRecord(std::string(100, '\xff')).error(), FrameFault::kBadLength);
}

TEST(RecordTest, KindsHaveNamesOfTheirOwnAndThePageListsThem) {
  const auto page =
      ReadFile(std::filesystem::path(__FILE__).parent_path() / "../../docs/ledger.md");
  ASSERT_TRUE(page);
  std::set<std::string_view> names;
  for (const RecordKindRow& row : AllRecordKinds()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(RecordKindNamed(row.name), row.kind);
    const std::string line = "| `" + std::string(row.name) + "` | " +
                             std::to_string(std::to_underlying(row.kind)) + " | " +
                             std::string(row.help) + " |";
    EXPECT_TRUE(page->contains(line)) << line;
  }
  EXPECT_EQ(RecordKindName(static_cast<RecordKind>(77)), "kind_77");
}

}  // namespace
}  // namespace falconer::ledger
