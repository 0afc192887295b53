#include "model/contract/json_pointer.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(JsonPointerTest, FindsTheExamplesOfTheRfc) {
  const json::value document = *ParseJson(
      R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"/foo", R"(["bar","baz"])"},
      {"/foo/0", R"("bar")"},
      {"/", "0"},
      {"/a~1b", "1"},
      {"/c%d", "2"},
      {"/e^f", "3"},
      {"/g|h", "4"},
      {"/i\\j", "5"},
      {"/k\"l", "6"},
      {"/ ", "7"},
      {"/m~0n", "8"},
  };
  for (const auto& [text, expected] : cases) {
    const auto pointer = JsonPointer::Parse(text);
    ASSERT_TRUE(pointer) << text;
    const json::value* found = pointer->Find(document);
    ASSERT_NE(found, nullptr) << text;
    EXPECT_EQ(*found, *ParseJson(expected)) << text;
  }
  EXPECT_EQ(JsonPointer().Find(document), &document);
  EXPECT_EQ(JsonPointer::Parse("")->Find(document), &document);
}

TEST(JsonPointerTest, FindsNothingWhereThereIsNothing) {
  const json::value document = *ParseJson(R"({"list":[1,2],"text":"x","null":null})");
  for (const char* text : {"/nope", "/list/2", "/list/-", "/list/01", "/list/+1", "/list/1x",
                           "/text/0", "/list/99999999999999999999", "/list//"}) {
    EXPECT_EQ(JsonPointer::Parse(text)->Find(document), nullptr) << text;
  }
  ASSERT_NE(JsonPointer::Parse("/null")->Find(document), nullptr);
  EXPECT_TRUE(JsonPointer::Parse("/null")->Find(document)->is_null());
}

TEST(JsonPointerTest, RefusesWhatIsNoPointer) {
  std::string deep;
  for (std::size_t i = 0; i <= kMaxPointerSteps; ++i) deep += "/a";
  const std::pair<std::string, std::string_view> cases[] = {
      {"a", "pointer must be empty or start with /"},
      {"/a~2", "pointer has a ~ that is followed by neither 0 nor 1"},
      {"/a~", "pointer has a ~ that is followed by neither 0 nor 1"},
      {"/" + std::string(kMaxPointerLength, 'a'), "pointer is longer than 256 bytes"},
      {deep, "pointer has more than 32 steps"},
      {"/\xFF", "pointer is not UTF-8"},
  };
  for (const auto& [text, why] : cases) {
    const auto pointer = JsonPointer::Parse(text);
    ASSERT_FALSE(pointer) << text;
    EXPECT_EQ(pointer.error().message(), why);
  }
}

}  // namespace
}  // namespace falconer::model
