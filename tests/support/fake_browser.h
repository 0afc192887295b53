#pragma once
// FakeBrowser: a FakeCdpPeer that opens contexts and pages as a browser does, so that whatever is
// built on browser::Browser can be tested without one.

#include <memory>
#include <string>
#include <utility>

#include "browser/browser.h"
#include "tests/support/fake_cdp_peer.h"

namespace falconer::test {

class FakeBrowser {
 public:
  explicit FakeBrowser(Executor executor) : state_(std::make_shared<State>(std::move(executor))) {
    // Scripts are kept by the peer: they must not keep it in turn.
    const std::weak_ptr<State> weak = state_;
    peer()
        .On("Browser.getVersion")
        .Reply(
            R"({"protocolVersion": "1.3", "product": "Fake/1", "revision": "", "userAgent": "", "jsVersion": ""})");
    peer().On("Target.createBrowserContext").Reply([weak](const FakeCdpPeer::Sent&) {
      return json::object{
          {"browserContextId", "context" + std::to_string(++weak.lock()->contexts)}};
    });
    peer().On("Target.createTarget").Reply([weak](const FakeCdpPeer::Sent& sent) {
      return weak.lock()->OpenPage(sent.params);
    });
    peer().On("Page.getFrameTree").Reply([](const FakeCdpPeer::Sent& sent) {
      const json::object frame{
          {"id", "target-" + sent.session_id}, {"loaderId", "loader"}, {"url", "about:blank"}};
      return json::object{{"frameTree", {{"frame", frame}}}};
    });
  }

  FakeCdpPeer& peer() { return state_->peer; }
  // How many contexts were opened and not yet disposed.
  std::size_t open_contexts() const {
    return state_->peer.CountOf("Target.createBrowserContext") -
           state_->peer.CountOf("Target.disposeBrowserContext");
  }
  // The session id of the newest page.
  std::string last_page() const { return "page" + std::to_string(state_->pages); }

  Task<Result<std::unique_ptr<browser::Browser>>> Attach(CallContext ctx) {
    return browser::Browser::Attach(std::move(ctx), peer().MakeTransport(), {});
  }

 private:
  struct State {
    explicit State(Executor executor) : peer(std::move(executor)) {}

    // A page is announced before the command that made it is answered.
    json::object OpenPage(const json::object& params) {
      const std::string session = "page" + std::to_string(++pages);
      json::object target{{"targetId", "target-" + session},
                          {"type", "page"},
                          {"title", ""},
                          {"url", ""},
                          {"attached", true},
                          {"browserContextId", params.at("browserContextId")}};
      peer.Event(
          "", "Target.attachedToTarget",
          json::serialize(json::object{
              {"sessionId", session}, {"targetInfo", target}, {"waitingForDebugger", true}}));
      return {{"targetId", "target-" + session}};
    }

    FakeCdpPeer peer;
    int contexts = 0;
    int pages = 0;
  };
  std::shared_ptr<State> state_;
};

}  // namespace falconer::test
