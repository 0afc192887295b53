#include "policy/redaction/known_secrets.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "policy/redaction/secret_variants.h"

namespace falconer::policy {
namespace {

Findings Search(std::span<const NamedSecret> secrets, std::string_view text) {
  Findings found;
  KnownSecrets::Build(secrets)->Search(text, found);
  return found;
}

TEST(KnownSecretsTest, FindsEveryPlaceOfEverySecret) {
  const NamedSecret secrets[] = {{"a", "alpha-1"}, {"b", "beta-22"}};
  const Findings found = Search(secrets, "alpha-1beta-22 x alpha-1");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], (Finding{0, 7, FindingKind::kKnownSecret, 0}));
  EXPECT_EQ(found[1], (Finding{7, 14, FindingKind::kKnownSecret, 1}));
  EXPECT_EQ(found[2], (Finding{17, 24, FindingKind::kKnownSecret, 0}));
}

TEST(KnownSecretsTest, TheLongestOfSeveralWins) {
  const NamedSecret secrets[] = {{"short", "pass"}, {"long", "password"}};
  const Findings found = Search(secrets, "my password");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].end, 11U);
  EXPECT_EQ(found[0].secret, 1U);
}

TEST(KnownSecretsTest, LeavesOutWhatIsTooShort) {
  const NamedSecret secrets[] = {{"pin", "123"}};
  EXPECT_TRUE(KnownSecrets::Build(secrets)->empty());
  EXPECT_TRUE(Search(secrets, "123 123").empty());
  EXPECT_TRUE(Search({}, "text").empty());
}

TEST(KnownSecretsTest, FindsEveryVariantOfTwoHundredSecrets) {
  std::vector<std::string> values;
  std::vector<NamedSecret> secrets;
  for (int i = 0; i < 200; ++i) {
    values.push_back("S/e&c\"r" + std::to_string(i * 7919) + "ü t+" + std::to_string(i));
  }
  for (const std::string& value : values) secrets.push_back({"s", value});
  const auto known = KnownSecrets::Build(secrets);
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    for (const std::string& variant : VariantsOf(values[i])) {
      Findings found;
      const std::string text = "<" + variant + ">";
      known->Search(text, found);
      ASSERT_FALSE(found.empty()) << variant;
      // Another secret's form may be a part of this one; nothing of it may be left all the same.
      EXPECT_EQ(found.front().begin, 1U) << variant;
    }
  }
}

TEST(KnownSecretsTest, FindsAValueThatTheEndOfTheTextCutsOff) {
  const NamedSecret secrets[] = {{"a", "correct horse battery"}};
  for (const std::string_view text :
       {"=correct ho", "=correct horse...", "=correct horse\xE2\x80\xA6"}) {
    const Findings found = Search(secrets, text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].begin, 1U);
  }
  EXPECT_TRUE(Search(secrets, "=correct").empty()) << "seven letters are a word";
  EXPECT_TRUE(Search(secrets, "=correct home").empty());
}

TEST(KnownSecretsTest, FindsPiecesOfALongValue) {
  std::string value;
  for (int i = 0; i < 2048; ++i) value += static_cast<char>('!' + (i * 37 + i / 90) % 90);
  const NamedSecret secrets[] = {{"long", value}};
  for (const std::size_t begin : {0U, 1U, 100U, 1000U}) {
    EXPECT_FALSE(Search(secrets, "<" + value.substr(begin, 200) + ">").empty()) << begin;
  }
}

TEST(KnownSecretsTest, FindsTheGreaterPartOfAValue) {
  const NamedSecret secrets[] = {{"a", "correct horse-17"}};
  for (const std::string_view part : {"orrect horse-17", "correct horse-1", "ect horse-17"}) {
    const std::string text = "<" + std::string(part) + ">";
    const Findings found = Search(secrets, text);
    ASSERT_FALSE(found.empty()) << part;
    EXPECT_EQ(found.front().begin, 1U) << part;
  }
  EXPECT_TRUE(Search(secrets, "<correct ho> and <horse-17>").empty());
}

TEST(KnownSecretsTest, AShortCodeIsNotFoundInDigestsAndTimes) {
  const NamedSecret secrets[] = {{"code", "482913"}, {"pin", "beef"}};
  for (const std::string_view text : {"1a482913bcdef0", "1748291355123", "sha256:00beef00ffffff"}) {
    EXPECT_TRUE(Search(secrets, text).empty()) << text;
  }
  for (const std::string_view text : {"482913", "code482913!", "code=482913&x", "\"beef\""}) {
    EXPECT_EQ(Search(secrets, text).size(), 1U) << text;
  }
}

TEST(KnownSecretsTest, FindsWhatBrowsersMakeOfIt) {
  const NamedSecret secrets[] = {{"s", "a  b\"c{d}<e>#f?'g ü"}};
  for (const std::string_view text :
       {"http://h/#a%20%20b%22c{d}%3Ce%3E#f?'g%20%C3%BC",
        "?q=a%20%20b%22c{d}%3Ce%3E%23f?%27g%20%C3%BC",
        "/a%20%20b%22c%7Bd%7D%3Ce%3E%23f%3F'g%20%C3%BC", "shown: a b\"c{d}<e>#f?'g ü"}) {
    EXPECT_EQ(Search(secrets, text).size(), 1U) << text;
  }
}

TEST(SecretVariantsTest, EachIsThereOnceAndLongEnough) {
  const auto variants = VariantsOf("a b/c\"d<e>&'f+ü");
  for (const std::string& variant : variants) {
    EXPECT_GE(variant.size(), kShortestSearched);
    EXPECT_EQ(std::ranges::count(variants, variant), 1) << variant;
  }
  EXPECT_EQ(variants.front(), "a b/c\"d<e>&'f+ü");
  EXPECT_EQ(VariantsOf("plain").front(), "plain");
}

}  // namespace
}  // namespace falconer::policy
