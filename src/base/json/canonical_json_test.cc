#include "base/json/canonical_json.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace falconer {
namespace {

std::string Canonical(std::string_view text) {
  const Result<std::string> out = CanonicalizeJson(text);
  return out ? *out : "refused: " + out.error().message();
}

std::string WhyNot(const json::value& value) {
  const Result<std::string> out = CanonicalJson(value);
  return out ? "written" : out.error().message();
}

struct Number {
  std::uint64_t bits;
  std::string_view text;
};

TEST(EcmaNumberTest, MatchesTheVectorsOfTheRfc) {
  constexpr Number kNumbers[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };

  for (const Number& number : kNumbers) {
    EXPECT_EQ(EcmaNumber(std::bit_cast<double>(number.bits)), number.text);
  }
}

TEST(CanonicalJsonTest, WritesNumbersOfEveryLayout) {
  EXPECT_EQ(Canonical("[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,56.0]"),
            "[333333333.3333333,1e+30,4.5,0.002,1e-27,0,56]");
  EXPECT_EQ(Canonical("[1,-1,10,123456789012,1.5e300,100,0.1]"),
            "[1,-1,10,123456789012,1.5e+300,100,0.1]");
}

TEST(CanonicalJsonTest, SortsKeysByUtf16CodeUnits) {
  EXPECT_EQ(
      Canonical(R"({"\ufb33":1,"\ud83d\ude02":2,"\u20ac":3,"\r":4,"1":5,"\u0080":6,"\u00f6":7})"),
      "{\"\\r\":4,\"1\":5,\"\u0080\":6,\"ö\":7,\"€\":3,\"😂\":2,\"\ufb33\":1}");
  EXPECT_EQ(Canonical(R"({"ab":1,"a":2,"":3,"A":4,"aa":5})"),
            R"({"":3,"A":4,"a":2,"aa":5,"ab":1})");
}

TEST(CanonicalJsonTest, UsesTheShortestEscapes) {
  EXPECT_EQ(Canonical(R"("\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/\b\t\f\r\u007f")"),
            "\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\\b\\t\\f\\r\x7f\"");
}

TEST(CanonicalJsonTest, KeepsTheOrderOfArraysAndDropsWhiteSpace) {
  EXPECT_EQ(Canonical(" [ 3 , { \"b\" : [ ] , \"a\" : { } } , null , true , false ] "),
            R"([3,{"a":{},"b":[]},null,true,false])");
}

TEST(CanonicalJsonTest, RefusesWhatTheFormCannotCarry) {
  EXPECT_EQ(WhyNot({{"a", {{"b", {1, std::numeric_limits<double>::infinity()}}}}}),
            "canonical JSON: a.b.[1]: the number is not finite");
  EXPECT_EQ(WhyNot(std::numeric_limits<double>::quiet_NaN()),
            "canonical JSON: the number is not finite");
  EXPECT_EQ(WhyNot({{"a", "\xff"}}), "canonical JSON: a: the string is not valid UTF-8");
  EXPECT_EQ(WhyNot("\xed\xa0\x80"), "canonical JSON: the string is not valid UTF-8");
  EXPECT_EQ(WhyNot({{"\xc3", 1}}), "canonical JSON: the string is not valid UTF-8");
}

TEST(CanonicalJsonTest, RefusesWholeNumbersADoubleWouldRound) {
  constexpr std::string_view kWhy = "canonical JSON: the whole number is not exact as a double";
  EXPECT_EQ(WhyNot(std::int64_t{9007199254740993}), kWhy);
  EXPECT_EQ(WhyNot(std::numeric_limits<std::int64_t>::max()), kWhy);
  EXPECT_EQ(WhyNot(std::numeric_limits<std::uint64_t>::max()), kWhy);
  EXPECT_EQ(WhyNot(std::int64_t{-9007199254740993}), kWhy);
  EXPECT_EQ(Canonical("[9007199254740992,-9223372036854775808,9223372036854775808]"),
            "[9007199254740992,-9223372036854776000,9223372036854776000]");
}

TEST(CanonicalJsonTest, RefusesAKeyGivenTwice) {
  EXPECT_EQ(Canonical(R"({"a":1,"a":1})"),
            "refused: JSON at offset 9: the key \"a\" is given twice");
}

TEST(CanonicalJsonTest, RefusesValuesNestedTooDeep) {
  json::value value;
  for (std::size_t i = 0; i <= kMaxJsonDepth; ++i) value = json::array{std::move(value)};

  EXPECT_TRUE(WhyNot(value).ends_with("nested too deep"));
}

TEST(CanonicalJsonTest, IsAFixedPoint) {
  const std::string once = Canonical(R"({"z":[1e21,1e-7,"é\u0001"],"a":{"b":-0.0,"a":1e0}})");

  EXPECT_EQ(Canonical(once), once);
}

}  // namespace
}  // namespace falconer
