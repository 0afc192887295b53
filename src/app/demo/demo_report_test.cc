#include "app/demo/demo_report.h"

#include <sstream>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::app {
namespace {

class DemoReportTest : public testing::Test {
 protected:
  std::ostringstream out_;
  std::ostringstream err_;
  Terminal terminal_{out_, err_, Colour::kOff};
  FakeClock clock_;
};

TEST_F(DemoReportTest, TellsStepsAlignedWithTheirTimes) {
  DemoReport report(terminal_, OutputForm::kText, clock_);

  report.BeginStep();
  clock_.Advance(std::chrono::microseconds(12'340));
  report.EndStep("click", "button \"Order\"");
  report.BeginStep();
  clock_.Advance(std::chrono::seconds(1));
  report.EndStep("screenshot", "a.png");
  report.Finish();

  std::istringstream lines(out_.str());
  std::string first;
  std::string second;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_TRUE(first.starts_with("   1 click      button \"Order\" ")) << first;
  EXPECT_TRUE(first.ends_with("   12.3 ms")) << first;
  EXPECT_TRUE(second.ends_with(" 1000.0 ms")) << second;
  EXPECT_EQ(first.size(), second.size());
}

TEST_F(DemoReportTest, WrapsWarningsAndKeepsThemWhole) {
  const std::string warning =
      "the sandbox is off " + std::string(70, 'x') + " and that is not good";
  DemoReport text(terminal_, OutputForm::kText, clock_);
  text.Warn(warning);
  EXPECT_EQ(out_.str(), "  WARNING  the sandbox is off\n           " + std::string(70, 'x') +
                            " and that\n           is not good\n");

  out_.str("");
  DemoReport json(terminal_, OutputForm::kJson, clock_);
  json.Warn(warning);
  json.Finish();
  EXPECT_EQ(ParseJsonObject(out_.str())->at("warnings").at(0).as_string(), warning);
}

TEST_F(DemoReportTest, SaysNothingButOneObjectAsJson) {
  DemoReport report(terminal_, OutputForm::kJson, clock_);

  report.Say("hello");
  report.BeginStep();
  report.EndStep("start", "Chromium");
  report.Note("order_number", "KC-1");
  EXPECT_EQ(out_.str(), "");
  report.Finish();

  const auto answer = ParseJsonObject(out_.str());
  ASSERT_TRUE(answer) << out_.str();
  EXPECT_EQ(answer->at("ok"), true);
  EXPECT_EQ(answer->at("order_number").as_string(), "KC-1");
  EXPECT_EQ(answer->at("steps").at(0).at("step").as_string(), "start");
}

}  // namespace
}  // namespace falconer::app
