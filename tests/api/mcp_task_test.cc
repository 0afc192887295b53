// Plans that are carried on as tasks, for clients that know them.

#include <chrono>

#include <gtest/gtest.h>

#include "tests/api/mcp_client.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

constexpr auto kPatience = std::chrono::seconds(60);

json::object TaskMeta() {
  return *ParseJsonObject(R"({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":
      {"extensions": {"io.modelcontextprotocol/tasks": {}}}})");
}

// One that opens a page.
json::object PlanTo(const std::string& url) {
  const json::object contract{{"action_spec", {{"action_type", "navigate"}, {"url", url}}}};
  const json::object step{{"step_id", "open"}, {"contract", contract}};
  return {{"plan_id", "p"}, {"steps", json::array{step}}};
}

class McpTaskTest : public testing::Test {
 protected:
  json::object Ask(std::string_view method, json::object params) {
    params["_meta"] = TaskMeta();
    const json::object line = client_.Ask(method, std::move(params));
    EXPECT_TRUE(line.contains("result")) << json::serialize(line);
    return line.contains("result") ? line.at("result").as_object() : json::object();
  }
  json::object Begin(const std::string& path) {
    return Ask("tools/call",
               {{"name", "execute_plan"}, {"arguments", {{"plan", PlanTo(site_.Url(path))}}}});
  }
  // What the task is once it has ended.
  json::object UntilEnded(const json::object& task) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    json::object seen = task;
    while (TextAt(seen, "status") == "working" && std::chrono::steady_clock::now() < until)
      seen = Ask("tasks/get", {{"taskId", task.at("taskId")}});
    return seen;
  }

  TestSite site_;
  McpClient client_{{"policy.allow_domains=127.0.0.1", "data.dir=data"}, {"--tools", "contract"}};
};

TEST_F(McpTaskTest, APlanThatTakesLongIsATaskThatEndsWithItsResult) {
  site_.Hold("/form.html");
  const json::object task = Begin("/form.html");
  EXPECT_EQ(TextAt(task, "resultType"), "task");
  const json::object working = Ask("tasks/get", {{"taskId", task.at("taskId")}});
  EXPECT_EQ(TextAt(working, "status"), "working");
  EXPECT_EQ(TextAt(working, "statusMessage"), "step open began");

  site_.Release("/form.html");
  const json::object done = UntilEnded(task);

  EXPECT_EQ(TextAt(done, "status"), "completed") << json::serialize(done);
  const json::value& result = done.at("result");
  EXPECT_FALSE(result.as_object().contains("isError")) << json::serialize(result);
  const std::string text(result.at("content").at(0).at("text").as_string());
  EXPECT_TRUE(text.contains(R"("success":true)")) << text;
}

TEST_F(McpTaskTest, APlanIsCalledOffByItsTask) {
  site_.Hold("/form.html");
  const json::object task = Begin("/form.html");

  Ask("tasks/cancel", {{"taskId", task.at("taskId")}});
  const json::object over = Ask("tasks/get", {{"taskId", task.at("taskId")}});
  site_.Release("/form.html");

  EXPECT_EQ(TextAt(over, "status"), "cancelled");
  const ToolReply next = client_.Call("browser_navigate", {{"url", site_.Url("/colours.html")}});
  EXPECT_EQ(next.head(), "ok") << next.text;
}

}  // namespace
}  // namespace falconer::test
