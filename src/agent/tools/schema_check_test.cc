// What arguments are refused for, and in which words.
#include "agent/tools/schema_check.h"

#include <gtest/gtest.h>

#include "agent/tools/schema_keywords.h"
#include "agent/tools/tool_descriptor.h"

namespace falconer::agent {
namespace {

json::object Parsed(std::string_view text) {
  return ParseJsonObject(text).value();
}

constexpr std::string_view kForm = R"({
  "type":"object","additionalProperties":false,"required":["fields"],
  "properties":{
    "fields":{"type":"array","minItems":1,"maxItems":3,"items":{
      "type":"object","required":["target","value"],"additionalProperties":false,
      "properties":{"target":{"type":"string","minLength":1},
                    "value":{"type":["string","object"]},
                    "type":{"enum":["textbox","checkbox","radio"]}}}},
    "count":{"type":"integer","minimum":1,"maximum":50},
    "ratio":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},
    "name":{"type":"string","maxLength":3},
    "kind":{"const":"a"},
    "flag":{"type":"boolean"},
    "by":{"oneOf":[{"type":"string"},{"type":"object","required":["id"],
          "properties":{"id":{"type":"integer"}}}]},
    "any":{"anyOf":[{"type":"integer"},{"type":"boolean"}]},
    "extra":{"type":"object","additionalProperties":{"type":"string"}}}})";

// "" when nothing is wrong.
std::string Wrong(std::string_view arguments, std::string_view schema = kForm) {
  const auto checked = CheckArguments(Parsed(schema), Parsed(arguments));
  if (checked) return "";
  EXPECT_EQ(checked.error().code(), ErrorCode::kValidationError);
  return checked.error().message();
}

TEST(SchemaCheckTest, WhatFitsIsTaken) {
  EXPECT_EQ(Wrong(R"({"fields":[{"target":"#a","value":"x"}]})"), "");
  EXPECT_EQ(Wrong(R"({"fields":[{"target":"#a","value":{"secret":"S"},"type":"radio"}],
    "count":2,"ratio":0.5,"name":"äöü","kind":"a","flag":true,"by":{"id":3},"any":false,
    "extra":{"a":"b"}})"),
            "");
  EXPECT_EQ(Wrong(R"({"fields":[{"target":"#a","value":"x"}],"count":3.0})"), "");
  // What models write for what they leave out.
  EXPECT_EQ(Wrong(R"({"fields":[{"target":"#a","value":"x","type":null}],"count":null})"), "");
}

TEST(SchemaCheckTest, EveryRefusalNamesThePlaceAndWhatWasExpected) {
  const std::string good = R"({"target":"#a","value":"x"})";
  const std::pair<std::string, std::string> cases[] = {
      {R"({})", "fields: is required"},
      {R"({"fields":null})", "fields: expected array, got null"},
      {R"({"fields":[]})", "fields: must be at least 1 items, is 0"},
      {R"({"fields":[)" + good + "," + good + R"(,{"target":"#a","value":7}]})",
       "fields[2].value: expected string or object, got number"},
      {R"({"fields":[{"target":"","value":""}]})",
       "fields[0].target: must be at least 1 characters, is 0"},
      {R"({"fields":[{"target":"#a"}]})", "fields[0].value: is required"},
      {R"({"fields":[{"tagret":"#a","value":"x"}]})",
       R"(fields[0].tagret: unknown argument, there are "target", "value", "type"; did you mean "target"?)"},
      {R"({"fields":[{"target":"#a","value":"x","type":"chekbox"}]})",
       R"(fields[0].type: expected one of "textbox", "checkbox", "radio"; did you mean "checkbox"?)"},
      {R"({"fields":[)" + good + R"(],"count":0})", "count: must be at least 1"},
      {R"({"fields":[)" + good + R"(],"count":1.5})",
       "count: expected integer, got a number that is not whole"},
      {R"({"fields":[)" + good + R"(],"count":"2"})", "count: expected integer, got string"},
      {R"({"fields":[)" + good + R"(],"ratio":1})", "ratio: must be less than 1"},
      {R"({"fields":[)" + good + R"(],"ratio":0})", "ratio: must be more than 0"},
      {R"({"fields":[)" + good + R"(],"name":"äöüß"})", "name: must be at most 3 characters, is 4"},
      {R"({"fields":[)" + good + R"(],"kind":"b"})", R"(kind: expected "a")"},
      {R"({"fields":[)" + good + R"(],"flag":"yes"})", "flag: expected boolean, got string"},
      {R"({"fields":[)" + good + R"(],"by":{"id":"x"}})", "by.id: expected integer, got string"},
      {R"({"fields":[)" + good + R"(],"any":"x"})",
       "any: has none of the forms that are taken: expected integer, got string"},
      {R"({"fields":[)" + good + R"(],"extra":{"a":1}})", "extra.a: expected string, got number"},
  };
  for (const auto& [arguments, wanted] : cases) EXPECT_EQ(Wrong(arguments), wanted) << arguments;
}

TEST(SchemaCheckTest, ExactlyOneFormIsExactlyOne) {
  constexpr std::string_view schema =
      R"({"properties":{"a":{"oneOf":[{"type":"integer"},{"type":"number"}]}}})";
  EXPECT_EQ(Wrong(R"({"a":1})", schema), "a: has 2 of the forms of which one is taken");
  EXPECT_EQ(Wrong(R"({"a":1.5})", schema), "");
  EXPECT_EQ(Wrong(R"({"a":1})", R"({"properties":{"a":false}})"), "a: must not be given");
  EXPECT_EQ(Wrong(R"({"a":4})", R"({"properties":{"a":{"allOf":[{"minimum":1},{"maximum":3}]}}})"),
            "a: must be at most 3");
}

TEST(SchemaCheckTest, NoValueIsInAMessage) {
  const std::string wrong =
      Wrong(R"({"fields":[{"target":"#a","value":"x","type":"hunter2-secret"}]})");
  EXPECT_FALSE(wrong.contains("hunter2")) << wrong;
}

TEST(SchemaCheckTest, AKeywordThatIsNotUnderstoodIsRefusedUnlessItIsLetThrough) {
  const json::object schema =
      Parsed(R"({"type":"object","properties":{"a":{"type":"string","pattern":"^x"}}})");
  const auto refused = CheckSchema(schema, SchemaStrictness::kEveryKeyword);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(),
            "schema.properties.a.pattern: this keyword is not understood");
  EXPECT_TRUE(CheckSchema(schema, SchemaStrictness::kLetThrough));
  EXPECT_TRUE(CheckArguments(schema, {{"a", "y"}})) << "its owner checks that";

  for (const std::string_view odd :
       {R"({"type":"strng"})", R"({"type":[]})", R"({"required":[1]})", R"({"minItems":-1})",
        R"({"properties":[]})", R"({"items":3})", R"({"anyOf":[]})"}) {
    EXPECT_FALSE(CheckSchema(Parsed(odd), SchemaStrictness::kEveryKeyword)) << odd;
  }
}

TEST(SchemaCheckTest, EveryKeywordIsListedOnce) {
  for (const KeywordRow& row : AllKeywords()) EXPECT_EQ(KeywordNamed(row.name), &row) << row.name;
}

ToolDescriptor Sound() {
  return {.name = "look",
          .title = "",
          .description = "",
          .group = "core",
          .effect = SideEffect::kRead,
          .input_schema = {{"type", "object"}},
          .retry = {.retries = 1}};
}

TEST(ToolDescriptorTest, WhatIsNoToolIsNotRegistered) {
  EXPECT_TRUE(CheckDescriptor(Sound()));
  const auto refuses = [](auto change, std::string_view why) {
    ToolDescriptor tool = Sound();
    change(tool);
    const auto checked = CheckDescriptor(tool);
    ASSERT_FALSE(checked) << why;
    EXPECT_TRUE(checked.error().message().contains(why)) << checked.error().message();
  };
  refuses([](ToolDescriptor& tool) { tool.name.clear(); }, "has no name");
  refuses([](ToolDescriptor& tool) { tool.timeout = std::chrono::milliseconds(0); }, "has no time");
  refuses([](ToolDescriptor& tool) { tool.effect = SideEffect::kWrite; }, "only what reads");
  refuses([](ToolDescriptor& tool) { tool.input_schema["not"] = json::object(); },
          "schema.not: this keyword is not understood");
}

TEST(ToolDescriptorTest, SaysAllThatIsKnownOfATool) {
  ToolDescriptor tool = Sound();
  tool.capability = "READ";
  tool.result_schema = {{"type", "object"}};
  EXPECT_EQ(json::serialize(tool.ToJson()),
            R"({"name":"look","title":"","description":"","group":"core",)"
            R"("side_effect_class":"read","timeout_ms":30000,)"
            R"("retry_profile":{"retries":1,"pause_ms":250},"capability":"READ",)"
            R"("args_schema":{"type":"object"},"result_schema":{"type":"object"}})");
}

}  // namespace
}  // namespace falconer::agent
