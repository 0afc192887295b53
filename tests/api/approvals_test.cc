// Approvals from outside: an agent at an MCP client, and people at a terminal.

#include <csignal>

#include <gtest/gtest.h>

#include "tests/api/mcp_client.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kAskForClicks = R"(
policy: {name: clicks, version: "1"}
rules:
  - name: work
    when: {capability: [READ, NAVIGATE, INTERACT, WRITE, SUBMIT]}
    then: allow
  - name: clicks
    when: {action: click}
    then: {require_approval: human}
)";

class ApprovalsProgramTest : public testing::Test {
 protected:
  ApprovalsProgramTest() : folder_(TempDir::Create("falconer-approvals-test-").value()) {
    EXPECT_TRUE(WriteFileAtomic(folder_.path() / "policy.yaml", kAskForClicks));
    for (const std::string path : {"/first", "/second"}) {
      site_.Serve(path, R"(<button id=buy>Buy</button><script>
document.querySelector('#buy').addEventListener('click', () => {
  fetch('/effect', {method: 'POST', body: JSON.stringify({name: 'bought'})});
});</script>)");
    }
  }

  std::string Data() const { return "data.dir=" + (folder_.path() / "data").string(); }
  Words Settings() const {
    return {Data(), "policy.allow_domains=127.0.0.1", "approvals.pending_after=100ms",
            "policy.file=" + (folder_.path() / "policy.yaml").string()};
  }
  json::object Go(std::string_view path) const { return {{"url", site_.Url(path)}}; }
  // What a person says at a terminal.
  Ended Say(Words words) const {
    words.insert(words.begin(), "approvals");
    words.insert(words.end(), {"--set", Data()});
    return RunProgram(std::move(words));
  }
  static std::string ApprovalIn(const ToolReply& reply) {
    const std::size_t at = reply.text.find("apr_");
    return at == std::string::npos ? "" : reply.text.substr(at, 28);
  }

  // What a person said elsewhere reaches the program a little later: the call is made again for as
  // long as it waits for that question.
  static ToolReply CallBehind(McpClient& client, const json::object& click,
                              const std::string& question) {
    const auto waits = [&](const ToolReply& reply) {
      return reply.text.starts_with("status: pending_approval") && ApprovalIn(reply) == question;
    };
    ToolReply reply = client.Call("browser_click", click);
    for (int tries = 0; tries < 200 && waits(reply); ++tries)
      reply = client.Call("browser_click", click);
    return reply;
  }

  TempDir folder_;
  TestSite site_;
};

TEST_F(ApprovalsProgramTest, TheSameClickOnAnotherPageIsNotToldOfTheOldDenial) {
  McpClient client(Settings());
  client.Call("browser_navigate", Go("/first"));
  const json::object click{{"target", "#buy"}};
  const std::string first = ApprovalIn(client.Call("browser_click", click));
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(Say({"deny", first, "--reason", "not there"}).exit_code, 0);
  client.Call("browser_navigate", Go("/second"));

  const ToolReply second = client.Call("browser_click", click);

  EXPECT_TRUE(second.text.starts_with("status: pending_approval")) << second.text;
  EXPECT_NE(ApprovalIn(second), first);
  EXPECT_EQ(Say({"deny", ApprovalIn(second), "--reason", "nor here"}).exit_code, 0);
  const ToolReply denied = CallBehind(client, click, ApprovalIn(second));
  EXPECT_TRUE(denied.Says("APPROVAL_DENIED") && denied.Says("nor here")) << denied.text;
}

TEST_F(ApprovalsProgramTest, WhatAKilledProgramAskedCannotBeApproved) {
  McpClient client(Settings());
  client.Call("browser_navigate", Go("/first"));
  const std::string id = ApprovalIn(client.Call("browser_click", {{"target", "#buy"}}));
  ASSERT_FALSE(id.empty());
  client.program().Signal(SIGKILL);
  // It has ended, and nobody has asked yet how.
  EXPECT_FALSE(client.program().WaitForOutput("more than it will ever say"));

  const Ended approved = Say({"approve", id, "--as", "ann"});

  EXPECT_EQ(approved.exit_code, 1) << approved.out;
  EXPECT_TRUE(approved.err.contains("the program that asked has ended")) << approved.err;
  const Ended shown = Say({"show", id});
  EXPECT_TRUE(shown.out.contains("denied: the program that asked has ended")) << shown.out;
}

TEST_F(ApprovalsProgramTest, NoAnswerInTimeHasTheExitCodeOfANo) {
  Words words{"act", "-", "--set", "approvals.timeout=1s"};
  for (const std::string& setting : Settings()) words.insert(words.end(), {"--set", setting});
  EXPECT_TRUE(WriteFileAtomic(
      folder_.path() / "policy.yaml",
      std::string(kAskForClicks).replace(kAskForClicks.find("human"), 5, "{timeout: 1s}")));
  ChildProgram program(words);
  program.Feed(R"([{"action_spec": {"action_type": "navigate", "url": ")" + site_.Url("/first") +
               R"("}}, {"action_spec": {"action_type": "click", "selector": "#buy"}}])");
  const Ended ended = program.Wait();
  EXPECT_EQ(ended.exit_code, 3) << ended.out << ended.err;
  EXPECT_TRUE((ended.out + ended.err).contains("APPROVAL_TIMEOUT")) << ended.out << ended.err;
}

TEST_F(ApprovalsProgramTest, HealthSaysThatThereIsAPause) {
  McpClient client(Settings(), {"--tools", "audit"});
  EXPECT_TRUE(client.Call("get_health", {}).head().starts_with("ok falconer"));
  EXPECT_EQ(RunProgram({"pause", "--reason", "incident 7", "--set", Data()}).exit_code, 0);

  const ToolReply paused = client.Call("get_health", {});

  EXPECT_TRUE(paused.head().starts_with("paused falconer")) << paused.text;
  EXPECT_TRUE(paused.Says("everything is paused since ") && paused.Says("incident 7"))
      << paused.text;
}

}  // namespace
}  // namespace falconer::test
