// The server, asked over HTTP as any client would.

#include <csignal>
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "tests/api/child_program.h"
#include "tests/support/co_test.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

using Headers = net::HttpHeaders;

class ServeTest : public testing::Test {
 protected:
  ServeTest() : data_(TempDir::Create("falconer-serve-test-").value()) {
    site_.Serve("/shop", "<title>Shop</title><h1>Shop</h1><button>Buy</button>");
  }

  std::unique_ptr<ChildProgram> Start() const {
    auto program = std::make_unique<ChildProgram>(std::vector<std::string>{
        "serve", "--set", "serve.port=0", "--set", "data.dir=" + data_.path().string(), "--set",
        "policy.allow_domains=127.0.0.1"});
    EXPECT_TRUE(program->WaitForOutput("listens on http://127.0.0.1:"));
    EXPECT_TRUE(program->WaitForOutput("\n"));
    return program;
  }

  // What stands behind the text, up to the next white space.
  static std::string Behind(const std::string& output, std::string_view text) {
    const std::size_t at = output.find(text);
    if (at == std::string::npos) return "";
    const std::size_t begin = output.find_first_not_of(' ', at + text.size());
    return output.substr(begin, output.find_first_of(" \n", begin) - begin);
  }

  // Reads what the program says of itself.
  void Meet(ChildProgram& program) {
    EXPECT_TRUE(program.WaitForOutput("operator "));
    EXPECT_TRUE(program.WaitForOutput("\n"));
    base_ = "http://127.0.0.1:" + Behind(program.output(), "http://127.0.0.1:");
    for (const char* role : {"agent", "viewer", "approver", "operator"})
      keys_[role] = Behind(program.output(), fmt::format("  {} ", role));
  }

  net::HttpReply Ask(std::string method, std::string path, std::string_view role = "",
                     std::string body = "", Headers headers = {}) {
    if (!role.empty()) headers.Set("Authorization", "Bearer " + keys_[std::string(role)]);
    boost::asio::io_context io;
    SystemClock clock;
    net::HttpReply reply;
    RunCo(io,
          Send(CallContext(io.get_executor(), clock).WithTimeout(std::chrono::seconds(60)),
               {.url = base_ + path,
                .method = std::move(method),
                .headers = std::move(headers),
                .body = std::move(body)},
               &reply),
          std::chrono::seconds(70));
    return reply;
  }

  static json::object Object(const net::HttpReply& reply) {
    const auto object = ParseJsonObject(reply.body);
    EXPECT_TRUE(object) << reply.status << " " << reply.body;
    return object.value_or(json::object());
  }

  TestSite site_;
  TempDir data_;
  std::string base_;
  std::map<std::string, std::string> keys_;

 private:
  static Task<void> Send(CallContext ctx, net::HttpCall call, net::HttpReply* reply) {
    auto answered = co_await net::SendHttp(std::move(ctx), std::move(call));
    EXPECT_TRUE(answered) << Describe(answered.error());
    if (answered) *reply = *std::move(answered);
  }
};

TEST_F(ServeTest, CarriesOutAContractAndShowsWhatCameOfIt) {
  const auto program = Start();
  Meet(*program);
  EXPECT_EQ(Object(Ask("GET", "/health")).at("status"), "ok");
  EXPECT_EQ(Object(Ask("GET", "/ready")).at("status"), "ready");

  const json::object result = Object(Ask(
      "POST", "/v1/actions", "agent",
      fmt::format(
          R"({{"workflow_id": "shop", "action_spec": {{"action_type": "navigate", "url": "{}"}}}})",
          site_.Url("/shop"))));

  EXPECT_EQ(result.at("success"), true) << json::serialize(result);
  const json::object sessions = Object(Ask("GET", "/v1/sessions", "viewer"));
  EXPECT_EQ(sessions.at("sessions").as_array().size(), 1u);
  EXPECT_EQ(sessions.at("sessions").at(0).at("session"), "shop");
  const json::object state = Object(Ask("GET", "/v1/sessions/shop/state", "viewer"));
  EXPECT_EQ(TextAt(state, "title"), "Shop") << json::serialize(state);
  EXPECT_EQ(Ask("DELETE", "/v1/sessions/shop", "agent").status, 204);
  EXPECT_EQ(Ask("GET", "/v1/sessions/shop/state", "viewer").status, 404);
  const net::HttpReply metrics = Ask("GET", "/metrics", "viewer");
  EXPECT_TRUE(metrics.body.contains("\nfalconer_executor_approvals_pending 0\n")) << metrics.body;
  const json::object ledger = Object(Ask("GET", "/v1/ledger/verification", "viewer"));
  EXPECT_TRUE(ledger.at("findings").as_array().empty()) << json::serialize(ledger);

  program->Signal(SIGTERM);
  const Ended ended = program->Wait();
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(program->Survivors().empty());
  EXPECT_TRUE(program->LeftBehind().empty());
}

TEST_F(ServeTest, TellsItsKeysOnce) {
  {
    const auto first = Start();
    Meet(*first);
    EXPECT_EQ(Ask("GET", "/v1/sessions", "operator").status, 200);
    first->Signal(SIGTERM);
    EXPECT_EQ(first->Wait().exit_code, 0);
  }
  const auto second = Start();
  base_ = "http://127.0.0.1:" + Behind(second->output(), "http://127.0.0.1:");
  EXPECT_EQ(Ask("GET", "/v1/sessions", "operator").status, 200) << "the key still counts";
  second->Signal(SIGTERM);
  const Ended ended = second->Wait();
  EXPECT_FALSE(ended.out.contains("fk_")) << ended.out;
}

TEST_F(ServeTest, RefusesWhoMayNot) {
  const auto program = Start();
  Meet(*program);
  const std::string contract = R"({"action_spec": {"action_type": "wait_only"}})";

  EXPECT_EQ(Ask("POST", "/v1/actions", "", contract).status, 401);
  EXPECT_EQ(Ask("POST", "/v1/actions", "viewer", contract).status, 403);
  EXPECT_EQ(Ask("POST", "/v1/approvals/x/decision", "agent", "{}").status, 403);
  EXPECT_EQ(Ask("GET", "/v1/sessions", "agent", "", {{"Origin", "http://evil.test"}}).status, 403);
  EXPECT_EQ(Ask("GET", "/v1/sessions", "agent", "", {{"Host", "evil.test"}}).status, 403);
  EXPECT_EQ(Ask("POST", "/v1/actions", "agent", "{").status, 400);
  EXPECT_EQ(TextAt(Object(Ask("POST", "/v1/approvals/x/decision", "approver",
                              R"({"approved": true, "approver": "ann"})")),
                   "code"),
            "NOT_FOUND");
  EXPECT_EQ(Ask("GET", "/v1/nowhere", "agent").status, 404);
  EXPECT_EQ(Ask("PUT", "/v1/actions", "agent").status, 405);
}

// "/v1/jobs/{job}" is "/v1/jobs/none".
std::string Filled(std::string_view pattern) {
  std::string target(pattern);
  for (std::size_t open = target.find('{'); open != std::string::npos; open = target.find('{'))
    target.replace(open, target.find('}') - open + 1, "none");
  return target;
}

// A stream of events ends with who listens.
bool AnswersForEver(const json::object& operation) {
  return json::serialize(operation).contains("text/event-stream");
}

TEST_F(ServeTest, ItsDocumentNamesEveryRouteThatAnswers) {
  const auto program = Start();
  Meet(*program);
  const json::object document = Object(Ask("GET", "/openapi.json"));

  for (const auto& path : document.at("paths").as_object()) {
    for (const auto& operation : path.value().as_object()) {
      if (AnswersForEver(operation.value().as_object())) continue;
      const std::string target = Filled(path.key());
      std::string method(operation.key());
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      const int status = Ask(method, target, "operator", "{}").status;
      EXPECT_NE(status, 405) << method << target;
      EXPECT_NE(status, 500) << method << target;
      EXPECT_NE(status, 401) << method << target;
    }
  }
}

}  // namespace
}  // namespace falconer::test
