#pragma once
// NetworkRequests: the requests a tab has under way, and the newest of those that are done, by the
// browser's request id. It answers "is anything still loading?" and "whose body is this?".

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/async/clock.h"
#include "cdp/session.h"

namespace falconer::browser {

// What kind of target a session observes.
enum class SourceKind : std::uint8_t { kPage, kFrame, kWorker, kServiceWorker, kSharedWorker };

struct NetworkRequest {
  enum class Stage : std::uint8_t { kSent, kAnswered, kDone };

  std::string id;
  std::string loader_id;
  std::string frame_id;
  std::string method;
  std::string url;
  // The browser's resource type: "Document", "XHR", "Fetch", ...
  std::string type;
  SourceKind source = SourceKind::kPage;
  // The session that spoke of it last: a frame's document starts in its parent's process and ends
  // in its own, which is also where the body is.
  std::weak_ptr<cdp::Session> session;
  // The browser's own clock, in seconds.
  double sent_at = 0;
  Stage stage = Stage::kSent;
  bool has_failed = false;
  bool from_cache = false;
  int status = 0;
  std::string content_type;
  // The number of the event that reported the answer; 0 before.
  std::uint64_t response_seq = 0;
  // Does it keep the network from being idle while it is under way?
  bool holds_idle = true;

  bool is_done() const { return stage == Stage::kDone; }
  // The request of a navigation, and not of a resource.
  bool is_document() const { return type == "Document" && id == loader_id; }
};

// Is a page still loading while this is under way? Not for what never ends or serves nobody who
// looks at the page: event streams, WebSockets, beacons, reports, icons, shared and service
// workers.
bool IsWaitedFor(const NetworkRequest& request);

class NetworkRequests {
 public:
  // Remembers at most `most` requests; the oldest that are done go first.
  NetworkRequests(Clock& clock, std::size_t most);

  // Adds a request, in the place of an older one with the same id. The reference holds until the
  // next call of Open() or Forget().
  NetworkRequest& Open(NetworkRequest request);
  NetworkRequest* Find(std::string_view id);
  const NetworkRequest* Find(std::string_view id) const;
  // It is no longer under way; what is known of it stays for those who want its body.
  void Finish(NetworkRequest& request);
  // It will never end (a stream): it stays under way and no longer holds idleness.
  void StopHolding(NetworkRequest& request);
  // Drops the requests under way that `which` picks and returns how many. Nobody will hear how they
  // end.
  std::size_t Abandon(const std::function<bool(const NetworkRequest&)>& which);

  // All of them, oldest first.
  const std::list<NetworkRequest>& all() const { return requests_; }
  // Requests under way that hold idleness.
  std::size_t in_flight() const { return in_flight_; }
  std::size_t in_flight(std::string_view frame_id) const;
  // When in_flight() last became zero. Means something only while it is.
  TimePoint idle_since() const { return idle_since_; }

 private:
  using Place = std::list<NetworkRequest>::iterator;

  void MakeRoom();
  void Remove(Place place);
  void CountDown(const NetworkRequest& request);

  Clock& clock_;
  std::size_t most_;
  std::list<NetworkRequest> requests_;
  std::unordered_map<std::string_view, Place> by_id_;
  std::size_t in_flight_ = 0;
  TimePoint idle_since_;
};

}  // namespace falconer::browser
