#include "agent/report/run_report.h"

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

RunPast Story() {
  RunCall call = TraceOf({.id = "c1",
                          .name = "browser_take_screenshot",
                          .arguments = {{"target", "<script>alert(1)</script>"}}},
                         SideEffect::kRead);
  call.status = CallStatus::kOk;
  call.text = "\"><img src=x onerror=alert(2)>";
  call.artifacts = {"art_1", "art_2"};
  RunPast past{.task = "Buy <b>tea</b> & cake", .config = {.session = "s'\"<"}};
  past.steps.push_back({.step = 1,
                        .rationale = "</section><script>alert(3)</script>",
                        .calls = {call},
                        .provider = "near",
                        .usage = {.input = 900, .output = 20},
                        .cost_micros = 1234});
  past.closed = StopReason::kCompleted;
  past.result = {{"response", "Done <i>well</i>"}, {"error", nullptr}};
  return past;
}

std::optional<ChatImage> PictureOf(const std::string& artifact) {
  if (artifact == "art_1") return ChatImage{.media_type = "image/png", .bytes = "picture"};
  return ChatImage{.media_type = "image/svg+xml", .bytes = "<svg onload=alert(4)>"};
}

TEST(RunReportTest, ShowsTextAsText) {
  const std::string page = RunReportHtml(RunId("run-1"), Story(), PictureOf);

  EXPECT_FALSE(page.contains("<script"));
  EXPECT_FALSE(page.contains("<img src=x"));
  EXPECT_FALSE(page.contains("<svg"));
  EXPECT_TRUE(page.contains("Buy &lt;b&gt;tea&lt;/b&gt; &amp; cake"));
  EXPECT_TRUE(page.contains("Done &lt;i&gt;well&lt;/i&gt;"));
}

TEST(RunReportTest, NeedsNothingElse) {
  const std::string page = RunReportHtml(RunId("run-1"), Story(), PictureOf);

  EXPECT_TRUE(page.contains("src=\"data:image/png;base64,cGljdHVyZQ==\""));
  EXPECT_FALSE(page.contains("http://"));
  EXPECT_FALSE(page.contains("https://"));
  EXPECT_FALSE(page.contains("url("));
  EXPECT_TRUE(page.contains("default-src 'none'"));
  EXPECT_TRUE(page.contains("prefers-color-scheme:dark"));
}

TEST(RunReportTest, TellsWhatItCost) {
  const std::string page = RunReportHtml(RunId("run-1"), Story(), {});

  EXPECT_TRUE(page.contains("900 in, 20 out"));
  EXPECT_TRUE(page.contains("0.001234"));
  EXPECT_TRUE(page.contains("completed"));
}

TEST(RunReportTest, LeavesOutPicturesBeyondANumber) {
  RunPast past = Story();
  past.steps[0].calls[0].artifacts.assign(30, "art_1");

  const std::string page = RunReportHtml(RunId("run-1"), past, PictureOf);

  EXPECT_TRUE(page.contains("6 more pictures are left out."));
}

TEST(RunReportTest, RecordsAreOneInEachLine) {
  EXPECT_EQ(RunReportJsonl({{{"event", "a\nb"}}, {{"event", "c"}}}),
            "{\"event\":\"a\\nb\"}\n{\"event\":\"c\"}\n");
}

}  // namespace
}  // namespace falconer::agent
