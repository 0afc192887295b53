// The tool that reads pages from their pictures, at an MCP client.

#include <gtest/gtest.h>

#include "tests/api/mcp_client.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

constexpr std::string_view kDrawnPage =
    "<!doctype html><title>Report</title><div id=root><canvas id=c width=900 height=160></canvas>"
    "</div><script type=module>const c=document.getElementById('c').getContext('2d');c.font='28px "
    "sans-serif';c.fillText('Revenue rose by twelve percent',20,60)</script>";

// What reads pictures runs as another user, who cannot enter the folder that a test's program has
// for itself alone.
constexpr char kOpenFolder[] = "TMPDIR=/tmp";

class GhostToolTest : public testing::Test {
 protected:
  GhostToolTest() : folder_(TempDir::Create("falconer-ghost-tool-test-").value()) {
    site_.Serve("/drawn", std::string(kDrawnPage));
    site_.Serve("/wall",
                "<h1>Please confirm you are human</h1><div class=h-captcha "
                "style='width:300px;height:80px;border:1px solid'></div>");
  }

  std::vector<std::string> Settings(std::string_view ghost) const {
    return {"data.dir=" + folder_.path().string(), "policy.allow_domains=127.0.0.1",
            "agent.ghost.enabled=" + std::string(ghost)};
  }

  TempDir folder_;
  TestSite site_;
};

TEST_F(GhostToolTest, ReadsThePictureOfThePageInTheCallersSession) {
  McpClient client(Settings("true"), {"--tools", "crawl"}, {kOpenFolder});

  const ToolReply read = client.Call("ghost_extract", {{"url", site_.Url("/drawn")}});
  const ToolReply again = client.Call("ghost_extract", {{"viewport_only", true}});

  EXPECT_EQ(read.head(), "ok ghost by tesseract") << read.text;
  EXPECT_TRUE(read.Says("Revenue rose by twelve percent")) << read.text;
  EXPECT_TRUE(read.marked.contains("<untrusted")) << read.marked;
  EXPECT_TRUE(again.Says("Revenue rose by twelve percent")) << again.text;
}

TEST_F(GhostToolTest, AWallIsAnErrorThatNamesTheWayOut) {
  McpClient client(Settings("true"), {"--tools", "crawl"}, {kOpenFolder});

  const ToolReply wall = client.Call("ghost_extract", {{"url", site_.Url("/wall")}});

  EXPECT_TRUE(wall.is_error) << wall.text;
  EXPECT_TRUE(wall.Says("captcha") && wall.Says("a person can take over")) << wall.text;
}

TEST_F(GhostToolTest, IsRefusedWhereItIsOffAndAbsentWithoutItsGroup) {
  McpClient off(Settings("false"), {"--tools", "crawl"});
  const ToolReply refused = off.Call("ghost_extract", {{"url", site_.Url("/drawn")}});
  EXPECT_TRUE(refused.is_error && refused.Says("agent.ghost.enabled")) << refused.text;

  McpClient plain(Settings("true"));
  const std::string tools = json::serialize(plain.Ask("tools/list", {}));
  EXPECT_FALSE(tools.contains("ghost_extract"));
}

}  // namespace
}  // namespace falconer::test
