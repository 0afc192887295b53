#pragma once
// RequestBackstop: keeps a held request from leaving when nobody let it go. The browser sends every
// request on that it holds for a target when it loses the target: a page that closes itself would
// take its held requests with it to the server. The browser's own session is a second door behind
// those of all targets; here it is shut for the addresses of held requests.
//
// One per browser, shared by its sessions. What passes costs nothing while nothing is held.

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "browser/network/request_rule.h"
#include "cdp/session.h"

namespace falconer::browser {

class RequestBackstop {
 public:
  explicit RequestBackstop(std::shared_ptr<cdp::Session> root);
  RequestBackstop(const RequestBackstop&) = delete;
  RequestBackstop& operator=(const RequestBackstop&) = delete;

  // Puts the second door in. Before the first target whose requests may be held; later calls do
  // nothing.
  void Start();

  // A request is held: nothing like it passes.
  void Guard(const RequestFacts& facts);
  // It goes on now, by a decision: one like it may pass, and it is no longer guarded.
  void LetPass(const RequestFacts& facts);
  // It was given up, and may come through nevertheless: it stays guarded, until many others of its
  // owner (or very many of all) were given up after it.
  void GiveUp(const RequestFacts& facts, const void* owner);

  // A request that was never held goes on. Only when it could be taken for one that is guarded is
  // there anything to do.
  void NoteAllowed(const cdp::PausedRequest& request);

 private:
  // What two requests have in common that cannot be told apart: method, address and body. Headers
  // may change while a request waits.
  using Likeness = std::string;
  struct Guarded {
    std::string url;
    std::size_t held = 0;
    std::size_t given_up = 0;
    // How many may pass.
    std::size_t passes = 0;
    bool is_needed() const { return held + given_up > 0; }
  };

  struct GivenUp {
    const void* owner = nullptr;
    Likeness likeness;
  };

  static Likeness LikenessOf(const RequestFacts& facts);
  static Likeness LikenessOf(const cdp::PausedRequest& request);
  void Drop(std::map<Likeness, Guarded>::iterator place, std::size_t Guarded::* count);
  void Forget(std::deque<GivenUp>::iterator place);
  void OnPaused(const cdp::FetchRequestPaused& event);
  // Tells the browser which addresses to stop.
  void SendPatterns() const;

  std::shared_ptr<cdp::Session> root_;
  bool is_started_ = false;
  Subscription paused_;
  std::map<Likeness, Guarded> guarded_;
  std::deque<GivenUp> given_up_;  // the oldest first
};

}  // namespace falconer::browser
