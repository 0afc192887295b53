#pragma once
// HoldBench: a session in which requests are held, and what becomes of them.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/async/notifier.h"
#include "browser/network/request_holds.h"
#include "tests/support/test_browser.h"

namespace falconer::test {

// Allows everything but what it is told to hold, and remembers what it was asked.
class HoldingRule : public browser::RequestRule {
 public:
  browser::RequestVerdict Decide(const browser::RequestFacts& facts) override {
    asked.push_back(facts);
    if (!holds(facts)) return {};
    return browser::RequestVerdict::Hold("test", "needs_approval");
  }
  std::vector<browser::SocketRule> SocketRules() const override { return {}; }

  std::function<bool(const browser::RequestFacts&)> holds = [](const auto& facts) {
    return !browser::IsSafeMethod(facts.method);
  };
  std::vector<browser::RequestFacts> asked;
};

using Held = std::shared_ptr<const browser::HeldRequest>;

struct HoldBench {
  std::shared_ptr<HoldingRule> rule = std::make_shared<HoldingRule>();
  std::unique_ptr<BrowserFixture> t;
  Notifier changes;
  std::vector<browser::HoldEnd> ends;
  std::vector<Subscription> watching;

  static Task<std::unique_ptr<HoldBench>> Open(BrowserFixture& other,
                                               browser::SessionOptions options = {}) {
    auto bench = std::make_unique<HoldBench>();
    options.request_rule = bench->rule;
    bench->t = co_await OpenFixture(other, std::move(options));
    bench->Watch();
    co_return bench;
  }

  void Watch() {
    watching.push_back(holds().on_held().Subscribe([this](const auto&) { changes.NotifyAll(); }));
    watching.push_back(holds().on_ended().Subscribe([this](const auto& end) {
      ends.push_back(end);
      changes.NotifyAll();
    }));
  }

  browser::RequestHolds& holds() const { return t->session->holds(); }

  // Waits until so many are held; the newest.
  Task<Held> UntilHeld(std::size_t count = 1) {
    const auto held = co_await changes.Until(
        t->ctx.WithTimeout(kPatience), [&] { return holds().all().size() >= count; },
        "a held request");
    EXPECT_TRUE(held) << Why(held);
    co_return held ? holds().all().back() : std::make_shared<const browser::HeldRequest>();
  }

  // Waits until so many holds have ended; the newest end.
  Task<browser::HoldEnd> UntilEnded(std::size_t count = 1) {
    const auto ended = co_await changes.Until(
        t->ctx.WithTimeout(kPatience), [&] { return ends.size() >= count; }, "the end of a hold");
    EXPECT_TRUE(ended) << Why(ended);
    co_return ended ? ends.back() : browser::HoldEnd();
  }

  // Lets it go and waits until the server has it; what the server got.
  Task<net::HttpRequest> ReleaseTo(std::string path, Held held) {
    const auto before = t->site.RequestCount(path);
    const auto released = holds().Release(held->id, held->digest);
    EXPECT_TRUE(released) << Why(released);
    const auto arrived =
        co_await t->site.UntilRequests(t->ctx.WithTimeout(kPatience), path, before + 1);
    EXPECT_TRUE(arrived) << Why(arrived);
    co_return arrived ? t->site.Requests(path).back() : net::HttpRequest();
  }

  // Has the page do something, and does not wait for what comes of it.
  Task<void> Start(std::string script) {
    co_await t->Page("setTimeout(() => { " + script + " }); 1");
  }
};

}  // namespace falconer::test
