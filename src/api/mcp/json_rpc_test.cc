#include "api/mcp/json_rpc.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

TEST(JsonRpcTest, ReadsRequestsNotificationsAndResponses) {
  const auto request = ParseRpc(R"({"jsonrpc":"2.0","id":7,"method":"a","params":{"b":1}})");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->kind, RpcKind::kRequest);
  EXPECT_EQ(request->id, 7);
  EXPECT_EQ(request->method, "a");
  EXPECT_EQ(request->params.at("b"), 1);

  const auto notification = ParseRpc(R"({"jsonrpc":"2.0","method":"a"})");
  ASSERT_TRUE(notification);
  EXPECT_EQ(notification->kind, RpcKind::kNotification);

  const auto response = ParseRpc(R"({"jsonrpc":"2.0","id":"x","result":{}})");
  ASSERT_TRUE(response);
  EXPECT_EQ(response->kind, RpcKind::kResponse);
}

TEST(JsonRpcTest, RefusesWhatIsNone) {
  struct Case {
    const char* text;
    int code;
    const char* message;
    json::value id;
  };
  const Case cases[] = {
      {"{", kRpcParseError, nullptr, nullptr},
      {R"({"jsonrpc":"2.0","id":4,"method":"a","params":{"b":"\ud800"}})", kRpcParseError, nullptr,
       4},
      {"[]", kRpcInvalidRequest, "expected one JSON object per message", nullptr},
      {R"({"id":1,"method":"a"})", kRpcInvalidRequest, "jsonrpc: must be \"2.0\"", 1},
      {R"({"jsonrpc":"2.0","id":1})", kRpcInvalidRequest, "method: missing", 1},
      {R"({"jsonrpc":"2.0","id":1,"method":2})", kRpcInvalidRequest, "method: expected string", 1},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"a"})", kRpcInvalidRequest,
       "id: expected string or integer", nullptr},
      {R"({"jsonrpc":"2.0","id":null,"method":"a"})", kRpcInvalidRequest,
       "id: expected string or integer", nullptr},
      {R"({"jsonrpc":"2.0","id":"q","method":"a","params":[]})", kRpcInvalidParams,
       "params: expected object", "q"},
  };
  for (const Case& c : cases) {
    const auto message = ParseRpc(c.text);
    ASSERT_FALSE(message) << c.text;
    EXPECT_EQ(message.error().code, c.code) << c.text;
    if (c.message != nullptr) EXPECT_EQ(message.error().message, c.message) << c.text;
    EXPECT_EQ(message.error().id, c.id) << c.text;
  }
}

TEST(JsonRpcTest, WritesOneLineEach) {
  EXPECT_EQ(RpcResultText(3, {{"a", "b\nc"}}), R"({"jsonrpc":"2.0","id":3,"result":{"a":"b\nc"}})");
  EXPECT_EQ(RpcFailureText({.code = -32601, .message = "no", .data = {}, .id = "i"}),
            R"({"jsonrpc":"2.0","id":"i","error":{"code":-32601,"message":"no"}})");
  EXPECT_EQ(RpcNotificationText("n", {{"x", 1}}),
            R"({"jsonrpc":"2.0","method":"n","params":{"x":1}})");
}

}  // namespace
}  // namespace falconer::api
