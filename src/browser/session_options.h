#pragma once
// What a session may be asked to look like and how it answers the browser's questions.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace falconer::browser {

class EgressDoor;
class RequestRule;

struct Viewport {
  int width = 1440;
  int height = 900;
  double scale = 1.0;
  friend bool operator==(const Viewport&, const Viewport&) = default;
};

struct Geolocation {
  double latitude = 0;
  double longitude = 0;
  double accuracy = 1;
  friend bool operator==(const Geolocation&, const Geolocation&) = default;
};

struct Credentials {
  std::string username;
  std::string password;
  // The one origin that gets them ("https://example.com"). Empty: whichever server asks, also one
  // that a page merely embeds.
  std::string origin;
  friend bool operator==(const Credentials&, const Credentials&) = default;
};

// For the proxy that the session's requests go through, and for nobody else.
struct ProxyCredentials {
  std::string username;
  std::string password;
  friend bool operator==(const ProxyCredentials&, const ProxyCredentials&) = default;
};

// What happens when a page opens a dialog.
enum class DialogPolicy {
  kSurface,  // it stays open until someone answers it; other actions are refused meanwhile
  kAccept,
  kDismiss,
};

enum class ServiceWorkers { kBlock, kAllow };

// Whether pages run scripts of their own.
enum class PageScripts { kRun, kOff };

// What pages load: everything, or no pictures, media and fonts.
enum class PageParts { kAll, kWords };

struct SessionOptions {
  Viewport viewport;
  std::optional<std::string> user_agent;
  std::optional<std::string> locale;
  std::optional<std::string> timezone;
  std::optional<Geolocation> geolocation;
  // "light", "dark" or "no-preference".
  std::optional<std::string> color_scheme;
  // "reduce" or "no-preference".
  std::optional<std::string> reduced_motion;
  std::map<std::string, std::string> extra_headers;
  // Answers HTTP authentication of servers (not proxies).
  std::optional<Credentials> http_credentials;
  // Permissions granted to every origin, by their protocol names; all others are denied.
  std::vector<std::string> permissions;
  std::optional<std::string> proxy_server;
  std::optional<std::string> proxy_bypass;
  std::optional<ProxyCredentials> proxy_credentials;
  // The way out of the session, which gives it its proxy and credentials: the three above are not
  // heeded then. Shared by the sessions that leave by it.
  std::shared_ptr<EgressDoor> egress;
  // Run in every new document, in the page's own world, before its scripts.
  std::vector<std::string> init_scripts;
  DialogPolicy dialogs = DialogPolicy::kSurface;
  // Leaving a page was somebody's decision already: its question is answered with yes.
  DialogPolicy before_unload = DialogPolicy::kAccept;
  ServiceWorkers service_workers = ServiceWorkers::kBlock;
  PageScripts scripts = PageScripts::kRun;
  // What is left out is never asked for. Heeded where there is a request_rule.
  PageParts parts = PageParts::kAll;
  // Decides on every request of the session. Null: nothing is intercepted. Shared by the sessions
  // that live under the same rule.
  std::shared_ptr<RequestRule> request_rule;
  // Uploads must lie below this folder; downloads are kept in it.
  std::filesystem::path artifacts;
  // Network events and console lines remembered for each tab.
  std::size_t network_ring = 256;
  std::size_t console_ring = 128;
  // Of all downloads of the session together; 0 refuses them.
  std::uint64_t max_download_bytes = 512ULL * 1024 * 1024;

  friend bool operator==(const SessionOptions&, const SessionOptions&) = default;
};

}  // namespace falconer::browser
