#include "base/settings/settings_table.h"

#include <algorithm>
#include <cctype>

#include "base/settings/setting_bindings.h"

namespace falconer {
namespace {

constexpr EnumName<SandboxSetting> kSandbox[] = {
    {SandboxSetting::kAuto, "auto"}, {SandboxSetting::kOn, "on"}, {SandboxSetting::kOff, "off"}};
constexpr EnumName<ServiceWorkerSetting> kServiceWorkers[] = {
    {ServiceWorkerSetting::kBlock, "block"}, {ServiceWorkerSetting::kAllow, "allow"}};
constexpr EnumName<LogLevel> kLogLevels[] = {{LogLevel::kDebug, "debug"},
                                             {LogLevel::kInfo, "info"},
                                             {LogLevel::kWarn, "warn"},
                                             {LogLevel::kError, "error"},
                                             {LogLevel::kOff, "off"}};

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kMiB = 1LL << 20;
constexpr std::int64_t kTiB = 1LL << 40;

#define AT(member) [](auto& settings) -> auto& { return settings.member; }

// clang-format off
constexpr SettingRow kSettings[] = {
    {"browser.path", "", Path<AT(browser.path)>(),
     "The Chromium to run. Empty: the first of the usual places."},
    {"browser.full", "false", Flag<AT(browser.full)>(),
     "Run the full browser instead of the smaller headless shell."},
    {"browser.headless", "true", Flag<AT(browser.headless)>(),
     "Run without a window. false: the full browser is run, with a window; that needs a display.",
     Secrecy::kPublic, {{"PREDATOR_V2_HEADLESS", ""}, {"BROWSER_HEADLESS", ""}}},
    {"browser.sandbox", "auto", Choice<AT(browser.sandbox), kSandbox>(),
     "Chromium's own sandbox. auto: on, except as root, where Chromium refuses to start with it."},
    {"browser.extra_args", "", List<AT(browser.extra_args)>(),
     "More switches for Chromium."},
    {"browser.count", "1", Whole<AT(browser.count), 1, 64>(),
     "How many browsers to run side by side.",
     Secrecy::kPublic, {{"BROWSER_POOL_SIZE", ""}}},
    {"browser.attach_url", "", DebuggerAddress<AT(browser.attach_url)>(),
     "Debugging address of a browser that already runs; it is used instead of starting one."},
    {"browser.launch_timeout", "30s", TimeSpan<AT(browser.launch_timeout), kSecond, 10 * kMinute>(),
     "How long a browser may take to start."},
    {"browser.max_sessions_per_browser", "50", Whole<AT(browser.max_sessions_per_browser), 1, 1000>(),
     "Most sessions open in one browser at once."},
    {"browser.recycle_after_sessions", "50", Whole<AT(browser.recycle_after_sessions), 0, 1'000'000>(),
     "Replace a browser after this many sessions; 0 means never.",
     Secrecy::kPublic, {{"BROWSER_MAX_CRAWLS", ""}}},
    {"browser.max_age", "30m", TimeSpan<AT(browser.max_age), 0, 30 * kDay>(),
     "Replace a browser of this age once it is idle; 0 means never."},
    {"browser.idle_shutdown", "2m", TimeSpan<AT(browser.idle_shutdown), 0, kDay>(),
     "End a browser that had no session for this long; 0 means never.",
     Secrecy::kPublic, {{"BROWSER_IDLE_TIMEOUT", "s"}}},
    {"browser.health_interval", "10s", TimeSpan<AT(browser.health_interval), kSecond, 10 * kMinute>(),
     "How often a browser is asked whether it still answers."},

    {"sessions.max", "200", Whole<AT(sessions.max), 1, 100'000>(),
     "Most sessions open at once, over all browsers.",
     Secrecy::kPublic, {{"PREDATOR_V2_MAX_TOTAL_SESSIONS", ""}}},
    {"sessions.prewarmed", "0", Whole<AT(sessions.prewarmed), 0, 64>(),
     "Sessions made ready before anybody asks."},
    {"sessions.acquire_timeout", "5m", TimeSpan<AT(sessions.acquire_timeout), 1, kHour>(),
     "How long a caller waits for a free session."},
    {"sessions.idle_close", "15m", TimeSpan<AT(sessions.idle_close), 0, 7 * kDay>(),
     "A session that nobody has used for this long is closed, and its workflow let go of; 0 for "
     "never."},

    {"viewport.width", "1440", Whole<AT(viewport.width), 100, 10'000>(),
     "Width of a new page in CSS pixels.",
     Secrecy::kPublic, {{"PREDATOR_V2_VIEWPORT_WIDTH", ""}}},
    {"viewport.height", "900", Whole<AT(viewport.height), 100, 10'000>(),
     "Height of a new page in CSS pixels.",
     Secrecy::kPublic, {{"PREDATOR_V2_VIEWPORT_HEIGHT", ""}}},

    {"timeouts.default", "20s", TimeSpan<AT(timeouts.general), 1, kHour>(),
     "Deadline of an action that names none."},
    {"timeouts.navigation", "30s", TimeSpan<AT(timeouts.navigation), 1, kHour>(),
     "Deadline of a navigation that names none.",
     Secrecy::kPublic, {{"BROWSER_TIMEOUT", ""}}},
    {"timeouts.command", "30s", TimeSpan<AT(timeouts.command), 1, kHour>(),
     "Longest wait for the browser's answer to one protocol command."},

    {"artifacts.dir", "", Path<AT(artifacts.dir)>(),
     "Where screenshots, documents and downloads are kept. Empty: artifacts in data.dir.",
     Secrecy::kPublic, {{"PREDATOR_V2_ARTIFACT_DIR", ""}}},
    {"artifacts.max_bytes", "512MiB", Bytes<AT(artifacts.max_bytes), kMiB, kTiB>(),
     "Most bytes of artifacts kept per tenant: uploads, downloads, pictures and documents."},
    {"artifacts.inbox", "", Path<AT(artifacts.inbox)>(),
     "A folder whose files callers may register for uploads by name. Empty: none."},
    {"policy.allow_domains", "*", List<AT(policy.allow_domains)>(),
     "Hosts that pages may be opened from: example.com, *.example.com, example.com:8443, an address, "
     "or * for every public host. What is not public must be named. Empty: nothing is allowed."},
    {"policy.deny_domains", "", List<AT(policy.deny_domains)>(),
     "Hosts that are never asked for anything, whatever else allows them. Deny wins."},
    {"policy.connect_domains", "", List<AT(policy.connect_domains)>(),
     "Hosts that pages may load from and talk to: scripts, pictures, fetches, WebSockets. Empty: as "
     "policy.allow_domains."},
    {"downloads.max_bytes", "512MiB", Bytes<AT(downloads.max_bytes), 0, kTiB>(),
     "Most bytes of downloads kept per session; 0 refuses all downloads."},
    {"data.dir", "~/.local/share/falconer", Path<AT(data.dir)>(),
     "The folder for everything that lasts.",
     Secrecy::kPublic, {{"STORAGE_PATH", ""}}},

    {"tenant", "local", Text<AT(tenant)>(),
     "On whose behalf this program acts: artifacts, limits and the ledger's chain are kept per tenant."},
    {"leases.ttl", "5m", TimeSpan<AT(leases.ttl), kSecond, kDay>(),
     "How long a workflow stays with a program that has ended without letting go of it. A running "
     "one renews its leases three times in that time."},
    {"capacity.running", "64", Whole<AT(capacity.running), 1, 10'000>(),
     "Most actions under way at once."},
    {"capacity.running_per_tenant", "16", Whole<AT(capacity.running_per_tenant), 1, 10'000>(),
     "Most actions of one tenant under way at once."},
    {"actions.remembered", "1000000", Whole<AT(actions.remembered), 1000, 100'000'000>(),
     "Actions by which repetitions are recognised; the oldest are forgotten first."},
    {"ledger.segment_bytes", "64MiB", Bytes<AT(ledger.segment_bytes), kMiB, 1024 * kMiB>(),
     "Size at which a file of the ledger is closed and the next one begun."},
    {"ledger.checkpoint_records", "1000", Whole<AT(ledger.checkpoint_records), 1, 1'000'000>(),
     "Records after which the ledger signs a checkpoint."},
    {"ledger.checkpoint_interval", "10s", TimeSpan<AT(ledger.checkpoint_interval), 1, kDay>(),
     "Longest time a record waits for a signed checkpoint."},
    {"ledger.anchor", "", Path<AT(ledger.anchor)>(),
     "A folder outside of data.dir, best on another machine, that gets a copy of each newest "
     "checkpoint: with it a data folder that was put back to an older state is found out. Empty: none."},
    {"telemetry.enabled", "true", Flag<AT(telemetry.enabled)>(),
     "Write what happens in sessions to a file, one JSON object per line."},
    {"telemetry.file", "", Path<AT(telemetry.file)>(),
     "That file. Empty: telemetry.jsonl in data.dir."},

    {"log.level", "warn", Choice<AT(log.level), kLogLevels>(),
     "The least important lines that are written."},
    {"log.file", "", Path<AT(log.file)>(),
     "Append the log to this file. Empty: standard error."},

    {"state.max_elements", "48", Whole<AT(state.max_elements), 1, 5000>(),
     "Most interactive elements in a state."},
    {"state.max_texts", "40", Whole<AT(state.max_texts), 0, 5000>(),
     "Most pieces of text in a state."},
    {"state.max_frames", "8", Whole<AT(state.max_frames), 1, 200>(),
     "Most frames in a state."},
    {"state.max_forms", "6", Whole<AT(state.max_forms), 0, 200>(),
     "Most forms in a state."},
    {"state.max_errors", "12", Whole<AT(state.max_errors), 0, 200>(),
     "Most visible errors in a state."},

    {"network.ring", "256", Whole<AT(network.ring), 16, 65'536>(),
     "Requests remembered per tab."},
    {"console.ring", "128", Whole<AT(console.ring), 16, 65'536>(),
     "Console messages remembered per tab."},

    {"proxy.server", "", Text<AT(proxy.server)>(),
     "Proxy for all pages, such as http://host:port or socks5://host:port. User names and passwords "
     "in it do not work: Chromium then opens no page at all.",
     Secrecy::kSecret, {{"PROXY_SERVER", ""}}},
    {"service_workers", "block", Choice<AT(service_workers), kServiceWorkers>(),
     "Whether pages may install service workers, which can answer requests unseen."},
};
// clang-format on

#undef AT

}  // namespace

std::span<const SettingRow> AllSettings() {
  return kSettings;
}

const SettingRow* SettingNamed(std::string_view key) {
  const auto* row = std::ranges::find(kSettings, key, &SettingRow::key);
  return row == std::end(kSettings) ? nullptr : row;
}

std::string EnvironmentName(const SettingRow& row) {
  std::string name = "FALCONER_";
  for (const char c : row.key) {
    name += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

}  // namespace falconer
