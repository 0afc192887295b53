#include "api/mcp/rpc_id.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

TEST(RpcIdTest, IsFoundWhereverItCanBeToldApart) {
  struct Case {
    std::string_view text;
    json::value id;
  };
  const Case cases[] = {
      {R"({"id":7,"method":"\ud800"})", 7},
      {R"({"method":"\ud800","id":"q"})", "q"},
      {R"({"params":{"id":1,"a":["]}\"",{"id":2}]}, "id" : 7 ,"x":\ud800})", 7},
      {"{\"a\":\"\xff\xfe\",\"id\":-3}", -3},
      {R"({"id":7,"a":1,"a":2})", 7},
      {R"({"id":7,"params":{"text":"and it never en)", 7},
      {R"({"id":7,"params":[[[{"a":")", 7},
      {" {\t\"id\" :18446744073709551615}", 18446744073709551615U},
  };
  for (const Case& c : cases) EXPECT_EQ(RpcIdIn(c.text), c.id) << c.text;
}

TEST(RpcIdTest, IsFoundWhateverThePartsInWhichATextIsRead) {
  const std::string_view text =
      R"({"method":"a\\","params":{"id":1,"b":["\"]}",{"id":2}]},"jsonrpc":"2.0","id":"q\"7"})";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    RpcIdScan scan;
    scan.Read(text.substr(0, cut));
    scan.Read(text.substr(cut));
    EXPECT_EQ(scan.id(), "q\"7") << cut;
  }
}

TEST(RpcIdTest, IsNullWhenItCannotBeKnown) {
  const std::string_view texts[] = {
      "",
      "{",
      "id",
      "[1]",
      R"("id":7)",
      R"({"params":{"id":7}})",
      R"({"params":{"id":7},"method":"\ud800"})",
      R"({"params":{"id":7)",
      R"({"id":"\ud800"})",
      R"({"id":1.5})",
      R"({"id":null,"a":)",
      R"({"id":[7]})",
      R"({"id":1,"id":2})",
      R"({"id":12)",
      R"({"id":"12)",
      R"({"a":1}{"id":7})",
      R"({"a" "b","id":7})",
      R"({"a":]]],"id":7})",
  };
  for (const std::string_view text : texts) EXPECT_EQ(RpcIdIn(text), nullptr) << text;
}

}  // namespace
}  // namespace falconer::api
