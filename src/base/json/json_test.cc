#include "base/json/json.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer {
namespace {

std::string WhyNotParsed(std::string_view text) {
  const Result<json::value> value = ParseJson(text);
  return value ? "parsed" : value.error().message();
}

TEST(ParseJsonTest, ReadsEveryKindOfValue) {
  const Result<json::value> value = ParseJson(R"( {"a":[1,-2,3.5,true,null,"é\n"],"b":{}} )");

  ASSERT_TRUE(value) << value.error().message();
  EXPECT_EQ(json::serialize(*value), R"({"a":[1,-2,3.5E0,true,null,"é\n"],"b":{}})");
}

TEST(ParseJsonTest, NamesTheOffsetOfWhatIsWrong) {
  EXPECT_TRUE(WhyNotParsed(R"({"a":x})").starts_with("JSON at offset 5: "))
      << WhyNotParsed(R"({"a":x})");
  EXPECT_TRUE(WhyNotParsed("{} x").starts_with("JSON at offset 3: ")) << WhyNotParsed("{} x");
  EXPECT_TRUE(WhyNotParsed("").starts_with("JSON at offset 0: ")) << WhyNotParsed("");
  EXPECT_TRUE(WhyNotParsed("[1").starts_with("JSON at offset 2: ")) << WhyNotParsed("[1");
}

TEST(ParseJsonTest, RefusesAKeyGivenTwiceAtAnyDepth) {
  EXPECT_EQ(WhyNotParsed(R"({"a":1,"a":1})"), "JSON at offset 9: the key \"a\" is given twice");
  EXPECT_EQ(WhyNotParsed(R"([{"b":{"k":1,"x":2,"\u006b":3}}])"),
            "JSON at offset 26: the key \"k\" is given twice");
  EXPECT_EQ(WhyNotParsed(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})"), "parsed");
}

TEST(ParseJsonTest, RoundsDoublesToTheNearest) {
  const Result<json::value> value = ParseJson("[333333333.33333329,1E30,4.50,2e-3,5e-324,1e-999]");

  ASSERT_TRUE(value) << value.error().message();
  const json::array& numbers = value->as_array();
  EXPECT_EQ(numbers[0].as_double(), 333333333.33333329);
  EXPECT_EQ(numbers[1].as_double(), 1e30);
  EXPECT_EQ(numbers[2].as_double(), 4.5);
  EXPECT_EQ(numbers[3].as_double(), 2e-3);
  EXPECT_EQ(numbers[4].as_double(), 5e-324);
  EXPECT_EQ(numbers[5].as_double(), 0.0);
}

TEST(ParseJsonTest, RefusesNumbersNoDoubleCanHold) {
  EXPECT_TRUE(WhyNotParsed("[1e400]").ends_with("number out of range")) << WhyNotParsed("[1e400]");
  EXPECT_TRUE(WhyNotParsed("-1e309").ends_with("number out of range")) << WhyNotParsed("-1e309");
  EXPECT_NE(WhyNotParsed("1e99999999999"), "parsed");
  EXPECT_NE(WhyNotParsed("[NaN]"), "parsed");
}

TEST(ParseJsonTest, RefusesTextThatIsNotUnicode) {
  EXPECT_NE(WhyNotParsed("\"\xff\""), "parsed");
  EXPECT_NE(WhyNotParsed("\"\xed\xa0\x80\""), "parsed");
  EXPECT_NE(WhyNotParsed(R"("\ud800")"), "parsed");
  EXPECT_NE(WhyNotParsed(R"("\udc00x")"), "parsed");
}

TEST(ParseJsonTest, RefusesTextNestedTooDeep) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };

  EXPECT_EQ(WhyNotParsed(nested(kMaxJsonDepth)), "parsed");
  EXPECT_NE(WhyNotParsed(nested(kMaxJsonDepth + 1)), "parsed");
}

TEST(ParseJsonTest, SurvivesEveryPrefixAndEveryChangedByte) {
  const std::string text = R"({"a":[1,-2.5e3,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":true}})";

  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_FALSE(ParseJson(text.substr(0, i))) << i;
    for (const char byte : {'\0', '"', '\\', '{', ']', '9', '\xff'}) {
      std::string changed = text;
      changed[i] = byte;
      const Result<json::value> value = ParseJson(changed);
      if (value) EXPECT_FALSE(json::serialize(*value).empty());
    }
  }
}

TEST(ParseJsonTest, AsksForAnObjectWhereOneIsNeeded) {
  EXPECT_TRUE(ParseJsonObject("{}"));
  const Result<json::object> list = ParseJsonObject("[]");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().message(), "JSON: expected object, got array");
  EXPECT_EQ(list.error().code(), ErrorCode::kInvalidArgument);
}

TEST(JsonFieldsTest, MissingOrOtherwiseTypedFieldsMeanNo) {
  const json::object answer = {{"name", "Ann"}, {"yes", true}, {"no", false}, {"one", 1}};

  EXPECT_EQ(TextAt(answer, "name"), "Ann");
  EXPECT_EQ(TextAt(answer, "one"), "");
  EXPECT_EQ(TextAt(answer, "gone"), "");
  EXPECT_TRUE(IsTrueAt(answer, "yes"));
  EXPECT_FALSE(IsTrueAt(answer, "no"));
  EXPECT_FALSE(IsTrueAt(answer, "one"));
  EXPECT_FALSE(IsTrueAt(answer, "gone"));
}

}  // namespace
}  // namespace falconer
