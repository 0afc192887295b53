#pragma once
// How Chromium is started: which executable, which switches, and why.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace falconer::browser {

enum class BrowserKind {
  kShell,  // chromium-headless-shell: small, fast, silent on the network
  kFull,   // chromium: everything, also a visible window
};

enum class SandboxMode { kAuto, kOn, kOff };
enum class Visibility { kHeadless, kVisible };

// Whether pages may have shared workers. Where requests are judged they may not: the browser begins
// to tell of what one sends when its first request may have left already.
enum class SharedWorkers : std::uint8_t { kAllow, kNone };

struct BrowserConfig {
  BrowserKind kind = BrowserKind::kShell;
  // Empty: looked up in the usual places.
  std::filesystem::path executable;
  SandboxMode sandbox = SandboxMode::kAuto;
  Visibility visibility = Visibility::kHeadless;
  // Of the pages that a visible window is to show whole, in CSS pixels; zero for the browser's own.
  int page_width = 0;
  int page_height = 0;
  std::vector<std::string> extra_arguments;
  // The egress proxy that everything goes to which no session sends. With it the browser looks up
  // no names and leaves by no other way. Empty: none.
  std::string egress_proxy;
  SharedWorkers shared_workers = SharedWorkers::kAllow;
};

// The executable to run: the configured one, or the first that exists. kBrowserLaunchFailed names
// the places that were tried.
Result<std::filesystem::path> FindExecutable(const BrowserConfig& config);

// Whether Chromium's sandbox will be off: Chromium refuses to run as root with it.
bool RunsWithoutSandbox(const BrowserConfig& config);

// All switches. The browser heeds only the last --enable-features and --disable-features, so the
// caller's are merged into one of each.
std::vector<std::string> LaunchArguments(const BrowserConfig& config);

}  // namespace falconer::browser
