#include "app/wiring.h"

#include <csignal>

#include <gtest/gtest.h>

#include "base/async/alarm.h"
#include "base/file.h"
#include "base/log.h"

namespace falconer::app {
namespace {

// What the settings become, with some of them set.
Settings With(std::vector<std::pair<std::string, std::string>> flags) {
  return LoadSettings({.flags = std::move(flags)}).value().values;
}

std::unique_ptr<Program> MakeProgram(Arguments arguments = {}) {
  auto program = Program::Create(arguments, LogReader::kPerson);
  EXPECT_TRUE(program) << program.error().message();
  return *std::move(program);
}

Task<Result<void>> Answer(Result<void> answer) {
  co_return answer;
}

// Waits until it is cancelled, and says so in time or not at all.
Task<Result<void>> WaitForSignal(Program* program, bool* has_cleaned) {
  const CallContext ctx = program->NewCall();
  Alarm never(ctx.executor(), ctx.clock());
  const auto waited = co_await ctx.Wait(&never, "a signal");
  *has_cleaned = program->NewCleanup().StillWanted("cleaning").has_value();
  co_return waited;
}

Task<Result<void>> IgnoreSignals(Program* program, bool* is_unwound) {
  struct Unwound {
    bool* flag;
    ~Unwound() { *flag = true; }
  } const unwound{is_unwound};
  Alarm never(program->executor(), program->clock());
  co_await never.Wait(Deadline::Never());
  co_return Result<void>();
}

TEST(WiringTest, BuildsTheBrowsersConfiguration) {
  const auto standard = BrowserConfigFrom(With({}));
  EXPECT_EQ(standard.kind, browser::BrowserKind::kShell);
  EXPECT_EQ(standard.visibility, browser::Visibility::kHeadless);
  EXPECT_EQ(standard.sandbox, browser::SandboxMode::kAuto);

  const auto full = BrowserConfigFrom(With({{"browser.full", "true"},
                                            {"browser.headless", "false"},
                                            {"browser.sandbox", "on"},
                                            {"browser.path", "/opt/c"},
                                            {"browser.extra_args", "--a --b"}}));
  EXPECT_EQ(full.kind, browser::BrowserKind::kFull);
  EXPECT_EQ(full.visibility, browser::Visibility::kVisible);
  EXPECT_EQ(full.sandbox, browser::SandboxMode::kOn);
  EXPECT_EQ(full.executable, "/opt/c");
  EXPECT_EQ(full.extra_arguments, (std::vector<std::string>{"--a", "--b"}));
}

TEST(WiringTest, BuildsASessionsOptions) {
  const auto options = SessionOptionsFrom(With({{"viewport.width", "800"},
                                                {"viewport.height", "600"},
                                                {"proxy.server", "http://p:1"},
                                                {"service_workers", "allow"},
                                                {"downloads.max_bytes", "1MiB"},
                                                {"data.dir", "/d"}}));
  EXPECT_EQ(options.viewport.width, 800);
  EXPECT_EQ(options.viewport.height, 600);
  EXPECT_EQ(options.proxy_server, "http://p:1");
  EXPECT_EQ(options.service_workers, browser::ServiceWorkers::kAllow);
  EXPECT_EQ(options.max_download_bytes, 1U << 20);
  EXPECT_EQ(options.artifacts, "/d/artifacts");
  EXPECT_EQ(SessionOptionsFrom(With({})).proxy_server, std::nullopt);
  EXPECT_EQ(ArtifactsFolder(With({{"artifacts.dir", "/a"}})), "/a");
}

TEST(WiringTest, BuildsLimits) {
  const Settings settings = With({{"timeouts.default", "3s"},
                                  {"timeouts.navigation", "4s"},
                                  {"timeouts.command", "5s"},
                                  {"browser.launch_timeout", "6s"},
                                  {"state.max_elements", "7"},
                                  {"state.max_texts", "8"}});
  EXPECT_EQ(DriverLimitsFrom(settings).action_timeout, std::chrono::seconds(3));
  EXPECT_EQ(DriverLimitsFrom(settings).navigation_timeout, std::chrono::seconds(4));
  EXPECT_EQ(BrowserLimitsFrom(settings).command_timeout, std::chrono::seconds(5));
  EXPECT_EQ(BrowserLimitsFrom(settings).launch_timeout, std::chrono::seconds(6));
  EXPECT_EQ(StateLimitsFrom(settings).elements, 7U);
  EXPECT_EQ(StateLimitsFrom(settings).texts, 8U);
}

TEST(ProgramTest, AnswersWhatTheTaskAnswers) {
  EXPECT_TRUE(MakeProgram()->Run(Answer({})));

  const auto program = MakeProgram();
  const auto failed = program->Run(Answer(Fail(ErrorCode::kIoError, "full")));
  EXPECT_EQ(failed.error().code(), ErrorCode::kIoError);
  EXPECT_EQ(program->FailureCode(), kExitFailed);
}

TEST(ProgramTest, LetsTheTaskEndInOrderAtTheFirstSignal) {
  const auto program = MakeProgram();
  bool has_cleaned = false;
  ASSERT_EQ(std::raise(SIGTERM), 0);

  const auto ended = program->Run(WaitForSignal(program.get(), &has_cleaned));

  EXPECT_EQ(ended.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(ended.error().message(), "interrupted by SIGTERM");
  EXPECT_TRUE(has_cleaned);
  EXPECT_EQ(program->FailureCode(), 128 + SIGTERM);
}

TEST(ProgramTest, BreaksTheTaskOffAtTheSecondSignal) {
  const auto program = MakeProgram();
  bool is_unwound = false;
  ASSERT_EQ(std::raise(SIGINT), 0);
  ASSERT_EQ(std::raise(SIGTERM), 0);

  const auto ended = program->Run(IgnoreSignals(program.get(), &is_unwound));

  EXPECT_EQ(ended.error().code(), ErrorCode::kCancelled);
  EXPECT_TRUE(is_unwound);
  EXPECT_EQ(program->FailureCode(), 128 + SIGINT);
}

TEST(ProgramTest, LeavesSignalsIgnoredThatWereIgnoredAtStart) {
  ASSERT_NE(std::signal(SIGHUP, SIG_IGN), SIG_ERR);
  const auto program = MakeProgram();
  ASSERT_EQ(std::raise(SIGHUP), 0);

  EXPECT_TRUE(program->Run(Answer({})));

  EXPECT_EQ(std::signal(SIGHUP, SIG_DFL), SIG_IGN);
  EXPECT_EQ(program->FailureCode(), kExitFailed);
}

TEST(ProgramTest, RefusesBadSettingsAndLogsThatCannotBeOpened) {
  Arguments arguments;
  arguments.settings = {"sessions.max=0"};
  EXPECT_EQ(Program::Create(arguments, LogReader::kPerson).error().code(),
            ErrorCode::kInvalidSetting);

  arguments.settings = {"log.file=/nowhere/at/all/f.log"};
  EXPECT_FALSE(Program::Create(arguments, LogReader::kPerson));
}

TEST(ProgramTest, IsQuietForPersonsUnlessToldOtherwise) {
  MakeProgram();
  EXPECT_FALSE(IsLogged(LogLevel::kWarn));

  Arguments arguments;
  arguments.settings = {"log.level=info"};
  MakeProgram(arguments);
  EXPECT_TRUE(IsLogged(LogLevel::kInfo));

  EXPECT_TRUE(Program::Create({}, LogReader::kOperator));
  EXPECT_TRUE(IsLogged(LogLevel::kWarn));
  EXPECT_FALSE(IsLogged(LogLevel::kInfo));
}

}  // namespace
}  // namespace falconer::app
