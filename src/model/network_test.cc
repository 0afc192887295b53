#include "model/network.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

json::value Json(std::string_view text) {
  return *ParseJson(text);
}

TEST(NetworkTest, KnowsTheMethodsThatChangeNothing) {
  for (const char* method : {"GET", "HEAD", "OPTIONS", "TRACE"}) EXPECT_TRUE(IsSafeMethod(method));
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "get", "CONNECT", "X", ""}) {
    EXPECT_FALSE(IsSafeMethod(method)) << method;
  }
}

NetworkEvent FullEvent() {
  return {.seq = 7,
          .ts = std::chrono::milliseconds(1'700'000'000'123),
          .kind = NetworkEventKind::kResponse,
          .method = "POST",
          .url = "https://x.test/api/v1/users",
          .route_key = "x.test/api/v1",
          .status = 503,
          .latency = std::chrono::milliseconds(42),
          .content_type = "application/json",
          .json_shape_hash = "00112233445566aa",
          .silent_failure = true,
          .error_signature = "error: boom",
          .resource_type = "Fetch",
          .request_id = "12.3",
          .frame = "F1",
          .from_worker = true,
          .from_cache = true};
}

TEST(NetworkEventTest, SurvivesTheWayThereAndBack) {
  const NetworkEvent full = FullEvent();
  NetworkEvent bare;
  bare.method = "GET";
  bare.url = "https://x.test/";
  for (const NetworkEvent& event : {full, bare}) {
    const auto again = NetworkEvent::FromJson(event.ToJson());
    ASSERT_TRUE(again) << Describe(again.error());
    EXPECT_EQ(*again, event);
  }
  EXPECT_EQ(full.ToJson().at("status_class"), "5xx");
  EXPECT_EQ(full.ToJson().size(), 18U) << "a field is not written";
  EXPECT_FALSE(bare.ToJson().contains("status"));
}

TEST(NetworkEventTest, RefusesWhatIsNotAnEvent) {
  const json::object good = FullEvent().ToJson();
  for (const char* key : {"seq", "ts", "kind", "method", "url"}) {
    json::object lacking = good;
    lacking.erase(key);
    EXPECT_FALSE(NetworkEvent::FromJson(lacking)) << key;
  }
  for (const auto& [key, value] : std::initializer_list<std::pair<const char*, json::value>>{
           {"seq", -1}, {"kind", "guess"}, {"status", 1000}, {"status_class", "2xx"}, {"x", 1}}) {
    json::object changed = good;
    changed[key] = value;
    EXPECT_FALSE(NetworkEvent::FromJson(changed)) << key;
  }
}

TEST(NetworkSummaryTest, CountsAndKeepsTheFirstFailures) {
  std::vector<NetworkEvent> events;
  const auto add = [&events](NetworkEventKind kind, int status) {
    NetworkEvent event;
    event.kind = kind;
    event.status = status;
    event.seq = events.size();
    events.push_back(event);
  };
  add(NetworkEventKind::kRequest, 0);
  add(NetworkEventKind::kResponse, 200);
  add(NetworkEventKind::kResponse, 404);
  for (int i = 0; i < 25; ++i) add(NetworkEventKind::kResponse, 500);
  add(NetworkEventKind::kRequestFailed, 0);
  add(NetworkEventKind::kResponse, 200);
  events.back().silent_failure = true;

  const NetworkSummary summary = Summarize(events, 3);

  EXPECT_EQ(summary.requests, 1U);
  EXPECT_EQ(summary.responses, 28U);
  EXPECT_EQ(summary.failed, 1U);
  EXPECT_EQ(summary.client_errors, 1U);
  EXPECT_EQ(summary.server_errors, 25U);
  EXPECT_EQ(summary.silent_failures, 1U);
  EXPECT_EQ(summary.dropped, 3U);
  ASSERT_EQ(summary.failures.size(), kMaxSummaryFailures);
  EXPECT_EQ(summary.failures[0].seq, 2U);
  EXPECT_EQ(summary.ToJson().at("failures").as_array().size(), kMaxSummaryFailures);
}

TEST(RouteKeyTest, IsHostAndTwoPartsOfThePath) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"https://X.test/api/v1/users/7?q=1#f", "x.test/api/v1"},
      {"https://x.test:8443/api", "x.test:8443/api"},
      {"https://x.test", "x.test"},
      {"https://x.test/", "x.test"},
      {"https://x.test//a//b/c", "x.test/a/b"},
      {"wss://x.test/socket", "x.test/socket"},
      {"http://user:secret@x.test/a?token=b", "x.test/a"},
      {"http://[::1]:80/a", "[::1]:80/a"},
      {"data:text/plain,hi", "data:"},
      {"blob:https://x.test/1", "blob:"},
      {"about:blank", "about:"},
      {"", ""},
  };
  for (const auto& [url, key] : cases) EXPECT_EQ(RouteKey(url), key) << url;
}

TEST(JsonShapeTest, DependsOnKeysAndTypesOnly) {
  const auto same = [](std::string_view a, std::string_view b) {
    return JsonShapeHash(Json(a)) == JsonShapeHash(Json(b));
  };
  EXPECT_EQ(JsonShapeHash(Json("{}")).size(), 16U);
  EXPECT_TRUE(same(R"({"a":1,"b":"x"})", R"({"b":"y","a":2.5})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":"1"})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(same("[]", "{}"));
  EXPECT_TRUE(same("[1,2,3]", "[9]"));
  EXPECT_FALSE(same("[1]", "[]"));
  EXPECT_FALSE(same(R"({"a":{"b":1}})", R"({"a":{"c":1}})")) << "depth 2 counts";
  EXPECT_TRUE(same(R"({"a":{"b":{"c":1}}})", R"({"a":{"b":{"d":"x"}}})")) << "depth 3 does not";
  EXPECT_FALSE(same(R"({"a":1,"b":2})", R"({"a=number;1:b":1})")) << "keys cannot imitate shapes";
}

TEST(JsonShapeTest, LooksAtTwelveKeys) {
  json::object twelve;
  for (char c = 'a'; c < 'a' + 12; ++c) twelve[std::string(1, c)] = 1;
  json::object more = twelve;
  more["z"] = 1;
  json::object before = twelve;
  before["A"] = 1;

  EXPECT_EQ(JsonShapeHash(twelve), JsonShapeHash(more));
  EXPECT_NE(JsonShapeHash(twelve), JsonShapeHash(before));
}

TEST(ErrorSignatureTest, TakesOutWhatVaries) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"net::ERR_CONNECTION_REFUSED", "net::err_connection_refused"},
      {"User 4711 not found", "user # not found"},
      {"order 9f8e7d6c-1111-2222-3333-444455556666 gone", "order # gone"},
      {"No such file 'a b.txt' here", "no such file # here"},
      {"E1001: bad  \n value", "e#: bad value"},
      {"unclosed \"quote 7", "unclosed #quote #"},
      {"", ""},
  };
  for (const auto& [message, signature] : cases) EXPECT_EQ(ErrorSignature(message), signature);
  EXPECT_LE(ErrorSignature(std::string(500, 'x')).size(), kMaxSignature);
}

TEST(SilentFailureTest, SeesFailureUnderSuccess) {
  const std::pair<std::string_view, std::string_view> failures[] = {
      {R"({"success":false})", "success_false"},
      {R"({"success":false,"error":"Bad thing 7"})", "error: bad thing #"},
      {R"({"error":{"code":"E_LIMIT","message":"too much"}})", "error: e_limit"},
      {R"({"error":{"message":"too much"}})", "error: too much"},
      {R"({"error":true})", "error"},
      {R"({"error":{"x":1}})", "error"},
      {R"({"data":null,"errors":[{"message":"Not allowed"}]})", "errors: not allowed"},
      {R"({"errors":{"name":"is required"}})", "errors: is required"},
      {R"({"errors":[1]})", "errors"},
  };
  for (const auto& [body, reason] : failures) {
    EXPECT_EQ(DetectSilentFailure(Json(body)), std::string(reason)) << body;
  }
  for (const char* fine :
       {"{}", "[]", "null", "7", R"({"success":true})", R"({"error":null})", R"({"error":""})",
        R"({"error":false})", R"({"error":0})", R"({"errors":[]})", R"({"errors":{}})",
        R"({"success":"false"})", R"({"data":{"error":"inner"}})", R"([{"error":"x"}])"}) {
    EXPECT_FALSE(DetectSilentFailure(Json(fine))) << fine;
  }
}

TEST(JudgeJsonBodyTest, ABodyThatIsNotJsonIsAFailure) {
  EXPECT_EQ(JudgeJsonBody("<html>").failure, "parse_error");
  EXPECT_EQ(JudgeJsonBody("").failure, "parse_error");
  EXPECT_EQ(JudgeJsonBody("<html>").json_shape_hash, "");

  const BodyJudgement good = JudgeJsonBody(R"({"a":1})");
  EXPECT_FALSE(good.failure);
  EXPECT_EQ(good.json_shape_hash, JsonShapeHash(Json(R"({"a":1})")));
}

}  // namespace
}  // namespace falconer::model
