#include "base/settings/settings_table.h"

#include <algorithm>

#include "base/settings/setting_bindings.h"
#include "base/text.h"

namespace falconer {
namespace {

constexpr EnumName<SandboxSetting> kSandbox[] = {
    {SandboxSetting::kAuto, "auto"}, {SandboxSetting::kOn, "on"}, {SandboxSetting::kOff, "off"}};
constexpr EnumName<ServiceWorkerSetting> kServiceWorkers[] = {
    {ServiceWorkerSetting::kBlock, "block"}, {ServiceWorkerSetting::kAllow, "allow"}};
constexpr EnumName<RedactionSetting> kRedaction[] = {{RedactionSetting::kStandard, "standard"},
                                                     {RedactionSetting::kStrict, "strict"}};
constexpr EnumName<EgressResolveSetting> kEgressResolve[] = {
    {EgressResolveSetting::kHere, "here"}, {EgressResolveSetting::kUpstream, "upstream"}};
constexpr EnumName<LogLevel> kLogLevels[] = {{LogLevel::kDebug, "debug"},
                                             {LogLevel::kInfo, "info"},
                                             {LogLevel::kWarn, "warn"},
                                             {LogLevel::kError, "error"},
                                             {LogLevel::kOff, "off"}};

constexpr EnumName<AskFromSetting> kAskFrom[] = {{AskFromSetting::kNever, "never"},
                                                 {AskFromSetting::kMedium, "medium"},
                                                 {AskFromSetting::kHigh, "high"},
                                                 {AskFromSetting::kCritical, "critical"}};

constexpr EnumName<PredictProfileSetting> kPredictProfiles[] = {
    {PredictProfileSetting::kAggressive, "aggressive"},
    {PredictProfileSetting::kBalanced, "balanced"},
    {PredictProfileSetting::kConservative, "conservative"}};

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
     "a network (10.0.0.0/8), or * for every public host. What is not public must be named. Empty: "
     "nothing is allowed."},
    {"policy.deny_domains", "", List<AT(policy.deny_domains)>(),
     "Hosts that are never asked for anything, whatever else allows them. Deny wins."},
    {"policy.connect_domains", "", List<AT(policy.connect_domains)>(),
     "Hosts that pages may load from and talk to: scripts, pictures, fetches, WebSockets. Empty: as "
     "policy.allow_domains."},
    {"policy.file", "", Path<AT(policy.file)>(),
     "A policy that decides about every action and every request; see docs/policy.md. It is read "
     "again when it changes; a change that is not valid is not used. Empty: what tokens and domains "
     "allow is allowed."},
    {"tokens.token", "", Text<AT(tokens.token)>(),
     "The token this program acts with. Empty: it makes its own, with every capability, for the "
     "person who started it.",
     Secrecy::kSecret},
    {"tokens.issuer", "abos-policy-authority", Text<AT(tokens.issuer)>(),
     "Whose tokens are accepted."},
    {"tokens.audience", "abos-executor", Text<AT(tokens.audience)>(),
     "Whom accepted tokens must be for."},
    {"tokens.skew", "30s", TimeSpan<AT(tokens.skew), 0, kMinute>(),
     "How far the issuer's clock may be from this one."},
    {"tokens.currency", "USD", Text<AT(tokens.currency)>(),
     "The currency of an amount in a token that names none."},
    {"tokens.proof", "false", Flag<AT(tokens.proof)>(),
     "Whether capabilities that ask for a proof of the person (the claim auth) are refused without "
     "it. A token that this program makes for itself has none."},
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
    {"capacity.waiting", "256", Whole<AT(capacity.waiting), 0, 100'000>(),
     "Most calls that wait at once for the action before them in their session; further ones are refused."},
    {"quota.sessions", "10", Whole<AT(quota.sessions), 0, 100'000>(),
     "Most sessions that a tenant may have open at once, over all programs that share data.dir; 0 for "
     "no limit. Limits of one tenant are set with falconer quota set."},
    {"quota.actions_per_minute", "120", Whole<AT(quota.actions_per_minute), 0, 1'000'000>(),
     "Most actions that a tenant may begin in any 60 seconds, over all programs that share data.dir; 0 "
     "for no limit."},
    {"quota.step_tokens", "1200", Whole<AT(quota.step_tokens), 0, 1'000'000>(),
     "Most tokens of what a model is shown of one action; 0 for what the tools are made for."},
    {"quota.state_delta_tokens", "500", Whole<AT(quota.state_delta_tokens), 0, 1'000'000>(),
     "Most tokens of what changed on the page; 0 for no limit of its own."},
    {"quota.network_summary_tokens", "250", Whole<AT(quota.network_summary_tokens), 0, 1'000'000>(),
     "Most tokens of the summary of requests; 0 for no limit of its own."},
    {"quota.metadata_tokens", "250", Whole<AT(quota.metadata_tokens), 0, 1'000'000>(),
     "Most tokens of everything else in the answer; 0 for no limit of its own."},
    {"breaker.threshold", "5", Whole<AT(breaker.threshold), 0, 10'000>(),
     "Failures of a site, for one tenant within breaker.window, after which actions there are put off; "
     "0 for never."},
    {"breaker.window", "2m", TimeSpan<AT(breaker.window), kSecond, kHour>(),
     "How long a failure of a site is counted."},
    {"breaker.open", "1m", TimeSpan<AT(breaker.open), kSecond, kDay>(),
     "How long actions are put off before one is let through to see whether the site works again."},
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
    {"telemetry.otlp_endpoint", "", Text<AT(telemetry.otlp_endpoint)>(),
     "Where the spans of turns are exported to (OTLP over HTTP, JSON), such as http://127.0.0.1:4318. "
     "Empty: nowhere."},
    {"telemetry.otlp_headers", "", List<AT(telemetry.otlp_headers)>(),
     "Headers of the export, each as NAME=VALUE; {secret:NAME} or {secret:NAME:FIELD} in a value stands "
     "for a secret whose hosts include the collector.", Secrecy::kSecret},
    {"telemetry.otlp_ca", "", Path<AT(telemetry.otlp_ca)>(),
     "Who vouches for the collector, a PEM file. Empty: those whom the system trusts."},
    {"telemetry.sample_ratio", "1", Fraction<AT(telemetry.sample_ratio)>(),
     "How many of all traces are exported, chosen by their ids."},

    {"redaction.level", "standard", Choice<AT(redaction.level), kRedaction>(),
     "How much of what was found is taken out of logs, ledger, telemetry and answers: docs/redaction.md."},
    {"secrets.vault", "", Path<AT(secrets.vault)>(),
     "The encrypted file of secrets. Empty: secrets.vault in data.dir."},
    {"secrets.commands", "", List<AT(secrets.commands)>(),
     "Secrets that commands print, each as \"NAME HOST[|HOST] PROGRAM ARGUMENT ...\", with NAME:FIELD "
     "for a field that is not value. No shell: words end at spaces."},
    {"injection.filter", "true", Flag<AT(injection.filter)>(),
     "Put texts of pages that read like instructions to a model away instead of showing them to it; "
     "falconer quarantine shows them."},

    {"approvals.from_risk", "never", Choice<AT(approvals.from_risk), kAskFrom>(),
     "People are asked about what changes something and is of this risk, whatever the policy says: "
     "never, medium, high or critical."},
    {"approvals.timeout", "10m", TimeSpan<AT(approvals.timeout), kSecond, 30 * kDay>(),
     "How long people have to decide about what no rule of the policy speaks of; a rule says it "
     "itself (10 minutes when it does not)."},
    {"approvals.pending_after", "5s", TimeSpan<AT(approvals.pending_after), 0, kHour>(),
     "How long an MCP call waits for people before it answers that it is pending; the same call "
     "again goes on waiting."},
    {"approvals.client_may_approve", "true", Flag<AT(approvals.client_may_approve)>(),
     "Ask the person at an MCP client that can show questions, and take the answer for a person's. "
     "false: agents' clients only hear that something is pending."},
    {"approvals.managers", "", List<AT(approvals.managers)>(),
     "Names of those who may approve what a policy asks a manager for."},
    {"approvals.admins", "", List<AT(approvals.admins)>(),
     "Names of those who may approve what a policy asks an admin for; managers' things too."},
    {"approvals.webhook", "", Text<AT(approvals.webhook)>(),
     "An http or https address that is told, by POST and signed, what waits for an approval and how "
     "it ended. Empty: none."},
    {"approvals.webhook_secret", "", Text<AT(approvals.webhook_secret)>(),
     "The key of the webhook's signatures (HMAC-SHA256); needed with approvals.webhook.",
     Secrecy::kSecret},

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
     "Another proxy, through which everything leaves: http://host:port, or "
     "http://user:password@host:port. With egress.enabled=false also socks5://host:port.",
     Secrecy::kSecret, {{"PROXY_SERVER", ""}}},
    {"egress.enabled", "true", Flag<AT(egress.enabled)>(),
     "Let browsers reach hosts only through the egress proxy of this program, which holds the "
     "policy's domain rules against every connection and every address behind a name: "
     "docs/egress.md."},
    {"egress.dns", "", List<AT(egress.dns)>(),
     "Name servers to ask, such as 192.0.2.1 or 192.0.2.1:5353, in turn when one does not answer. "
     "Empty: as this machine is set up."},
    {"egress.dns_cache", "30s", TimeSpan<AT(egress.dns_cache), 0, kHour>(),
     "How long an answer of a name server is remembered."},
    {"egress.resolve", "here", Choice<AT(egress.resolve), kEgressResolve>(),
     "Who looks up names when there is a proxy.server. upstream: that proxy does, and the addresses "
     "behind names cannot be checked here."},
    {"egress.max_bytes_up", "0", Bytes<AT(egress.max_bytes_up), 0, kTiB>(),
     "Most bytes that a session may send to hosts; 0 for no limit."},
    {"egress.max_bytes_down", "0", Bytes<AT(egress.max_bytes_down), 0, kTiB>(),
     "Most bytes that a session may take from hosts; 0 for no limit."},
    {"serve.address", "127.0.0.1", Text<AT(serve.address)>(),
     "The address that falconer serve listens on."},
    {"serve.port", "3252", Whole<AT(serve.port), 0, 65'535>(),
     "The port that falconer serve listens on; 0 for any free one."},
    {"serve.hosts", "", List<AT(serve.hosts)>(),
     "Further names that clients may call the server by. Without them it answers only to its "
     "address, 127.0.0.1, [::1] and localhost."},
    {"serve.origins", "", List<AT(serve.origins)>(),
     "Pages of other servers that may ask this one, such as https://console.example."},
    {"serve.tls_cert", "", Path<AT(serve.tls_cert)>(),
     "The server's certificate, with those that vouch for it behind it, a PEM file. Empty: plain HTTP."},
    {"serve.tls_key", "", Path<AT(serve.tls_key)>(),
     "The key of that certificate, a PEM file without a password."},
    {"serve.public_url", "", Text<AT(serve.public_url)>(),
     "What clients know the server by where a proxy stands before it, such as "
     "https://falconer.example. Empty: the name that they call."},
    {"serve.auth_issuer", "", Text<AT(serve.auth_issuer)>(),
     "The authorization server that clients without a key are sent to (RFC 9728), such as "
     "https://login.example. Empty: none."},
    {"serve.demo_pause", "2s", TimeSpan<AT(serve.demo_pause), 0, kHour>(),
     "How long falconer serve --demo waits before each step, so that people can follow it."},
    {"stream.enabled", "false", Flag<AT(stream.enabled)>(),
     "Whether the server shows the live picture of sessions.", Secrecy::kPublic,
     {{"STREAM_ENABLED", ""}}},
    {"stream.quality", "25", Whole<AT(stream.quality), 1, 100>(),
     "JPEG quality of live pictures, at best.", Secrecy::kPublic, {{"STREAM_QUALITY", ""}}},
    {"stream.max_width", "854", Whole<AT(stream.max_width), 160, 3840>(),
     "Most pixels that a live picture is wide; its height is at most 9/16 of that.",
     Secrecy::kPublic, {{"STREAM_MAX_WIDTH", ""}}},
    {"stream.max_fps", "10", Whole<AT(stream.max_fps), 1, 30>(),
     "Most live pictures of a session in a second."},
    {"stream.viewers", "200", Whole<AT(stream.viewers), 1, 10'000>(),
     "Most viewers at once, over all sessions."},
    {"agent.providers", "[]", Records<AT(agent.providers)>(),
     "Models that the built-in agent may ask, in the order in which they are tried: docs/providers.md.",
     Secrecy::kSecret},
    {"agent.nodes", "[]", Records<AT(agent.nodes)>(),
     "Programs and MCP servers of others whose tools are offered, each an isolated child: docs/nodes.md.",
     Secrecy::kSecret},
    {"agent.ghost.enabled", "false", Flag<AT(agent.ghost.enabled)>(),
     "Whether pages may be read from their picture where their markup gives nothing to read: "
     "docs/ghost.md. A run or a call has to allow it as well.", Secrecy::kPublic,
     {{"AGENT_GHOST_ENABLED", ""}}},
    {"agent.ghost.auto_trigger", "true", Flag<AT(agent.ghost.auto_trigger)>(),
     "Whether a page that looks blocked is read from its picture without being asked to by name.",
     Secrecy::kPublic, {{"AGENT_GHOST_AUTO_TRIGGER", ""}}},
    {"agent.ghost.vision_provider", "", Text<AT(agent.ghost.vision_provider)>(),
     "The row of agent.providers that looks at pictures. Empty: whichever of them sees.",
     Secrecy::kPublic, {{"AGENT_GHOST_VISION_PROVIDER", ""}}},
    {"agent.ghost.max_image_width", "1280", Whole<AT(agent.ghost.max_image_width), 160, 4096>(),
     "Most pixels that a picture for a model is wide; the browser makes it smaller.",
     Secrecy::kPublic, {{"AGENT_GHOST_MAX_IMAGE_WIDTH", ""}}},
    {"agent.ghost.max_retries", "1", Whole<AT(agent.ghost.max_retries), 0, 5>(),
     "How often a picture that could not be taken or read is taken again.",
     Secrecy::kPublic, {{"AGENT_GHOST_MAX_RETRIES", ""}}},
    {"agent.ghost.ocr_program", "tesseract", Text<AT(agent.ghost.ocr_program)>(),
     "The program that reads text in pictures on this machine, a path or a name in PATH."},
    {"agent.ghost.ocr_languages", "eng", Text<AT(agent.ghost.ocr_languages)>(),
     "Languages that it knows, joined by +, such as eng+deu."},
    {"jobs.at_once", "4", Whole<AT(jobs.at_once), 1, 256>(),
     "Most jobs that are taken from the queue at once: docs/jobs.md."},
    {"jobs.max_queued", "1000", Whole<AT(jobs.max_queued), 1, 1'000'000>(),
     "Most jobs that may wait; the next is refused and told when to come again."},
    {"jobs.keep", "24h", TimeSpan<AT(jobs.keep), kMinute, 365 * kDay>(),
     "How long a job that is over, and its result, are kept."},
    {"jobs.keep_count", "10000", Whole<AT(jobs.keep_count), 1, 10'000'000>(),
     "Most jobs that are over and kept; the oldest go first."},
    {"jobs.keep_bytes", "1GiB", Bytes<AT(jobs.keep_bytes), kMiB, kTiB>(),
     "Most bytes of results that are kept; the oldest go first, the newest stays whatever its size."},
    {"jobs.callback_key", "", Text<AT(jobs.callback_key)>(),
     "The secret (its name, or NAME:FIELD) that callbacks of jobs are signed with. Empty: a job that wants one must name its own."},
    {"agent.internal.enabled", "false", Flag<AT(agent_loop.enabled)>(),
     "Whether the built-in agent carries out tasks by itself, with the models of agent.providers: "
     "docs/agent.md.",
     Secrecy::kPublic, {{"AGENT_INTERNAL_ENABLED", ""}}},
    {"agent.internal.max_steps", "12", Whole<AT(agent_loop.max_steps), 1, 50>(),
     "Most steps of one run of the built-in agent.",
     Secrecy::kPublic, {{"AGENT_INTERNAL_MAX_STEPS", ""}}},
    {"agent.internal.max_wall_time", "90s", TimeSpan<AT(agent_loop.max_wall_time), 5 * kSecond, 5 * kMinute>(),
     "How long a run may take, without the time in which people decide or drive. What is under way "
     "then is cut off.",
     Secrecy::kPublic, {{"AGENT_INTERNAL_MAX_WALL_TIME_MS", "ms"}}},
    {"agent.internal.max_failures", "3", Whole<AT(agent_loop.max_failures), 1, 50>(),
     "A run ends after so many failed steps in a row.",
     Secrecy::kPublic, {{"AGENT_INTERNAL_MAX_FAILURES", ""}}},
    {"agent.internal.max_tokens", "0", Whole<AT(agent_loop.max_tokens), 0, 1'000'000'000>(),
     "Most tokens, asked and answered, of one run; 0 for no limit."},
    {"agent.internal.max_cost", "0", Text<AT(agent_loop.max_cost)>(),
     "Most that the models of one run may cost, such as 0.50, in the currency of their prices; 0 for "
     "no limit."},
    {"agent.internal.allowed_tools",
     "browser_navigate browser_navigate_back browser_snapshot browser_click browser_hover "
     "browser_drag browser_type browser_fill_form browser_press_key browser_select_option "
     "browser_handle_dialog browser_tabs browser_wait_for browser_take_screenshot find ghost_extract",
     List<AT(agent_loop.allowed_tools)>(),
     "The tools that the built-in agent may use, by name. A run may ask for fewer."},
    {"agent.internal.allowed_domains", "", List<AT(agent_loop.allowed_domains)>(),
     "Hosts that the built-in agent may open addresses of, as in policy.allow_domains. Empty: as the "
     "policy says."},
    {"crawl.respect_robots", "true", Flag<AT(crawl.respect_robots)>(),
     "Whether crawls heed robots.txt: docs/crawl.md."},
    {"crawl.user_agent_name", "falconer", Text<AT(crawl.user_agent_name)>(),
     "The name that robots.txt knows crawls by."},
    {"crawl.delay", "250ms", TimeSpan<AT(crawl.delay), 0, kMinute>(),
     "Least time between the beginnings of two visits of crawls to one host."},
    {"crawl.max_delay", "30s", TimeSpan<AT(crawl.max_delay), 0, kHour>(),
     "Most that a site can ask crawls to wait between two visits."},
    {"crawl.per_host", "2", Whole<AT(crawl.per_host), 1, 64>(),
     "Most pages of one host that crawls read at once."},
    {"crawl.at_once", "16", Whole<AT(crawl.at_once), 1, 256>(),
     "Most pages that crawls read at once, over all hosts."},
    {"crawl.max_waiting", "200", Whole<AT(crawl.max_waiting), 1, 100'000>(),
     "Pages that may wait for their turn to be read; while there are as many, crawls are refused with QUEUE_FULL."},
    {"crawl.cache_ttl", "0", TimeSpan<AT(crawl.cache_ttl), 0, 30 * kDay>(),
     "How long a page that was crawled answers for itself; 0: only where a crawl asks for it."},
    {"crawl.cache_bytes", "256MiB", Bytes<AT(crawl.cache_bytes), 0, kTiB>(),
     "Most bytes of crawled pages that are kept for each tenant; 0 keeps none."},
    {"predict.enabled", "true", Flag<AT(predict.enabled)>(),
     "Whether what is done in sessions is learnt from, so that what comes next can be predicted: "
     "docs/predict.md. What was typed is never kept."},
    {"predict.profile", "balanced", Choice<AT(predict.profile), kPredictProfiles>(),
     "How sure a prediction must be to be carried out: aggressive (0.3), balanced (0.5) or "
     "conservative (0.7)."},
    {"predict.max_iterations", "50", Whole<AT(predict.max_iterations), 1, 1000>(),
     "Most steps of one run by prediction."},
    {"predict.workflow_timeout", "5m", TimeSpan<AT(predict.workflow_timeout), kSecond, kDay>(),
     "How long a run by prediction may take, without the time in which people decide or drive."},
    {"predict.loop_limit", "3", Whole<AT(predict.loop_limit), 2, 100>(),
     "The same step on the same page so often in one run is a loop, and ends it."},
    {"predict.ask_model", "false", Flag<AT(predict.ask_model)>(),
     "Whether a model of agent.providers is asked for the next step where no prediction is sure "
     "enough; what it said and went well is learnt."},
    {"predict.model_below", "0.7", Fraction<AT(predict.model_below)>(),
     "Below this confidence the model is asked."},
    {"predict.speculate", "false", Flag<AT(predict.speculate)>(),
     "Whether what comes next is prepared before it is asked for: connections and elements, never "
     "anything that a page or a server could take for an action."},
    {"predict.speculate_from", "0.8", Fraction<AT(predict.speculate_from)>(),
     "How sure a prediction must be for that."},
    {"predict.max_transitions", "1000000", Whole<AT(predict.max_transitions), 1000, 100'000'000>(),
     "Most transitions that are remembered; those that were not met for the longest time go."},
    {"predict.half_life", "2160h", TimeSpan<AT(predict.half_life), 0, 3650 * kDay>(),
     "After this time what was learnt weighs half (2160h are 90 days); 0: it never fades."},
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
    name += c == '.' ? '_' : UpperOf(c);
  }
  return name;
}

}  // namespace falconer
