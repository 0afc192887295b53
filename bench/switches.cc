#include "bench/switches.h"

#include <unistd.h>

#include "bench/environment.h"

namespace falconer::bench {

std::string BrowserBinary() {
  // The executable itself: Debian's command of that name is a script around it.
  return FromEnvironment("BENCH_CHROMIUM", "/usr/lib/chromium/chromium-headless-shell");
}

std::vector<std::string> LeanSwitches() {
  std::vector<std::string> switches = {
      "--site-per-process",
      "--no-first-run",
      "--no-default-browser-check",
      "--no-service-autorun",
      "--disable-field-trial-config",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-default-apps",
      "--disable-breakpad",
      "--disable-client-side-phishing-detection",
      "--disable-extensions",
      "--disable-component-extensions-with-background-pages",
      "--disable-background-timer-throttling",
      "--disable-backgrounding-occluded-windows",
      "--disable-renderer-backgrounding",
      "--disable-back-forward-cache",
      "--disable-ipc-flooding-protection",
      "--disable-hang-monitor",
      "--disable-prompt-on-repost",
      "--disable-popup-blocking",
      "--disable-dev-shm-usage",
      "--disable-quic",
      "--allow-pre-commit-input",
      "--metrics-recording-only",
      "--force-color-profile=srgb",
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--hide-scrollbars",
      "--mute-audio",
      "--password-store=basic",
      "--use-mock-keychain",
      "--window-size=1280,720",
  };
  // The sandbox cannot be set up by root.
  if (geteuid() == 0) switches.emplace_back("--no-sandbox");
  return switches;
}

}  // namespace falconer::bench
