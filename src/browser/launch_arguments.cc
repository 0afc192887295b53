#include "browser/launch_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

namespace falconer::browser {
namespace {

// What a window shows above the page, in its pixels: tabs and the address.
constexpr int kWindowBars = 87;

constexpr std::string_view kShellPlaces[] = {
    "/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium-headless-shell",
    "/opt/google/chrome/chrome-headless-shell", "/usr/bin/chrome-headless-shell"};
constexpr std::string_view kFullPlaces[] = {"/usr/bin/chromium", "/usr/bin/chromium-browser",
                                            "/usr/bin/google-chrome", "/opt/google/chrome/chrome"};

// A mouse as people have it: it hovers and points exactly.
constexpr std::string_view kMouseSettings =
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,"
    "availablePointerTypes=4";

constexpr std::string_view kSwitches[] = {
    // Same behaviour on every machine: no field trials, no account, no first-run pages.
    "--disable-field-trial-config", "--no-first-run", "--no-default-browser-check",
    "--disable-default-apps", "--disable-sync", "--disable-search-engine-choice-screen",
    "--no-service-autorun", "--disable-infobars", "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--unsafely-disable-devtools-self-xss-warnings",
    // Silence on the network.
    "--disable-background-networking", "--disable-component-update", "--metrics-recording-only",
    "--disable-breakpad", "--disable-client-side-phishing-detection",
    // Tabs in the background work like the one in front.
    "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // Going back makes a request like any navigation, so it can be observed and governed.
    "--disable-back-forward-cache",
    // Limits and questions made for people.
    "--disable-ipc-flooding-protection", "--disable-hang-monitor", "--disable-prompt-on-repost",
    "--disable-popup-blocking", "--allow-pre-commit-input",
    // Containers have a small /dev/shm, servers no GPU and no keyring.
    "--disable-dev-shm-usage", "--enable-unsafe-swiftshader", "--password-store=basic",
    "--use-mock-keychain", "--mute-audio",
    // Stable pixels.
    "--force-color-profile=srgb", "--hide-scrollbars", "--font-render-hinting=none", kMouseSettings,
    // Pages of different sites never share a process.
    "--site-per-process",
    // WebRTC must not go around the proxy; shell and full Chromium each heed one of these.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-quic", "--export-tagged-pdf",
    "--no-startup-window"};

// Interfaces that ask a person to choose a device or a window: there is nobody, and a page that
// asked would wait for ever.
constexpr std::string_view kClosedInterfaces =
    "--disable-blink-features=WebUSB,Serial,WebHID,GetDisplayMedia";

// With an egress proxy. Sessions name it themselves; this is for what the browser does on its own
// account, and for what goes around proxies.
constexpr std::string_view kEgressSwitches[] = {
    // Loopback too.
    "--proxy-bypass-list=<-loopback>",
    // Names are looked up by the proxy alone: neither pages that hint at hosts (dns-prefetch,
    // preconnect) nor WebRTC can make the browser ask for one.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--dns-prefetch-disable",
    // Nothing of its own: updates, time, crash reports, domain reliability.
    "--disable-domain-reliability"};
constexpr std::string_view kEgressDisabledFeatures =
    "AsyncDns,DnsOverHttps,UseDnsHttpsSvcb,NetworkTimeServiceQuerying";

constexpr std::string_view kDisabledFeatures[] = {
    "AcceptCHFrame", "AutoDeElevate", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "BlockOriginHeaderModificationOnRedirect", "DestroyProfileOnBrowserClose",
    "DialMediaRouteProvider",
    // Its requests go around interception.
    "FedCm", "GlobalMediaControls", "HttpsUpgrades", "IsolateSandboxedIframes", "LensOverlay",
    "MediaRouter", "OptimizationHints", "PaintHolding",
    // Pages that are loaded on suspicion, see below.
    "Prerender2", "ProcessPerSiteUpToMainFrameThreshold", "ServiceWorkerAutoPreload",
    "ThirdPartyStoragePartitioning", "Translate", "WebUIOmniboxAimPopup", "WebUIOmniboxPopup",
    "WebUIReloadButton"};
constexpr std::string_view kEnabledFeatures[] = {
    "CDPScreenshotNewSurface",
    // What speculation rules have fetched beforehand is never asked about. Nothing switches them
    // off, but none of their fetches may be under way at a time.
    "PrefetchSchedulerTesting:kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0/"
    "kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0"};

constexpr std::string_view kDisableSwitch = "--disable-features=";
constexpr std::string_view kEnableSwitch = "--enable-features=";

template <std::size_t N>
std::string Merge(std::string_view name, const std::string_view (&own)[N],
                  const std::vector<std::string>& extra) {
  std::string merged(name);
  for (const std::string_view feature : own) merged += std::string(feature) + ",";
  for (const std::string& argument : extra) {
    if (argument.starts_with(name)) merged += argument.substr(name.size()) + ",";
  }
  merged.pop_back();
  return merged;
}

}  // namespace

Result<std::filesystem::path> FindExecutable(const BrowserConfig& config) {
  std::error_code ignored;
  if (!config.executable.empty()) {
    if (std::filesystem::exists(config.executable, ignored)) return config.executable;
    return Fail(ErrorCode::kBrowserLaunchFailed,
                "browser.path " + config.executable.string() + " does not exist");
  }
  const bool wants_shell =
      config.kind == BrowserKind::kShell && config.visibility == Visibility::kHeadless;
  std::string tried;
  const auto search = [&](std::span<const std::string_view> places) -> std::filesystem::path {
    for (const std::string_view place : places) {
      if (std::filesystem::exists(place, ignored)) return place;
      tried += (tried.empty() ? "" : ", ") + std::string(place);
    }
    return {};
  };
  std::filesystem::path found = wants_shell ? search(kShellPlaces) : std::filesystem::path();
  if (found.empty()) found = search(kFullPlaces);
  if (!found.empty()) return found;
  return Fail(ErrorCode::kBrowserLaunchFailed,
              "no Chromium found (tried " + tried + "); install chromium or set browser.path");
}

bool RunsWithoutSandbox(const BrowserConfig& config) {
  if (config.sandbox == SandboxMode::kAuto) return ::geteuid() == 0;
  return config.sandbox == SandboxMode::kOff;
}

std::vector<std::string> LaunchArguments(const BrowserConfig& config) {
  std::vector<std::string> arguments(std::begin(kSwitches), std::end(kSwitches));
  const bool has_shared_workers = config.shared_workers == SharedWorkers::kAllow;
  arguments.push_back(std::string(kClosedInterfaces) + (has_shared_workers ? "" : ",SharedWorker"));
  std::vector<std::string> disabled = config.extra_arguments;
  if (!config.egress_proxy.empty()) {
    arguments.insert(arguments.end(), std::begin(kEgressSwitches), std::end(kEgressSwitches));
    arguments.push_back("--proxy-server=" + config.egress_proxy);
    disabled.push_back(std::string(kDisableSwitch) + std::string(kEgressDisabledFeatures));
  }
  arguments.push_back(Merge(kDisableSwitch, kDisabledFeatures, disabled));
  arguments.push_back(Merge(kEnableSwitch, kEnabledFeatures, config.extra_arguments));
  if (config.visibility == Visibility::kHeadless) {
    arguments.emplace_back("--headless");
  } else if (config.page_width > 0) {
    arguments.push_back(
        fmt::format("--window-size={},{}", config.page_width, config.page_height + kWindowBars));
  }
  if (RunsWithoutSandbox(config)) arguments.emplace_back("--no-sandbox");
  std::ranges::copy_if(config.extra_arguments, std::back_inserter(arguments),
                       [](const std::string& a) {
                         return !a.starts_with(kDisableSwitch) && !a.starts_with(kEnableSwitch);
                       });
  return arguments;
}

}  // namespace falconer::browser
