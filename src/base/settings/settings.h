#pragma once
// The settings of the program. One table (settings_table.cc) gives each its key, default, bounds
// and help; loading, --help, docs/config.md and validation all come from it. A YAML file is
// overruled by the environment, and that by flags; anything unknown or out of bounds is an error
// that names where it was said and what is allowed.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"

namespace falconer {

enum class SandboxSetting { kAuto, kOn, kOff };
enum class ServiceWorkerSetting { kBlock, kAllow };
enum class EgressResolveSetting { kHere, kUpstream };
enum class RedactionSetting { kStandard, kStrict };
enum class AskFromSetting { kNever, kMedium, kHigh, kCritical };
enum class PredictProfileSetting { kAggressive, kBalanced, kConservative };

// What each setting means is the help in the table. Values come from the table's defaults through
// LoadSettings or DefaultSettings; a Settings made otherwise is empty.
struct Settings {
  struct Browser {
    std::filesystem::path path;
    bool full = false;
    bool headless = false;
    SandboxSetting sandbox = SandboxSetting::kAuto;
    std::vector<std::string> extra_args;
    std::int64_t count = 0;
    std::string attach_url;
    std::chrono::milliseconds launch_timeout{0};
    std::int64_t max_sessions_per_browser = 0;
    std::int64_t recycle_after_sessions = 0;
    std::chrono::milliseconds max_age{0};
    std::chrono::milliseconds idle_shutdown{0};
    std::chrono::milliseconds health_interval{0};
  };
  struct Sessions {
    std::int64_t max = 0;
    std::int64_t prewarmed = 0;
    std::chrono::milliseconds acquire_timeout{0};
    std::chrono::milliseconds idle_close{0};
  };
  struct Viewport {
    std::int64_t width = 0;
    std::int64_t height = 0;
  };
  struct Timeouts {
    std::chrono::milliseconds general{0};  // the key is timeouts.default, a reserved word here
    std::chrono::milliseconds navigation{0};
    std::chrono::milliseconds command{0};
  };
  struct Artifacts {
    std::filesystem::path dir;
    std::filesystem::path inbox;
    std::int64_t max_bytes = 0;
  };
  struct Policy {
    std::vector<std::string> allow_domains;
    std::vector<std::string> deny_domains;
    std::vector<std::string> connect_domains;
    std::filesystem::path file;
  };
  struct Tokens {
    std::string issuer;
    std::string audience;
    std::chrono::milliseconds skew{0};
    std::string currency;
    std::string token;
    bool proof = false;
  };
  struct Downloads {
    std::int64_t max_bytes = 0;
  };
  struct Data {
    std::filesystem::path dir;
  };
  struct Leases {
    std::chrono::milliseconds ttl{0};
  };
  struct Capacity {
    std::int64_t running = 0;
    std::int64_t running_per_tenant = 0;
    std::int64_t waiting = 0;
  };
  struct Actions {
    std::int64_t remembered = 0;
  };
  struct Quota {
    std::int64_t sessions = 0;
    std::int64_t actions_per_minute = 0;
    std::int64_t step_tokens = 0;
    std::int64_t state_delta_tokens = 0;
    std::int64_t network_summary_tokens = 0;
    std::int64_t metadata_tokens = 0;
  };
  struct Breaker {
    std::int64_t threshold = 0;
    std::chrono::milliseconds window{0};
    std::chrono::milliseconds open{0};
  };
  struct Ledger {
    std::int64_t segment_bytes = 0;
    std::int64_t checkpoint_records = 0;
    std::chrono::milliseconds checkpoint_interval{0};
    std::filesystem::path anchor;
  };
  struct Telemetry {
    bool enabled = false;
    std::filesystem::path file;
    std::string otlp_endpoint;
    std::vector<std::string> otlp_headers;
    std::filesystem::path otlp_ca;
    double sample_ratio = 0;
  };
  struct Redaction {
    RedactionSetting level = RedactionSetting::kStandard;
  };
  struct Secrets {
    std::filesystem::path vault;
    std::vector<std::string> commands;
  };
  struct Injection {
    bool filter = false;
  };
  struct Approvals {
    AskFromSetting from_risk = AskFromSetting::kNever;
    std::chrono::milliseconds timeout{0};
    std::chrono::milliseconds pending_after{0};
    bool client_may_approve = false;
    std::vector<std::string> managers;
    std::vector<std::string> admins;
    std::string webhook;
    std::string webhook_secret;
  };
  struct Log {
    LogLevel level = LogLevel::kWarn;
    std::filesystem::path file;
  };
  struct State {
    std::int64_t max_elements = 0;
    std::int64_t max_texts = 0;
    std::int64_t max_frames = 0;
    std::int64_t max_forms = 0;
    std::int64_t max_errors = 0;
  };
  struct Network {
    std::int64_t ring = 0;
  };
  struct Console {
    std::int64_t ring = 0;
  };
  struct Proxy {
    std::string server;
  };
  struct Ghost {
    bool enabled = false;
    bool auto_trigger = false;
    std::string vision_provider;
    std::int64_t max_image_width = 0;
    std::int64_t max_retries = 0;
    std::string ocr_program;
    std::string ocr_languages;
  };
  struct Crawl {
    bool respect_robots = false;
    std::string user_agent_name;
    std::chrono::milliseconds delay{0};
    std::chrono::milliseconds max_delay{0};
    std::int64_t per_host = 0;
    std::int64_t at_once = 0;
    std::int64_t max_waiting = 0;
    std::chrono::milliseconds cache_ttl{0};
    std::int64_t cache_bytes = 0;
  };
  struct Agent {
    json::array providers;  // objects; agent/providers/provider_spec.h reads them
    json::array nodes;      // objects; agent/nodes/node_spec.h reads them
    Ghost ghost;
  };
  struct Jobs {
    std::int64_t at_once = 0;
    std::int64_t max_queued = 0;
    std::chrono::milliseconds keep{0};
    std::int64_t keep_count = 0;
    std::int64_t keep_bytes = 0;
    std::string callback_key;
  };
  // The built-in agent: agent.internal.*
  struct AgentLoop {
    bool enabled = false;
    std::int64_t max_steps = 0;
    std::chrono::milliseconds max_wall_time{0};
    std::int64_t max_failures = 0;
    std::int64_t max_tokens = 0;
    std::string max_cost;
    std::vector<std::string> allowed_tools;
    std::vector<std::string> allowed_domains;
  };
  struct Predict {
    bool enabled = false;
    PredictProfileSetting profile = PredictProfileSetting::kBalanced;
    std::int64_t max_iterations = 0;
    std::chrono::milliseconds workflow_timeout{0};
    std::int64_t loop_limit = 0;
    bool ask_model = false;
    double model_below = 0;
    bool speculate = false;
    double speculate_from = 0;
    std::int64_t max_transitions = 0;
    std::chrono::milliseconds half_life{0};
  };
  struct Serve {
    std::string address;
    std::int64_t port = 0;
    std::vector<std::string> hosts;
    std::vector<std::string> origins;
    std::filesystem::path tls_cert;
    std::filesystem::path tls_key;
    std::string public_url;
    std::string auth_issuer;
    std::chrono::milliseconds demo_pause{0};
  };
  struct Stream {
    bool enabled = false;
    std::int64_t quality = 0;
    std::int64_t max_width = 0;
    std::int64_t max_fps = 0;
    std::int64_t viewers = 0;
  };
  struct Egress {
    bool enabled = false;
    std::vector<std::string> dns;
    std::chrono::milliseconds dns_cache{0};
    EgressResolveSetting resolve = EgressResolveSetting::kHere;
    std::int64_t max_bytes_up = 0;
    std::int64_t max_bytes_down = 0;
  };

  Browser browser;
  Sessions sessions;
  Viewport viewport;
  Timeouts timeouts;
  Artifacts artifacts;
  Policy policy;
  Tokens tokens;
  Downloads downloads;
  Data data;
  std::string tenant;
  Leases leases;
  Capacity capacity;
  Actions actions;
  Quota quota;
  Breaker breaker;
  Ledger ledger;
  Telemetry telemetry;
  Redaction redaction;
  Secrets secrets;
  Injection injection;
  Approvals approvals;
  Log log;
  State state;
  Network network;
  Console console;
  Proxy proxy;
  Egress egress;
  Serve serve;
  Stream stream;
  Agent agent;
  Jobs jobs;
  AgentLoop agent_loop;
  Crawl crawl;
  Predict predict;
  ServiceWorkerSetting service_workers = ServiceWorkerSetting::kBlock;
};

// Where settings are looked for.
struct SettingsInput {
  // A YAML file. Without it the environment's FALCONER_CONFIG is used, if set.
  std::optional<std::filesystem::path> file;
  // "NAME=value" lines, as in `environ`. An empty value counts as not set.
  std::vector<std::string> environment;
  // Key and value of each --set, in order; the last one of a key wins.
  std::vector<std::pair<std::string, std::string>> flags;
};

struct LoadedSettings {
  Settings values;
  // Where a setting that is not at its default was said: "falconer.yaml:3", "environment
  // FALCONER_SESSIONS_MAX", "--set sessions.max".
  std::map<std::string, std::string, std::less<>> sources;
};

// The detail of an error that names the settings file it is about.
inline constexpr std::string_view kSettingsFileDetail = "settings_file";

// Reads everything or fails with kInvalidSetting, with kNotFound when the file does not exist, or
// with kIoError and kSettingsFileDetail when it cannot be read.
Result<LoadedSettings> LoadSettings(const SettingsInput& input);
// What holds when nothing is said.
Settings DefaultSettings();
// The environment of this process, for SettingsInput.
std::vector<std::string> ProcessEnvironment();

// The table as text: for --help, and as the page docs/config.md.
std::string DescribeSettings();
std::string SettingsMarkdown();
// JSON Schema (2020-12) of the settings file; nested groups and dotted keys are both allowed.
json::object SettingsSchema();
// Every setting with key, value and source; values of secrets are masked.
json::array ShowSettings(const LoadedSettings& settings);

}  // namespace falconer
