#include "browser/context/permissions.h"

#include <algorithm>

namespace falconer::browser {
namespace {

constexpr std::string_view kPermissions[] = {
    "accelerometer",
    "ambient-light-sensor",
    "background-fetch",
    "background-sync",
    "camera",
    "captured-surface-control",
    "clipboard-read",
    "clipboard-write",
    "display-capture",
    "geolocation",
    "gyroscope",
    "idle-detection",
    "keyboard-lock",
    "local-fonts",
    "local-network",
    "local-network-access",
    "loopback-network",
    "magnetometer",
    "microphone",
    "midi",
    "nfc",
    "notifications",
    "payment-handler",
    "periodic-background-sync",
    "persistent-storage",
    "pointer-lock",
    "screen-wake-lock",
    "speaker-selection",
    "storage-access",
    "system-wake-lock",
    "top-level-storage-access",
    "web-app-installation",
    "window-management",
};

}  // namespace

std::span<const std::string_view> AllPermissions() {
  return kPermissions;
}

Result<void> SendPermissions(cdp::Session& root, const std::string& context_id,
                             const std::vector<std::string>& granted) {
  for (const std::string& name : granted) {
    if (std::ranges::find(kPermissions, name) != std::end(kPermissions)) continue;
    return Fail(ErrorCode::kInvalidArgument, "permissions: there is no permission " + name);
  }
  for (const std::string_view name : kPermissions) {
    const bool is_granted = std::ranges::find(granted, name) != granted.end();
    root.Post(cdp::BrowserSetPermission{.permission = {.name = std::string(name)},
                                        .setting = is_granted ? "granted" : "denied",
                                        .browser_context_id = context_id});
  }
  return {};
}

}  // namespace falconer::browser
