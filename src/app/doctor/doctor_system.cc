#include "app/doctor/doctor_system.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <unistd.h>

#include "app/doctor/doctor_facts.h"

namespace falconer::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kLittleSharedMemory = 64 * kMiB;
constexpr std::size_t kEnoughFonts = 1000;
constexpr std::string_view kSandboxHelpers[] = {"/usr/lib/chromium/chrome-sandbox",
                                                "/opt/google/chrome/chrome-sandbox"};

bool HasNamespaces() {
  return KernelNumber("/proc/sys/kernel/unprivileged_userns_clone").value_or(1) != 0 &&
         KernelNumber("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").value_or(0) == 0 &&
         KernelNumber("/proc/sys/user/max_user_namespaces").value_or(0) > 0;
}

bool IsSetuidRoot(std::string_view path) {
  struct stat info{};
  return ::stat(std::string(path).c_str(), &info) == 0 && info.st_uid == 0 &&
         (info.st_mode & S_ISUID) != 0;
}

bool IsFont(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".ttf" || extension == ".otf" || extension == ".ttc" || extension == ".pfb";
}

std::size_t CountFonts(const fs::path& folder) {
  std::size_t count = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end;
       it.increment(failed)) {
    if (IsFont(it->path()) && ++count == kEnoughFonts) break;
  }
  return count;
}

std::optional<fs::path> FindProgram(std::string_view name, std::string_view search_path) {
  while (!search_path.empty()) {
    const std::size_t colon = std::min(search_path.find(':'), search_path.size());
    fs::path candidate = fs::path(search_path.substr(0, colon)) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    search_path.remove_prefix(std::min(colon + 1, search_path.size()));
  }
  return std::nullopt;
}

ClockSync ReadClockSync() {
  timex state{};
  const int answer = ::adjtimex(&state);
  if (answer < 0) return ClockSync::kUnknown;
  return answer == TIME_ERROR || (state.status & STA_UNSYNC) != 0 ? ClockSync::kFree
                                                                  : ClockSync::kSynchronised;
}

}  // namespace

Finding JudgeSandbox(const SandboxFacts& facts) {
  using enum browser::SandboxMode;
  if (facts.mode == kOff) return {Health::kWarn, "off, because browser.sandbox is off"};
  if (facts.is_root && facts.mode == kOn) {
    return {Health::kFail, "browser.sandbox is on, but Chromium refuses to run as root with it"};
  }
  if (facts.is_root) return {Health::kWarn, "off, because this runs as root"};
  if (facts.has_namespaces) return {Health::kOk, "on, by user namespaces"};
  if (facts.has_setuid_helper) return {Health::kOk, "on, by the setuid helper"};
  return {Health::kFail, "neither user namespaces nor the setuid helper can be used"};
}

Task<Finding> CheckSandbox(CallContext /*ctx*/, Visit* visit) {
  co_return JudgeSandbox({.mode = BrowserConfigFrom(visit->program.settings()).sandbox,
                          .is_root = ::geteuid() == 0,
                          .has_namespaces = HasNamespaces(),
                          .has_setuid_helper = std::ranges::any_of(kSandboxHelpers, IsSetuidRoot)});
}

Finding JudgeSharedMemory(std::optional<std::uint64_t> bytes) {
  if (!bytes) return {Health::kWarn, "there is no /dev/shm; the temporary folder is used instead"};
  if (*bytes >= kLittleSharedMemory) return {Health::kOk, Amount(*bytes) + " free"};
  return {Health::kWarn,
          fmt::format("only {} free; the temporary folder is used instead, which is slower",
                      Amount(*bytes))};
}

Task<Finding> CheckSharedMemory(CallContext /*ctx*/, Visit* /*visit*/) {
  co_return JudgeSharedMemory(FreeBytes("/dev/shm"));
}

Finding JudgeClock(WallTime now, ClockSync sync) {
  using std::chrono::year_month_day;
  const year_month_day today(std::chrono::floor<std::chrono::days>(now));
  const std::string date = fmt::format("{:04}-{:02}-{:02} UTC", int{today.year()},
                                       unsigned{today.month()}, unsigned{today.day()});
  if (today.year() < std::chrono::year(2025) || today.year() > std::chrono::year(2100)) {
    return {Health::kFail,
            fmt::format("it cannot be {}: tokens and certificates will be refused", date)};
  }
  if (sync == ClockSync::kFree) return {Health::kWarn, date + ", not synchronised"};
  return {Health::kOk, sync == ClockSync::kSynchronised ? date + ", synchronised" : date};
}

Task<Finding> CheckClock(CallContext ctx, Visit* /*visit*/) {
  co_return JudgeClock(ctx.clock().WallNow(), ReadClockSync());
}

Finding JudgeFonts(std::size_t files) {
  if (files == 0) return {Health::kWarn, "none found"};
  return {Health::kOk,
          fmt::format("{}{} font files", files, files >= kEnoughFonts ? " or more" : "")};
}

Task<Finding> CheckFonts(CallContext /*ctx*/, Visit* visit) {
  const fs::path home = Variable(*visit, "HOME").value_or("");
  std::size_t files = CountFonts("/usr/share/fonts") + CountFonts("/usr/local/share/fonts");
  if (!home.empty()) files += CountFonts(home / ".fonts") + CountFonts(home / ".local/share/fonts");
  co_return JudgeFonts(files);
}

Task<Finding> CheckBuildTools(CallContext /*ctx*/, Visit* visit) {
  const auto node = FindProgram("node", Variable(*visit, "PATH").value_or(""));
  co_return Finding{Health::kOk, node ? "node at " + node->string()
                                      : "no node; only building from source needs it"};
}

}  // namespace falconer::app
