// `falconer demo` from outside: what it does, shows, and leaves behind.

#include <csignal>
#include <netinet/in.h>
#include <set>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "tests/api/child_program.h"

namespace falconer::test {
namespace {

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

// The address of a port that takes connections and never says a word.
struct SilentPort {
  SilentPort() : socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(socket.get(), plain, size), 0);
    EXPECT_EQ(::listen(socket.get(), 8), 0);
    EXPECT_EQ(::getsockname(socket.get(), plain, &size), 0);
    url = "http://127.0.0.1:" + std::to_string(::ntohs(address.sin_port));
  }
  UniqueFd socket;
  std::string url;
};

// A program that starts and never answers.
std::filesystem::path WriteSilentBrowser(const std::filesystem::path& folder) {
  auto path = folder / "silent-browser";
  EXPECT_TRUE(WriteFileAtomic(path, "#!/bin/sh\nexec sleep 60\n"));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

class DemoProgramTest : public testing::Test {
 protected:
  static void ExpectNothingLeft(const ChildProgram& demo) {
    EXPECT_EQ(demo.Survivors(), std::vector<std::string>());
    EXPECT_EQ(demo.LeftBehind(), std::vector<std::string>());
  }
};

TEST_F(DemoProgramTest, BuysUnderControlAndShowsEveryStep) {
  ChildProgram demo({"demo"});

  const Ended ended = demo.Wait();

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_EQ(ended.err, "");
  for (const std::string_view part : {"navigate",
                                      "state",
                                      "fill",
                                      "select",
                                      "click",
                                      "extract",
                                      "delta",
                                      "screenshot",
                                      " ms",
                                      "a model reads  [filtered_instruction ",
                                      "REFUSED",
                                      "SECURITY_DOMAIN_BLOCK, denial ",
                                      "again after POSTCONDITION_FAILED and 1000 ms",
                                      "was waited for",
                                      "<- secret demo-shop",
                                      "is painted over",
                                      "HELD",
                                      "nothing has left yet",
                                      "POST http://127.0.0.1:",
                                      "45 EUR",
                                      "values masked",
                                      "one order at the shop",
                                      "still one order",
                                      "order KC-",
                                      "confirmed",
                                      "Thank you, Ada Lovelace. 3 bags of Yirgacheffe",
                                      "nothing reached the server",
                                      "chain and signatures verified",
                                      "its value nowhere",
                                      "reproduced: every decision",
                                      "How to go on",
                                      "falconer doctor",
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
  EXPECT_GE(answer.at("steps").as_array().size(), 35U);
  EXPECT_FALSE(answer.at("state").at("elements").as_array().empty());
  EXPECT_EQ(answer.at("screenshot").as_string(),
            (demo.folder() / "shots/confirmation.png").string());
}

TEST_F(DemoProgramTest, TheHostileReviewReachesNothing) {
  const json::object answer = RunProgram({"demo", "--json"}).Answer();
  ASSERT_TRUE(answer.contains("denial")) << json::serialize(answer);

  EXPECT_EQ(answer.at("collector_requests"), 0);
  EXPECT_GE(answer.at("quarantined").as_int64(), 2) << "what is seen and what is hidden";
  const json::value& denial = answer.at("denial");
  EXPECT_EQ(denial.at("code"), "SECURITY_DOMAIN_BLOCK") << denial;
  EXPECT_FALSE(denial.at("denial_id").as_string().empty()) << denial;
  EXPECT_FALSE(answer.at("refused_requests").as_array().empty()) << "the link";
  EXPECT_FALSE(json::serialize(answer.at("state")).contains("ignore all previous"));
}

TEST_F(DemoProgramTest, TheOrderIsPlacedOnceAfterAPersonSawTheRequest) {
  const json::object answer = RunProgram({"demo", "--json"}).Answer();
  ASSERT_TRUE(answer.contains("approval")) << json::serialize(answer);

  EXPECT_EQ(answer.at("orders_placed"), 1);
  EXPECT_EQ(answer.at("replay").at("status"), "reproduced");
  const json::object& approval = answer.at("approval").as_object();
  EXPECT_EQ(approval.at("action_type"), "purchase");
  EXPECT_EQ(approval.at("http_method"), "POST");
  EXPECT_TRUE(approval.at("target_url").as_string().ends_with("/checkout"));
  const std::string preview = json::serialize(approval.at("preview"));
  EXPECT_TRUE(preview.contains("Ada Lovelace") || preview.contains("45.00")) << preview;
  EXPECT_FALSE(preview.contains("ada@example.org")) << preview;
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
       {"demo", " start ", " session ", " navigate ", " REFUSED ", " HELD ", " delta "}) {
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

TEST_F(DemoProgramTest, HintsAtTheLaunchTimeoutWhenTheBrowserHangs) {
  const TempDir folder = TempDir::Create("falconer-api-test-").value();
  const Ended ended =
      RunProgram({"demo", "--set", "browser.path=" + WriteSilentBrowser(folder.path()).string(),
                  "--set", "browser.launch_timeout=1s"});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(ended.err.contains("--set browser.launch_timeout=")) << ended.err;
}

TEST_F(DemoProgramTest, HintsAtTheAddressWhenTheAttachedBrowserHangs) {
  const SilentPort port;
  const Ended ended = RunProgram(
      {"demo", "--set", "browser.attach_url=" + port.url, "--set", "browser.launch_timeout=1s"});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(ended.err.contains("hint:  browser.attach_url must name")) << ended.err;
}

TEST_F(DemoProgramTest, NamesTheDisplayThatCannotBeReached) {
  const Ended unreachable = RunProgram({"demo", "--visible"}, {"DISPLAY=:7777"});
  EXPECT_EQ(unreachable.exit_code, 1);
  EXPECT_TRUE(unreachable.err.contains("the display :7777 (DISPLAY) cannot be reached"))
      << unreachable.err;

  const Ended unset = RunProgram({"demo", "--visible"});
  EXPECT_TRUE(unset.err.contains("DISPLAY is not set")) << unset.err;
}

TEST_F(DemoProgramTest, KeepsIgnoringTheSignalThatNohupIgnores) {
  ASSERT_NE(std::signal(SIGHUP, SIG_IGN), SIG_ERR);
  ChildProgram demo({"demo", "--keep-open"});  // inherits it
  ASSERT_NE(std::signal(SIGHUP, SIG_DFL), SIG_ERR);
  ASSERT_TRUE(demo.WaitForOutput("Press Enter"));

  demo.Signal(SIGHUP);
  demo.PressEnter();
  const Ended ended = demo.Wait();

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  ExpectNothingLeft(demo);
}

TEST_F(DemoProgramTest, RemovesWhatAKilledDemoLeft) {
  const TempDir data = TempDir::Create("falconer-api-test-").value();
  const auto incoming = [&data] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data.path())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(".incoming_")) names.insert(name);
    }
    return names;
  };
  const std::vector<std::string> words{"demo", "--keep-open", "--set",
                                       "data.dir=" + data.path().string()};
  ChildProgram killed(words);
  ASSERT_TRUE(killed.WaitForOutput("Press Enter"));
  killed.Signal(SIGKILL);
  killed.Wait();
  ASSERT_EQ(incoming().size(), 1U) << "a killed demo leaves its folder";

  ChildProgram second(words);
  ASSERT_TRUE(second.WaitForOutput("Press Enter"));
  const auto of_second = incoming();
  EXPECT_EQ(of_second.size(), 1U) << "only that of the running one";
  second.PressEnter();
  EXPECT_EQ(second.Wait().exit_code, 0);
  EXPECT_TRUE(incoming().empty());
}

TEST_F(DemoProgramTest, LeavesNoPictureThatCannotHaveItsName) {
  const TempDir folder = TempDir::Create("falconer-api-test-").value();
  std::filesystem::create_directory(folder.path() / "confirmation.png");

  const Ended ended = RunProgram({"demo", "--output", folder.path().string()});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(ended.err.contains("IO_ERROR")) << ended.err;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "confirmation.png");
  }
}

TEST_F(DemoProgramTest, NamesTheFolderThatCannotBeWritten) {
  const Ended ended = RunProgram({"demo", "--json", "--output", "/proc/nowhere"});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_EQ(ended.Answer().at("error").at("code").as_string(), "IO_ERROR") << ended.out;
}

}  // namespace
}  // namespace falconer::test
