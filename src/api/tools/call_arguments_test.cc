#include "api/tools/call_arguments.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

ToolCall Call(std::string_view arguments) {
  return {.arguments = ParseJsonObject(arguments).value()};
}

std::string Refusal(std::string_view arguments) {
  const auto read = ReadArguments(Call(arguments), ReadNeededTarget);
  return read ? "" : std::string(read.error().message());
}

TEST(CallArgumentsTest, ATargetIsARefOrASelector) {
  const auto by_ref = ReadArguments(Call(R"({"target": "d3e14"})"), ReadNeededTarget);
  const auto by_selector = ReadArguments(Call(R"({"target": "text=Save"})"), ReadNeededTarget);

  EXPECT_EQ(by_ref->fields, (json::object{{"target_eid", "d3e14"}}));
  EXPECT_EQ(by_ref->ref, "d3e14");
  EXPECT_EQ(by_selector->fields, (json::object{{"selector", "text=Save"}}));
  EXPECT_EQ(by_selector->ref, "");
}

TEST(CallArgumentsTest, OtherServersNamesAreUnderstood) {
  const auto by_ref =
      ReadArguments(Call(R"({"ref": "d1e2", "element": "the button"})"), ReadNeededTarget);
  const auto by_selector = ReadArguments(Call(R"({"selector": "#save"})"), ReadNeededTarget);

  EXPECT_EQ(by_ref->ref, "d1e2");
  EXPECT_EQ(by_ref->description, "the button");
  EXPECT_EQ(by_selector->fields, (json::object{{"selector", "#save"}}));
}

TEST(CallArgumentsTest, WhatIsWrongIsNamed) {
  EXPECT_TRUE(Refusal("{}").starts_with("target: is required")) << Refusal("{}");
  EXPECT_TRUE(Refusal(R"({"target": 7})").starts_with("target: expected string"));
  EXPECT_TRUE(Refusal(R"({"target": "d1e1", "colour": 1})").starts_with("colour: unknown field"));
  EXPECT_TRUE(Refusal(R"({"target": "d1e1", "selector": "a"})").starts_with("selector: is given"));
}

TEST(CallArgumentsTest, OnlyNumberedElementsAreRefs) {
  EXPECT_TRUE(IsRef("d1e1"));
  for (const char* text : {"", "d", "de", "d1", "d1e", "div", "e1", "d1e1x", "d1e1 a"}) {
    EXPECT_FALSE(IsRef(text)) << text;
  }
}

TEST(CallArgumentsTest, TheMainSessionNeedsNoName) {
  EXPECT_EQ(ReadArguments(Call("{}"), ReadSession).value(), "main");
  EXPECT_EQ(ReadArguments(Call(R"({"session": "shop-2"})"), ReadSession).value(), "shop-2");
  const auto refused = ReadArguments(Call(R"({"session": "a b"})"), ReadSession);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message().starts_with("session: has a character"));
}

}  // namespace
}  // namespace falconer::api
