#pragma once
// RequestRule: who says which requests of a session may leave. The rooms above implement it; the
// driver asks it about every request that the browser lets it hold (RequestGate) and decides
// nothing itself.

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::browser {

// What the answer to a request would become.
enum class RequestUse : std::uint8_t {
  kNavigation,   // the page of a tab
  kRedirect,     // the page of a tab, where a server sent the browser on to
  kFrame,        // a frame's document, also after redirects
  kPopup,        // the first page of a tab that a page opened
  kSubresource,  // everything else a page asks for: scripts, pictures, fetches, beacons, sockets
  kDownload,     // a file that has begun to come down
};

inline constexpr EnumName<RequestUse> kRequestUses[] = {
    {RequestUse::kNavigation, "navigation"},
    {RequestUse::kRedirect, "redirect"},
    {RequestUse::kFrame, "frame"},
    {RequestUse::kPopup, "popup"},
    {RequestUse::kSubresource, "subresource"},
    {RequestUse::kDownload, "download"},
};

struct RequestFacts {
  RequestUse use = RequestUse::kSubresource;
  std::string method = "GET";
  std::string url;
  // The origin of the page that asks; "" when nobody but the caller does, or when it is not known.
  std::string initiator_origin;
  std::string frame_id;
  // Empty for a worker that belongs to no single tab.
  TabId tab;
};

struct RequestVerdict {
  bool is_allowed = true;
  std::string rule;    // what decided, as it was configured; may be empty
  std::string reason;  // a stable word

  static RequestVerdict Refuse(std::string rule, std::string reason) {
    return {.is_allowed = false, .rule = std::move(rule), .reason = std::move(reason)};
  }
};

// WebSockets cannot be held one by one: the browser is told beforehand which addresses it must
// not reach. `url_pattern` is a URL pattern such as "wss://*.example.com:*/*".
struct SocketRule {
  enum class Effect : std::uint8_t { kAllow, kRefuse };
  std::string url_pattern;
  Effect effect = Effect::kRefuse;
  bool operator==(const SocketRule&) const = default;
};

class RequestRule {
 public:
  virtual ~RequestRule() = default;
  // Asked on the session's event loop, for every hop of a redirect anew. MUST NOT wait.
  virtual RequestVerdict Decide(const RequestFacts& facts) = 0;
  // The first pattern that matches decides; a socket that none matches is refused.
  virtual std::vector<SocketRule> SocketRules() const = 0;
};

}  // namespace falconer::browser
