#include "predict/learn/node_rows.h"

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

TEST(NodeRowsTest, SurviveTheWayThereAndBack) {
  const NodeRows sent{.node = "node-1",
                      .rows = {{.context = 0xfedcba9876543210U,
                                .next = 1,
                                .by_person = 2.5F,
                                .by_agent = 0.25F,
                                .day = 20'000}}};
  const auto read = ReadNodeRows(ToJson(sent));

  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->node, sent.node);
  EXPECT_EQ(read->rows, sent.rows);
}

TEST(NodeRowsTest, NameWhatIsWrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"rows":[]})", "node"},
      {R"({"node":"a","rows":[],"more":1})", "more"},
      {R"({"node":"a","rows":[[1]]})", "rows[0]: expected five values"},
      {R"({"node":"a","rows":[["12","0000000000000001",1,1,1]]})",
       "rows[0]: expected 16 hex digits"},
      {R"({"node":"a","rows":[["0000000000000001","000000000000000g",1,1,1]]})", "16 hex digits"},
      {R"({"node":"a","rows":[["0000000000000001","0000000000000001",-1,1,1]]})",
       "a number from 0"},
      {R"({"node":"a","rows":[["0000000000000001","0000000000000001",1,1,1.5]]})", "a day"},
  };
  for (const auto& [text, expected] : cases) {
    const auto read = ReadNodeRows(*ParseJson(text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(read.error().message().contains(expected)) << read.error().message();
  }
}

}  // namespace
}  // namespace falconer::predict
