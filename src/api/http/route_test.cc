#include "api/http/route.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

const std::vector<QueryRow> kTestRows = {
    {"tab", "string", ""}, {"limit", "integer", ""}, {"all", "boolean", ""}};

TEST(ReadQueryTest, ValuesAreOfTheTypesOfTheirRows) {
  const auto query = ReadQuery("tab=a%20b&limit=-7&all=true", kTestRows);

  ASSERT_TRUE(query);
  EXPECT_EQ(json::serialize(*query), R"({"tab":"a b","limit":-7,"all":true})");
  EXPECT_TRUE(ReadQuery("", kTestRows)->empty());
  EXPECT_TRUE(ReadQuery("&&", kTestRows)->empty());
}

TEST(ReadQueryTest, WhatIsWrongIsNamed) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"tba=1", "query: there is no parameter tba"},
      {"tab=1&tab=2", "query: tab comes twice"},
      {"limit=many", "query: limit must be of type integer"},
      {"limit=", "query: limit must be of type integer"},
      {"limit=99999999999999999999", "query: limit must be of type integer"},
      {"all=1", "query: all must be of type boolean"},
  };
  for (const auto& [text, why] : cases) {
    const auto query = ReadQuery(text, kTestRows);
    ASSERT_FALSE(query) << text;
    EXPECT_EQ(query.error().code(), ErrorCode::kInvalidArgument) << text;
    EXPECT_EQ(query.error().message(), why);
  }
}

}  // namespace
}  // namespace falconer::api
