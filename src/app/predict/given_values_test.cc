#include "app/predict/given_values.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::app {
namespace {

Result<predict::ParameterValues> ValuesOf(const std::vector<std::string>& words) {
  return GivenValues(words, [] { return Result<std::string>("from input\n"); });
}

TEST(GivenValuesTest, AWordGivesAParameterItsValue) {
  const auto values = ValuesOf({"product=House blend", "note=a=b", "empty="});

  ASSERT_TRUE(values) << values.error().message();
  EXPECT_EQ(values->at("product"), "House blend");
  EXPECT_EQ(values->at("note"), "a=b");
  EXPECT_EQ(values->at("empty"), "");
}

TEST(GivenValuesTest, WhatIsPrivateComesFromAFileOrFromStandardInput) {
  const auto folder = TempDir::Create("falconer-values-");
  ASSERT_TRUE(folder && WriteFileAtomic(folder->path() / "name", "Ada Lovelace\n"));

  const auto values =
      ValuesOf({"name=@" + (folder->path() / "name").string(), "mail=-", "handle=@@ada"});

  ASSERT_TRUE(values) << values.error().message();
  EXPECT_EQ(values->at("name"), "Ada Lovelace");
  EXPECT_EQ(values->at("mail"), "from input");
  EXPECT_EQ(values->at("handle"), "@ada");
}

TEST(GivenValuesTest, WhatIsWrongIsNamedAndNoValueIsToldAgain) {
  const std::pair<std::vector<std::string>, std::string_view> wrong[] = {
      {{"product"}, "expected NAME=VALUE"},
      {{"=hidden"}, "expected NAME=VALUE"},
      {{"a=hidden", "a=hidden"}, "--param a: is given twice"},
      {{"a=-", "b=-"}, "--param b: standard input is another parameter's already"},
      {{"a=@"}, "--param a: @ names no file"},
      {{"a=" + std::string(10'001, 'h')}, "--param a: has more than 10000 bytes"},
  };
  for (const auto& [words, why] : wrong) {
    const auto values = ValuesOf(words);
    ASSERT_FALSE(values) << why;
    EXPECT_TRUE(values.error().message().contains(why)) << values.error().message();
    EXPECT_FALSE(values.error().message().contains("hidden"));
  }
  EXPECT_EQ(ValuesOf({"a=@/nowhere/at/all"}).error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace falconer::app
