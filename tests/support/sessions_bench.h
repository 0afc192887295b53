#pragma once
// SessionsBench: a whole runtime without a browser: its browser is a fake, or does not start; its
// clock moves when it is told to; its store and ledger are real.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "engine/read_contract.h"
#include "engine/redacting_scrubber.h"
#include "store/sqlite_store.h"
#include "tests/support/control_kit.h"
#include "tests/support/fake_browser.h"
#include "tests/support/runtime_rooms.h"
#include "tests/support/settle.h"

namespace falconer::test {

enum class BrowserIs { kThere, kBroken };

struct SessionsBench {
  explicit SessionsBench(const CallContext& call, engine::RuntimeConfig config = {},
                         BrowserIs browser_is = BrowserIs::kThere)
      : browser(browser_is),
        real(call),
        ctx(call.executor(), clock),
        store(store::SqliteStore::Open(data.path() / "control.db", clock).value()),
        ledger(ledger::Ledger::Open(data.path(), *store, scrubber, clock, {.segment_bytes = 1})
                   .value()),
        pool(ctx.executor(), clock, {}, [this](CallContext c) { return Make(std::move(c)); }),
        sessions(ctx.executor(), clock, pool, {}),
        leases(ctx.executor(), clock, *store,
               {.owner = "me", .ttl = std::chrono::hours(20), .heartbeat = std::chrono::hours(8)}),
        actions(ctx.executor(), clock, *store),
        index(ctx.executor(), *store, data.path()),
        artifacts(
            {.root = data.path() / "artifacts", .inbox = {}, .max_bytes_per_tenant = 1U << 20U},
            clock),
        control(ctx.executor(), clock, *store),
        epochs(leases, clock),
        load(clock, {}),
        gates(control.Gates(contract, rules, epochs, load)),
        runtime(ctx.executor(), clock, PartsOf(*this), WithPolicy(std::move(config))) {
    actions.Follow(ledger->passed());
  }

  Task<Result<std::unique_ptr<browser::Browser>>> Make(CallContext c) {
    if (browser == BrowserIs::kBroken) co_return Fail(ErrorCode::kBrowserGone, "it does not start");
    made.emplace_back(c.executor());
    co_return co_await made.back().Attach(std::move(c));
  }
  static browser::SessionKey Key(std::string workflow) {
    return {.tenant = TenantId("acme"), .workflow = WorkflowId(std::move(workflow))};
  }
  Task<std::string> Send(json::value wire) { return Send(ctx, std::move(wire)); }
  Task<std::string> Send(CallContext call, json::value wire) {
    const auto answer =
        co_await runtime.Execute(std::move(call), control.Caller(), std::move(wire));
    EXPECT_TRUE(answer) << Describe(answer.error());
    co_return answer ? **answer : "{}";
  }
  Task<void> SendInto(json::value wire, std::string* answer) {
    *answer = co_await Send(std::move(wire));
  }
  // The page of a workflow, and the session it is in, for as long as it is held.
  Task<std::shared_ptr<engine::DriveKit>> Open(std::string workflow) {
    const auto session = co_await runtime.SessionFor(ctx, Key(std::move(workflow)));
    const auto kit = co_await runtime.KitOf(ctx, *session);
    EXPECT_TRUE(kit) << Describe(kit.error());
    co_return kit ? *kit : nullptr;
  }
  std::size_t open_contexts() const {
    std::size_t open = 0;
    for (const FakeBrowser& one : made) open += one.open_contexts();
    return open;
  }
  // The store answers from a thread of its own.
  Task<bool> Becomes(std::function<bool()> holds) {
    const TimePoint until = real.clock().Now() + std::chrono::seconds(10);
    while (!holds() && real.clock().Now() < until) co_await Settle(1);
    co_return holds();
  }
  Task<void> Finish() { return StopRooms(ctx, this); }

  BrowserIs browser;
  TempDir data = TempDir::Create("falconer-sessions-test-").value();
  FakeClock clock;
  CallContext real;
  CallContext ctx;
  std::vector<FakeBrowser> made;
  std::unique_ptr<store::SqliteStore> store;
  policy::Redactor redactor;
  engine::RedactingScrubber scrubber{redactor};
  std::unique_ptr<ledger::Ledger> ledger;
  browser::BrowserPool pool;
  browser::SessionManager sessions;
  kernel::LeaseKeeper leases;
  kernel::ActionRegistry actions;
  kernel::TenantIndex index;
  browser::ArtifactManager artifacts;
  FixedRules rules{{"127.0.0.1"}};
  engine::ReadContract contract;
  ControlKit control;
  kernel::EpochGuard epochs;
  kernel::LoadMeter load;
  kernel::GateList gates;
  engine::Runtime runtime;
};

}  // namespace falconer::test
