#include "app/doctor/doctor.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "app/doctor/doctor_browser.h"
#include "app/doctor/doctor_folders.h"
#include "app/doctor/doctor_limits.h"
#include "app/doctor/doctor_system.h"
#include "app/version.h"

namespace falconer::app {
namespace {

constexpr Check kChecks[] = {
    {"headless shell", "apt install chromium-headless-shell, or set browser.path", &CheckShell},
    {"full Chromium", "apt install chromium; needed for browser.full and for a visible window",
     &CheckFull},
    {"attached", "start that browser with --remote-debugging-port, or clear browser.attach_url",
     &CheckAttached},
    {"page", "cure what the checks name first; if all else is well, report this", &CheckPage},
    {"sandbox",
     "run as an ordinary user, and either allow user namespaces (sysctl "
     "kernel.unprivileged_userns_clone=1) or apt install chromium-sandbox",
     &CheckSandbox},
    {"shared memory", "mount a larger /dev/shm, for Docker: --shm-size=1g", &CheckSharedMemory},
    {"open files", "allow more files: ulimit -n 4096", &CheckOpenFiles},
    {"processes", "allow more processes: ulimit -u 4096", &CheckProcesses},
    {"memory", "end other programs, or give the machine or container more memory", &CheckMemory},
    {"disk space", "free some space, or set data.dir, artifacts.dir and TMPDIR elsewhere",
     &CheckDiskSpace},
    {"folders", "set data.dir, artifacts.dir and TMPDIR to folders that this user may write to",
     &CheckFolders},
    {"clock", "set the clock and keep it right: timedatectl set-ntp true", &CheckClock},
    {"fonts", "apt install fonts-liberation: without fonts pages show empty boxes", &CheckFonts},
    {"build tools", "apt install nodejs npm, if you build Falconer from source", &CheckBuildTools},
};

struct Diagnosis {
  const Check* check;
  Finding finding;
};

std::string_view HealthName(Health health) {
  return health == Health::kOk ? "ok" : health == Health::kWarn ? "warn" : "fail";
}

Ink InkOf(Health health) {
  return health == Health::kOk ? Ink::kGreen : health == Health::kWarn ? Ink::kYellow : Ink::kRed;
}

std::string_view CureOf(const Diagnosis& found) {
  return found.finding.cure.empty() ? found.check->cure : std::string_view(found.finding.cure);
}

void Print(Terminal& terminal, const Diagnosis& found) {
  const Health health = found.finding.health;
  terminal.Print(fmt::format(
      "  {}  {:<15} {}", terminal.Paint(InkOf(health), fmt::format("{:<4}", HealthName(health))),
      found.check->name, found.finding.detail));
  if (health != Health::kOk)
    terminal.Print(fmt::format("        {:<15} cure: {}", "", CureOf(found)));
}

json::object ToJson(const Diagnosis& found) {
  json::object out{{"name", found.check->name},
                   {"status", HealthName(found.finding.health)},
                   {"detail", found.finding.detail}};
  if (found.finding.health != Health::kOk) out["cure"] = CureOf(found);
  return out;
}

std::size_t CountOf(const std::vector<Diagnosis>& all, Health health) {
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const auto& one) { return one.finding.health == health; }));
}

// One look at the machine, told as it goes.
class Examination {
 public:
  Examination(Visit& visit, Terminal& terminal) : visit_(visit), terminal_(terminal) {}

  Task<Result<void>> Run() {
    const CallContext ctx = visit_.program.NewCall();
    for (const Check& check : kChecks) {
      Finding finding = co_await check.run(ctx, &visit_);
      if (!ctx.StillWanted("doctor")) break;
      found_.push_back({&check, std::move(finding)});
      if (!visit_.arguments.wants_json) Print(terminal_, found_.back());
    }
    if (visit_.browser) co_await visit_.browser->Close(visit_.program.NewCleanup());
    co_return ctx.StillWanted("doctor");
  }

  void Sum() const {
    const std::size_t failures = CountOf(found_, Health::kFail);
    if (visit_.arguments.wants_json) {
      json::array checks;
      for (const Diagnosis& one : found_) checks.push_back(ToJson(one));
      return PrintJson(terminal_,
                       json::object{{"ok", failures == 0}, {"checks", std::move(checks)}});
    }
    terminal_.Print();
    terminal_.Print(fmt::format("{} ok, {} warnings, {} failures", CountOf(found_, Health::kOk),
                                CountOf(found_, Health::kWarn), failures));
  }

  int exit_code() const { return CountOf(found_, Health::kFail) == 0 ? kExitOk : kExitFailed; }

 private:
  Visit& visit_;
  Terminal& terminal_;
  std::vector<Diagnosis> found_;
};

}  // namespace

std::span<const Check> AllChecks() {
  return kChecks;
}

int RunDoctor(const Arguments& arguments, Terminal& terminal) {
  const auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) {
    PrintError(terminal, arguments.form(), program.error());
    return kExitUsage;
  }
  if (!arguments.wants_json) {
    terminal.Print(terminal.Paint(Ink::kBold, fmt::format("Falconer {}: doctor", Version())));
    terminal.Print();
  }
  Visit visit{.arguments = arguments, .program = **program, .browser = nullptr};
  Examination examination(visit, terminal);
  const auto examined = (*program)->Run(examination.Run());
  if (!examined) {
    PrintError(terminal, arguments.form(), examined.error());
    return (*program)->FailureCode();
  }
  examination.Sum();
  return examination.exit_code();
}

}  // namespace falconer::app
