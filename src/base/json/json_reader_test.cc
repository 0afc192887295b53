#include "base/json/json_reader.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer {
namespace {

enum class Button { kLeft, kRight };
constexpr EnumName<Button> kButtons[] = {{Button::kLeft, "left"}, {Button::kRight, "right"}};

struct Point {
  double x = 0;
  double y = 0;
};

struct ClickArgs {
  std::string target;
  Button button = Button::kLeft;
  std::int64_t count = 0;
  std::optional<Point> at;
  std::vector<Point> trail;
  std::vector<std::string> modifiers;
  std::optional<std::chrono::milliseconds> timeout;
};

Point ReadPoint(JsonReader& in) {
  return {.x = in.Number("x", {0, 1000}), .y = in.Number("y")};
}

ClickArgs ReadClick(JsonReader& in) {
  return {.target = in.String("target", {1, 16}),
          .button = in.OptionalEnum("button", kButtons).value_or(Button::kLeft),
          .count = in.OptionalInteger("count", {1, 3}).value_or(1),
          .at = in.OptionalObject("at", ReadPoint),
          .trail = in.OptionalObjects("trail", ReadPoint, {0, 2}),
          .modifiers = in.OptionalStrings("modifiers").value_or(std::vector<std::string>()),
          .timeout = in.OptionalMilliseconds("timeout_ms", {1, 60000})};
}

Result<ClickArgs> Click(std::string_view text) {
  const Result<json::value> value = ParseJson(text);
  EXPECT_TRUE(value) << text;
  return ReadJson(*value, "arguments", ReadClick);
}

std::string WhyNotRead(std::string_view text) {
  const Result<ClickArgs> args = Click(text);
  return args ? "read" : args.error().message();
}

TEST(JsonReaderTest, ReadsEveryField) {
  const Result<ClickArgs> args =
      Click(R"({"target":"e1","button":"right","count":2.0,"at":{"x":1,"y":2.5},
                "trail":[{"x":3,"y":4}],"modifiers":["Alt"],"timeout_ms":250})");

  ASSERT_TRUE(args) << args.error().message();
  EXPECT_EQ(args->target, "e1");
  EXPECT_EQ(args->button, Button::kRight);
  EXPECT_EQ(args->count, 2);
  ASSERT_TRUE(args->at);
  EXPECT_EQ(args->at->y, 2.5);
  ASSERT_EQ(args->trail.size(), 1U);
  EXPECT_EQ(args->trail[0].x, 3);
  EXPECT_EQ(args->modifiers, std::vector<std::string>{"Alt"});
  EXPECT_EQ(args->timeout, std::chrono::milliseconds(250));
}

TEST(JsonReaderTest, TakesNullForAbsentInOptionalFieldsOnly) {
  EXPECT_EQ(WhyNotRead(R"({"target":"e1","button":null,"count":null,"at":null,"trail":null})"),
            "read");
  EXPECT_EQ(WhyNotRead(R"({"target":null})"), "arguments.target: is required");
}

struct BadCase {
  std::string_view text;
  std::string_view why;
};

TEST(JsonReaderTest, NamesThePathAndTheReason) {
  constexpr BadCase kCases[] = {
      {"{}", "arguments.target: is required"},
      {"[]", "arguments: expected object, got array"},
      {R"({"target":1})", "arguments.target: expected string, got number"},
      {R"({"target":""})", "arguments.target: length must be between 1 and 16 bytes, is 0"},
      {R"({"target":"e","count":4})", "arguments.count: must be between 1 and 3, is 4"},
      {R"({"target":"e","count":1.5})", "arguments.count: expected integer, got number"},
      {R"({"target":"e","count":"1"})", "arguments.count: expected integer, got string"},
      {R"({"target":"e","count":18446744073709551615})",
       "arguments.count: expected integer, got number"},
      {R"({"target":"e","button":"up"})", "arguments.button: expected one of left, right"},
      {R"({"target":"e","button":2})", "arguments.button: expected string, got number"},
      {R"({"target":"e","at":[]})", "arguments.at: expected object, got array"},
      {R"({"target":"e","at":{"x":-1,"y":0}})",
       "arguments.at.x: must be between 0 and 1000, is -1"},
      {R"({"target":"e","at":{"x":1}})", "arguments.at.y: is required"},
      {R"({"target":"e","at":{"x":1,"y":2,"z":3}})",
       "arguments.at.z: unknown field; known are x, y"},
      {R"({"target":"e","trail":[{"x":1,"y":2},7]})",
       "arguments.trail[1]: expected object, got number"},
      {R"({"target":"e","trail":[{"x":1,"y":"2"}]})",
       "arguments.trail[0].y: expected number, got string"},
      {R"({"target":"e","trail":[{},{},{}]})",
       "arguments.trail: must have at most 2 elements, has 3"},
      {R"({"target":"e","modifiers":["a",1]})",
       "arguments.modifiers[1]: expected string, got number"},
      {R"({"target":"e","timeout_ms":0})",
       "arguments.timeout_ms: must be between 1 and 60000, is 0"},
      {R"({"target":"e","colour":1})",
       "arguments.colour: unknown field; known are target, button, count, at, trail, modifiers, "
       "timeout_ms"},
  };

  for (const BadCase& bad : kCases) EXPECT_EQ(WhyNotRead(bad.text), bad.why) << bad.text;
}

TEST(JsonReaderTest, KeepsTheFirstFailure) {
  EXPECT_EQ(WhyNotRead(R"({"target":7,"count":9,"colour":1})"),
            "arguments.target: expected string, got number");
}

TEST(JsonReaderTest, CarriesTheCodeAndTheField) {
  const json::object object{{"n", "x"}};
  JsonReader reader(object, "contract", ErrorCode::kInvalidContract);

  EXPECT_EQ(reader.Integer("n"), 0);
  EXPECT_TRUE(reader.failed());
  const Result<void> done = reader.Done();

  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::kInvalidContract);
  EXPECT_EQ(done.error().details().at("field").as_string(), "contract.n");
}

TEST(JsonReaderTest, TakesRulesOfTheCaller) {
  const json::object object{{"url", "ftp://x"}};
  JsonReader reader(object);
  if (!reader.String("url").starts_with("http")) reader.Reject("url", "must be http or https");

  const Result<void> done = reader.Done();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message(), "url: must be http or https");
}

TEST(JsonReaderTest, HandsOutRawValues) {
  const json::object object{{"o", {{"k", 1}}}, {"a", {1, 2}}, {"v", 3}, {"b", true}};
  JsonReader reader(object);

  EXPECT_EQ(reader.RawObject("o").size(), 1U);
  EXPECT_EQ(reader.RawArray("a").size(), 2U);
  EXPECT_EQ(reader.RawValue("v").as_int64(), 3);
  EXPECT_TRUE(reader.Bool("b"));
  EXPECT_TRUE(reader.Has("v"));
  EXPECT_FALSE(reader.Has("w"));
  EXPECT_FALSE(reader.OptionalRawValue("w"));
  EXPECT_TRUE(reader.Done());
}

TEST(EnumNameTest, MapsBothWays) {
  EXPECT_EQ(NameIn(kButtons, Button::kRight), "right");
  EXPECT_EQ(ValueIn(kButtons, "left"), Button::kLeft);
  EXPECT_FALSE(ValueIn(kButtons, "Left"));
}

}  // namespace
}  // namespace falconer
