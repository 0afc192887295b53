#pragma once
// RequestRule: who says which requests of a session may leave. The rooms above implement it; the
// driver asks it about every request that the browser lets it hold (RequestGate) and decides
// nothing itself.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/network.h"

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

struct RequestHeader {
  std::string name;  // as the browser writes it
  std::string value;
  bool operator==(const RequestHeader&) const = default;
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
  // The browser's word in lower case: "document", "xhr" (also for fetch()), "ping", "image", ...;
  // "" when nothing was held (sockets, downloads, pages that are asked about beforehand).
  std::string resource_type;
  // The digest of the held request that a server answered with a redirect, of which this is the
  // next hop (RequestHolds); "" otherwise.
  std::string redirect_of;

  // The content: only of requests that the rule wants whole (RequestRule::WantsContent) and of
  // those that are held.
  // As they are known at this time: what the network adds on the way (Host, Content-Length,
  // Connection) is not among them.
  std::vector<RequestHeader> headers;
  // The exact bytes, as far as the browser gives them.
  std::string body;
  // Where in `body` a part is missing: files that are read from the disk while they are sent, and
  // streams.
  std::vector<std::size_t> body_gaps;
  bool is_body_whole = true;

  // The first value of a header, its name compared without case; "" when there is none.
  std::string HeaderValue(std::string_view name) const;
};

struct RequestVerdict {
  enum class Effect : std::uint8_t {
    kAllow,
    kRefuse,
    // It stays where it is until somebody decides (RequestHolds). What cannot be held (sockets,
    // downloads that have begun, pages of a page's own making) is refused instead.
    kHold,
  };
  Effect effect = Effect::kAllow;
  std::string rule;    // what decided, as it was configured; may be empty
  std::string reason;  // a stable word

  bool is_allowed() const { return effect == Effect::kAllow; }
  static RequestVerdict Refuse(std::string rule, std::string reason) {
    return {.effect = Effect::kRefuse, .rule = std::move(rule), .reason = std::move(reason)};
  }
  static RequestVerdict Hold(std::string rule, std::string reason) {
    return {.effect = Effect::kHold, .rule = std::move(rule), .reason = std::move(reason)};
  }
};

using model::IsSafeMethod;

// WebSockets cannot be held one by one: the browser is told beforehand which addresses it must
// not reach. `url_pattern` is a URL pattern such as "wss://*.example.com:*/*".
struct SocketRule {
  enum class Effect : std::uint8_t { kAllow, kRefuse };
  std::string url_pattern;
  Effect effect = Effect::kRefuse;
  bool operator==(const SocketRule&) const = default;
};

// On whose behalf requests are made, for the log.
struct RequestOwner {
  SessionId session;
  TurnId turn;
};

class RequestRule {
 public:
  virtual ~RequestRule() = default;
  // Asked on the session's event loop, for every hop of a redirect anew. MUST NOT wait.
  virtual RequestVerdict Decide(const RequestFacts& facts) = 0;
  // Whether Decide() looks at headers and body of this request, of which everything else is known.
  // Saying no keeps the many requests of a page cheap.
  virtual bool WantsContent(const RequestFacts& facts) const { return !IsSafeMethod(facts.method); }
  // Whether Decide() ever says kHold. A verdict of kHold from a rule that does not is a refusal.
  virtual bool MayHold() const { return true; }
  // The first pattern that matches decides; a socket that none matches is refused.
  virtual std::vector<SocketRule> SocketRules() const = 0;
  // The turn that runs, or ran last; nobody where no turn is known.
  virtual RequestOwner owner() const { return {}; }
};

}  // namespace falconer::browser
