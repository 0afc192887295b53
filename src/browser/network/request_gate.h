#pragma once
// RequestGate: stops every request of a tab (or of a session's workers) until the session's
// RequestRule has decided on it; those that the rule wants held go to the session's RequestHolds.
// It is the one owner of the browser's request interception, also for the sake of HTTP
// authentication, and intercepts nothing when there is neither a rule nor credentials.
//
// What it cannot hold one by one: WebSockets, which patterns keep away that are set beforehand. And
// not at all: pages that the browser fetches on speculation, and what is preloaded for a service
// worker. Those are for the proxy that the browser's connections go through. Shared workers do not
// run under a rule (Session), because the browser begins to hold their requests too late.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/async/event_hub.h"
#include "browser/frames/frame_tree.h"
#include "browser/network/http_auth.h"
#include "browser/network/network_observer.h"
#include "browser/network/request_holds.h"
#include "browser/network/request_rule.h"
#include "browser/session_options.h"
#include "cdp/session.h"

namespace falconer::browser {

struct RefusedRequest {
  std::uint64_t seq = 0;
  RequestFacts facts;
  RequestVerdict verdict;

  // Was it to become the page of the tab?
  bool is_page() const;
};

// kSecurityDomainBlock, naming the address, the rule and the reason.
Error RefusalError(const RequestFacts& facts, const RequestVerdict& verdict);

class RequestGate {
 public:
  // Whose requests they are.
  struct Place {
    TabId tab;
    // The tab's target, which is also its main frame.
    std::string main_frame_id;
    // Null for workers that belong to no single tab. They must outlive the gate.
    const FrameTree* frames = nullptr;
    NetworkObserver* network = nullptr;
    // Where requests wait that the rule wants held. Null: they are refused. It must outlive the
    // gate.
    RequestHolds* holds = nullptr;
    // Did a page open the tab?
    enum class Origin : std::uint8_t { kCaller, kPopup } origin = Origin::kCaller;
  };
  // What can be held of a target.
  enum class Holds : std::uint8_t {
    kRequestsAndSockets,  // pages and frames
    kSocketsOnly,         // dedicated workers: their requests are held with those of their page
    kRequestsNoSockets,   // service workers, whose sockets no pattern keeps away: they are left
                          // without
  };

  // `options` must outlive the gate.
  RequestGate(const SessionOptions& options, Place place);
  // What it holds is failed.
  ~RequestGate();
  RequestGate(const RequestGate&) = delete;
  RequestGate& operator=(const RequestGate&) = delete;

  // Begins to hold the requests of a target. Called before the target is let run.
  void Follow(const std::shared_ptr<cdp::Session>& session, Holds holds);
  void Unfollow(const cdp::Session& session);

  // Asks the rule about a page before the browser is told to open it: addresses that never reach
  // the network ("data:") are decided here. kSecurityDomainBlock.
  Result<void> MayOpen(const std::string& url);

  std::uint64_t last_seq() const { return last_seq_; }
  // The newest refusals, oldest first; bounded.
  std::vector<RefusedRequest> Since(std::uint64_t seq) const;
  // The newest page that was refused after `seq`.
  std::optional<RefusedRequest> PageSince(std::uint64_t seq) const;
  EventHub<const RefusedRequest&>& on_refused() { return on_refused_; }

 private:
  void OnPaused(cdp::Session& session, const cdp::FetchRequestPaused& event);
  void OnSocket(const cdp::Session& session, const cdp::NetworkWebSocketCreated& event);
  void OnSocketOpen(cdp::Session& session, const std::string& request_id);
  void OnCommit(cdp::Session& session, const cdp::Frame& frame);
  void HoldSockets(const std::shared_ptr<cdp::Session>& session, Holds holds);
  void SendSocketRules(cdp::Session& session) const;
  void LeaveOut(cdp::Session& session, const cdp::FetchRequestPaused& event);
  void Continue(cdp::Session& session, const cdp::FetchRequestPaused& event,
                const RequestFacts& facts);
  void Refuse(cdp::Session& session, const cdp::FetchRequestPaused& event, RequestFacts facts,
              RequestVerdict verdict);
  // Gives it to the holds; says why not, as a stable word, when it cannot be held.
  std::string_view Hold(cdp::Session& session, const cdp::FetchRequestPaused& event,
                        RequestFacts& facts, const RequestVerdict& verdict);
  RequestVerdict DecideUnheld(const RequestFacts& facts);
  RequestFacts FactsOf(const cdp::Session& session, const cdp::FetchRequestPaused& event);
  RequestUse UseOf(const cdp::FetchRequestPaused& event);
  std::string InitiatorOf(const cdp::Session& session, const std::string& frame_id) const;
  void Note(RequestFacts facts, RequestVerdict verdict);

  const SessionOptions& options_;
  Place place_;
  HttpAuth auth_;
  std::uint64_t last_seq_ = 0;
  std::deque<RefusedRequest> refused_;
  // Sockets that should never open.
  std::deque<std::string> refused_sockets_;
  std::unordered_map<const cdp::Session*, std::vector<Subscription>> following_;
  EventHub<const RefusedRequest&> on_refused_;
};

}  // namespace falconer::browser
