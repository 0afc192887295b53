#pragma once
// NetworkObserver: what a tab says to the network, in order and across all its processes. It only
// listens: whoever sets up a session sends Network.enable and Page.enable, and has their answers
// before the first navigation. Memory is bounded everywhere and what was lost is counted.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/async/event_hub.h"
#include "base/async/notifier.h"
#include "browser/network/network_bodies.h"
#include "browser/network/network_log.h"
#include "browser/network/network_requests.h"
#include "browser/network/network_sockets.h"

namespace falconer::browser {

struct NetworkObserverOptions {
  // Events kept.
  std::size_t ring = 256;
  // Requests remembered, under way and done.
  std::size_t max_requests = 512;
  NetworkBodyLimits bodies;
};

class NetworkObserver {
 public:
  using Options = NetworkObserverOptions;
  using SourceKind = browser::SourceKind;

  // `changes` is notified after every change. Both must outlive the observer.
  NetworkObserver(Clock& clock, Notifier& changes, Options options);
  ~NetworkObserver();
  NetworkObserver(const NetworkObserver&) = delete;
  NetworkObserver& operator=(const NetworkObserver&) = delete;

  // Listens to a session until it closes.
  void Follow(const std::shared_ptr<cdp::Session>& session, SourceKind kind);
  // Stops listening. What the session had under way has failed ("target_gone").
  void Unfollow(const cdp::Session& session);

  // A mark for "since this action".
  std::uint64_t last_seq() const { return log_.last_seq(); }
  // The events that are kept, oldest first; after a mark.
  const std::deque<model::NetworkEvent>& events() const { return log_.events(); }
  std::vector<model::NetworkEvent> EventsSince(std::uint64_t seq) const { return log_.Since(seq); }
  model::NetworkSummary Summary(std::uint64_t since_seq) const;

  // Requests under way. Those that never end or that nobody waits for do not count: event streams,
  // WebSockets, beacons, reports, icons, and the traffic of shared and service workers.
  std::size_t in_flight() const { return requests_.in_flight(); }
  std::size_t in_flight(std::string_view frame_id) const { return requests_.in_flight(frame_id); }
  // When in_flight() last became zero. Means something only while it is.
  TimePoint idle_since() const { return requests_.idle_since(); }

  // The body of a response; waits until it is complete. kNotFound when the request is not known or
  // the browser no longer has the body; kNetworkError when the request failed; kTargetDetached,
  // kTabCrashed, kDialogOpen, kTimeout.
  Task<Result<Body>> ReadBody(CallContext ctx, std::string request_id);
  // While the subscription lives, the bodies of matching responses are kept as they come, so that
  // ReadBody() has them also when the page has moved on.
  Subscription WantBodies(BodyRule rule) { return bodies_.Want(std::move(rule)); }
  // Waits until the body of every response so far after `since_seq` is complete and judged, or
  // cannot be read. kTimeout, or the cancel reason.
  Task<Result<void>> Settled(CallContext ctx, std::uint64_t since_seq);
  // The request was refused by a rule: when it fails, that is why ("blocked_by_rule").
  void NoteRefused(const std::string& request_id);
  // A WebSocket that a rule keeps from connecting.
  void LogRefusedSocket(const std::string& request_id, const std::string& url);
  std::uint64_t dropped_bodies() const { return bodies_.dropped(); }

  // Every event as it is logged. Redirects are told hop by hop under one request id.
  EventHub<const model::NetworkEvent&>& on_event() { return on_event_; }
  // A logged response again, once its body has been judged.
  EventHub<const model::NetworkEvent&>& on_judged() { return on_judged_; }
  EventHub<const WebSocketMessage&>& on_websocket() { return sockets_.on_message(); }
  std::vector<std::string> OpenSockets() const { return sockets_.OpenUrls(); }

  // Navigations, for the frame tree: (frame id, loader id), (loader id, status),
  // (loader id, error signature).
  EventHub<const std::string&, const std::string&>& on_document_request() {
    return on_document_request_;
  }
  EventHub<const std::string&, int>& on_document_response() { return on_document_response_; }
  EventHub<const std::string&, const std::string&>& on_document_failed() {
    return on_document_failed_;
  }

 private:
  struct Source {
    std::weak_ptr<cdp::Session> session;
    SourceKind kind = SourceKind::kPage;
    std::vector<Subscription> subscriptions;
  };

  void FollowRequests(cdp::Session& session, Source& source);
  void FollowPage(cdp::Session& session, Source& source);

  void OnRequest(const Source& source, const cdp::NetworkRequestWillBeSent& event);
  void OnResponse(const Source& source, const cdp::NetworkResponseReceived& event);
  void OnFinished(const Source& source, const cdp::NetworkLoadingFinished& event);
  void OnFailed(const Source& source, const cdp::NetworkLoadingFailed& event);
  void OnCommit(const Source& source, const cdp::Frame& frame);
  void OnLifecycle(const Source& source, const cdp::PageLifecycleEvent& event);
  void OnGone(const cdp::Session& session);
  void OnBodyRead(std::uint64_t seq, const std::optional<model::BodyJudgement>& judgement);
  void Note(std::uint64_t seq, const model::BodyJudgement& judgement);

  // The request an event speaks of, which now belongs to the event's session; null when unknown.
  NetworkRequest* Touch(const Source& source, std::string_view request_id);
  void Answer(NetworkRequest& request, const cdp::Response& response, double at);
  void Complete(NetworkRequest& request, std::size_t encoded_bytes);
  void LeaveUnread(NetworkRequest& request, const std::string& reason);
  void FailRequest(NetworkRequest& request, std::string signature);
  model::NetworkEvent Describe(const NetworkRequest& request, model::NetworkEventKind kind) const;
  void Log(model::NetworkEvent event);
  bool IsSettled(std::uint64_t since_seq) const;

  Clock& clock_;
  Notifier& changes_;
  Options options_;
  NetworkLog log_;
  NetworkRequests requests_;
  NetworkSockets sockets_;
  NetworkBodies bodies_;
  std::unordered_map<const cdp::Session*, Source> sources_;
  // Refused and not yet failed; forgotten when there are too many.
  std::unordered_set<std::string> refused_;
  EventHub<const model::NetworkEvent&> on_event_;
  EventHub<const model::NetworkEvent&> on_judged_;
  EventHub<const std::string&, const std::string&> on_document_request_;
  EventHub<const std::string&, int> on_document_response_;
  EventHub<const std::string&, const std::string&> on_document_failed_;
};

}  // namespace falconer::browser
