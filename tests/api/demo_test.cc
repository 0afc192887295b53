// `falconer demo` from outside: what it does, shows, and leaves behind.

#include <csignal>

#include <gtest/gtest.h>

#include "tests/api/child_program.h"

namespace falconer::test {
namespace {

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

class DemoProgramTest : public testing::Test {
 protected:
  static void ExpectNothingLeft(const ChildProgram& demo) {
    EXPECT_EQ(demo.Survivors(), std::vector<std::string>());
    EXPECT_EQ(demo.LeftBehind(), std::vector<std::string>());
  }
};

TEST_F(DemoProgramTest, PlacesAnOrderAndShowsEveryStep) {
  ChildProgram demo({"demo"});

  const Ended ended = demo.Wait();

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_EQ(ended.err, "");
  for (const std::string_view part :
       {"navigate", "state", "fill", "select", "check", "click", "wait", "extract", "delta",
        "screenshot", " ms", "order KC-", "confirmed",
        "Thank you, Ada Lovelace. 3 bags of Yirgacheffe, light", "How to go on", "falconer doctor",
        "make test"}) {
    EXPECT_TRUE(ended.out.contains(part)) << part << "\n" << ended.out;
  }
  EXPECT_FALSE(ended.out.contains('\x1b')) << "colour where nobody sees it";
  const auto path = demo.folder() / "falconer-demo/confirmation.png";
  EXPECT_TRUE(ended.out.contains("Screenshot: " + path.string())) << ended.out;
  const auto picture = ReadFile(path);
  ASSERT_TRUE(picture) << picture.error().message();
  EXPECT_TRUE(picture->starts_with(kPngSignature));
  ExpectNothingLeft(demo);
}

TEST_F(DemoProgramTest, AnswersAsOneJsonObject) {
  ChildProgram demo({"demo", "--json", "--output", "shots"});

  const Ended ended = demo.Wait();

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const json::object answer = ended.Answer();
  ASSERT_FALSE(answer.empty()) << ended.out;
  EXPECT_EQ(answer.at("ok"), true);
  EXPECT_GE(answer.at("steps").as_array().size(), 15U);
  EXPECT_FALSE(answer.at("state").at("elements").as_array().empty());
  EXPECT_EQ(answer.at("screenshot").as_string(),
            (demo.folder() / "shots/confirmation.png").string());
}

TEST_F(DemoProgramTest, RefusesAFolderThatCannotBe) {
  EXPECT_TRUE(RunProgram({"demo", "--output", ""}).err.contains("INVALID_ARGUMENT"));
  const Ended ended =
      RunProgram({"demo", "--output", "../nothing\n/\001/" + std::string(300, 'x')});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(ended.err.contains("cannot write to")) << ended.err;
}

TEST_F(DemoProgramTest, SaysLoudlyWhenTheSandboxIsOff) {
  const Ended ended = RunProgram({"demo", "--set", "browser.sandbox=off"});

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(ended.out.contains("WARNING  Chromium's sandbox is OFF")) << ended.out;
}

TEST_F(DemoProgramTest, StaysOpenUntilEnter) {
  ChildProgram demo({"demo", "--keep-open"});
  ASSERT_TRUE(demo.WaitForOutput("Press Enter"));
  EXPECT_FALSE(demo.Survivors().empty()) << "the browser should still run";

  demo.PressEnter();
  const Ended ended = demo.Wait();

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(ended.out.contains("How to go on")) << ended.out;
  ExpectNothingLeft(demo);
}

TEST_F(DemoProgramTest, EndsInOrderWhenToldTo) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    ChildProgram demo({"demo", "--keep-open"});
    ASSERT_TRUE(demo.WaitForOutput("Press Enter"));

    demo.Signal(number);
    const Ended ended = demo.Wait();

    EXPECT_EQ(ended.exit_code, 128 + number);
    EXPECT_TRUE(ended.err.contains("error: CANCELLED: interrupted by SIG")) << ended.err;
    ExpectNothingLeft(demo);
  }
}

TEST_F(DemoProgramTest, EndsInOrderAtAnyMoment) {
  for (const std::string_view moment :
       {"demo", " start ", " session ", " navigate ", " fill ", " wait "}) {
    ChildProgram demo({"demo", "--keep-open"});
    ASSERT_TRUE(demo.WaitForOutput(moment)) << moment;

    demo.Signal(SIGINT);
    const Ended ended = demo.Wait();

    EXPECT_EQ(ended.exit_code, 128 + SIGINT) << moment << "\n" << ended.err;
    ExpectNothingLeft(demo);
  }
}

TEST_F(DemoProgramTest, IsBrokenOffByTheSecondSignal) {
  ChildProgram demo({"demo", "--keep-open"});
  ASSERT_TRUE(demo.WaitForOutput("Press Enter"));

  demo.Signal(SIGTERM);
  demo.Signal(SIGINT);
  const Ended ended = demo.Wait();

  EXPECT_GE(ended.exit_code, 128);
  ExpectNothingLeft(demo);
}

TEST_F(DemoProgramTest, NamesTheErrorAndTheCureWhenThereIsNoBrowser) {
  const Ended ended = RunProgram({"demo", "--set", "browser.path=/nowhere/chromium"});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(ended.err.contains("error: BROWSER_LAUNCH_FAILED: ")) << ended.err;
  EXPECT_TRUE(ended.err.contains("hint:  `falconer doctor`")) << ended.err;
}

TEST_F(DemoProgramTest, NamesTheFolderThatCannotBeWritten) {
  const Ended ended = RunProgram({"demo", "--json", "--output", "/proc/nowhere"});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_EQ(ended.Answer().at("error").at("code").as_string(), "IO_ERROR") << ended.out;
}

}  // namespace
}  // namespace falconer::test
