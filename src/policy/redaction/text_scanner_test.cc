#include "policy/redaction/text_scanner.h"

#include <gtest/gtest.h>

#include "policy/redaction/number_detectors.h"

namespace falconer::policy {
namespace {

TEST(TextScannerTest, FindsWhatItFindsAtEveryPlace) {
  struct Row {
    std::string_view text;
    std::string_view value;
    FindingKind kind;
  };
  const Row rows[] = {
      {"ghp_abcdefghij0123456789ABCDEFGHIJ", "ghp_abcdefghij0123456789ABCDEFGHIJ",
       FindingKind::kApiKey},
      {"jane.doe@example.com", "jane.doe@example.com", FindingKind::kEmail},
      {"4111 1111 1111 1111", "4111 1111 1111 1111", FindingKind::kCard},
      {"password=hunter2", "hunter2", FindingKind::kPassword},
      {"aB3dE6gH9jK2mN5pQ8sT1vW4", "aB3dE6gH9jK2mN5pQ8sT1vW4", FindingKind::kHighEntropy},
      {"+49 30 1234567", "+49 30 1234567", FindingKind::kPhone},
  };
  for (const Row& row : rows) {
    for (std::size_t before = 0; before <= 70; ++before) {
      // Behind signs, and behind one long word.
      for (const char filler : {' ', 'x'}) {
        std::string text(before, filler);
        text += " " + std::string(row.text) + " and more";
        Findings found;
        ScanText(text, found);
        ASSERT_EQ(found.size(), 1U) << row.text << " behind " << before;
        const std::string_view value =
            std::string_view(text).substr(found[0].begin, found[0].end - found[0].begin);
        ASSERT_EQ(value, row.value) << before;
        ASSERT_EQ(found[0].kind, row.kind) << row.text;
      }
    }
  }
}

TEST(TextScannerTest, LooksAtTheRestOfAWordThatAFindingEndedIn) {
  const std::string text = "see jane@example.com_aB3dE6gH9jK2mN5pQ8sT1vW4 and more";
  Findings found;
  ScanText(text, found);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, FindingKind::kEmail);
  EXPECT_EQ(found[1].kind, FindingKind::kHighEntropy);
}

TEST(TextScannerTest, ANumberNeedsItsDigitsNear) {
  for (const std::string_view text :
       {"4111111111111111", "4111 1111", "1-2-3-4-5-6-7-8", "123-45-6789", "12345678:"}) {
    EXPECT_TRUE(CanBeginNumber(text)) << text;
  }
  for (const std::string_view text :
       {"", "1", "1234567", "1234567x8", "1234  5678", "12.345678", "1234 x5678", "1 -2345678"}) {
    EXPECT_FALSE(CanBeginNumber(text)) << text;
  }
}

}  // namespace
}  // namespace falconer::policy
