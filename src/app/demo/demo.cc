#include "app/demo/demo.h"

#include <fmt/format.h>
#include <unistd.h>

#include "app/demo/demo_play.h"
#include "app/version.h"

namespace falconer::app {
namespace {

bool CanWriteTo(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  return !failed && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// The folder that was asked for. Who asked for none gets one among the data where the current
// folder cannot be written.
Result<std::filesystem::path> FindFolder(const Arguments& arguments, const Settings& settings) {
  if (arguments.output.empty())
    return Fail(ErrorCode::kInvalidArgument, "--output names no folder");
  auto wanted = std::filesystem::absolute(arguments.output).lexically_normal();
  if (CanWriteTo(wanted)) return wanted;
  auto fallback = settings.data.dir / arguments.output;
  const bool is_asked_for = arguments.output != Arguments().output;
  if (!is_asked_for && CanWriteTo(fallback)) return fallback;
  return Fail(ErrorCode::kIoError, "cannot write to " + wanted.string());
}

// The demo is somebody of its own: its record is not among that of real work.
Settings SettingsFrom(const Arguments& arguments, Settings settings) {
  settings.tenant = "demo";
  if (!arguments.is_visible) return settings;
  settings.browser.full = true;
  settings.browser.headless = false;
  settings.browser.attach_url.clear();
  return settings;
}

void WarnOfSandbox(DemoReport& report, const browser::BrowserConfig& config) {
  const bool is_off = browser::RunsWithoutSandbox(config);
  report.Note("sandbox", json::value(is_off ? "off" : "on"));
  if (!is_off) return;
  if (config.sandbox == browser::SandboxMode::kOff) {
    report.Warn("Chromium's sandbox is OFF: browser.sandbox says so.");
  } else {
    report.Warn(
        "Chromium's sandbox is OFF: this runs as root, and Chromium refuses to start with it then. "
        "Run Falconer as an ordinary user before you visit pages of others.");
  }
  report.Say();
}

void SayHowToGoOn(DemoReport& report) {
  report.Say();
  report.Say("How to go on");
  for (const std::string_view line :
       {"falconer doctor          is everything here that browsers need?",
        "falconer config show     the settings in effect, and where each was said",
        "falconer audit list      the chains of records; the demo's is called demo",
        "falconer quarantine list what was put away of the hostile review",
        "make run                 the same slowly in the console, and you decide",
        "falconer mcp             give a model these hands: docs/mcp.md",
        "falconer act FILE        carry out a contract: docs/act.md",
        "make test                every check and test of the project"}) {
    report.Say(fmt::format("    {}", line));
  }
}

Result<void> Play(Program& program, const Arguments& arguments, DemoReport& report) {
  TRY_ASSIGN(auto folder, FindFolder(arguments, program.settings()));
  DemoPlay::Options options{.settings = SettingsFrom(arguments, program.settings()),
                            .folder = std::move(folder),
                            .stays_open = arguments.stays_open};
  report.Say(report.terminal().Paint(Ink::kBold, fmt::format("Falconer {}: demo", Version())));
  report.Say();
  if (options.settings.browser.attach_url.empty())
    WarnOfSandbox(report, BrowserConfigFrom(options.settings));
  DemoPlay play(program, report, std::move(options));
  return program.Run(play.Run());
}

}  // namespace

int RunDemo(const Arguments& arguments, Terminal& terminal) {
  const auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) {
    PrintError(terminal, arguments.form(), program.error());
    return kExitUsage;
  }
  DemoReport report(terminal, arguments.form(), (*program)->clock());
  const auto played = Play(**program, arguments, report);
  if (!played) {
    PrintError(terminal, arguments.form(), played.error());
    return (*program)->FailureCode();
  }
  SayHowToGoOn(report);
  report.Finish();
  return kExitOk;
}

}  // namespace falconer::app
