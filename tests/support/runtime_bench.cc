#include "tests/support/runtime_bench.h"

#include <utility>

#include "engine/read_contract.h"
#include "engine/redacting_scrubber.h"
#include "tests/support/runtime_rooms.h"

namespace falconer::test {

namespace {

engine::RuntimeParts With(engine::RuntimeParts parts, engine::VisionGate* gate,
                          engine::TurnWatch* watch) {
  parts.vision = gate;
  parts.watch = watch;
  return parts;
}

}  // namespace

struct RuntimeBench::Parts {
  Parts(BrowserFixture& t, const std::filesystem::path& data, std::string owner,
        engine::VisionGate* gate, engine::TurnWatch* watch)
      : store(store::SqliteStore::Open(data / "control.db", t.ctx.clock()).value()),
        ledger(ledger::Ledger::Open(data, *store, scrubber, t.ctx.clock()).value()),
        pool(t.ctx.executor(), t.ctx.clock(), {},
             [](CallContext ctx) {
               return browser::Browser::Launch(std::move(ctx), TestBrowserConfig(), {});
             }),
        sessions(t.ctx.executor(), t.ctx.clock(), pool, {}),
        leases(t.ctx.executor(), t.ctx.clock(), *store, {.owner = std::move(owner)}),
        actions(t.ctx.executor(), t.ctx.clock(), *store),
        index(t.ctx.executor(), *store, data),
        artifacts({.root = data / "artifacts", .inbox = {}, .max_bytes_per_tenant = 64ULL << 20U},
                  t.ctx.clock()),
        rules({"127.0.0.1", "localhost"}),
        control(t.ctx.executor(), t.ctx.clock(), *store),
        epochs(leases, t.ctx.clock()),
        load(t.ctx.clock(), {}),
        gates(control.Gates(contract, rules, epochs, load)),
        runtime(t.ctx.executor(), t.ctx.clock(), With(PartsOf(*this), gate, watch),
                WithPolicy({})) {
    actions.Follow(ledger->passed());
  }

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
  FixedRules rules;
  engine::ReadContract contract;
  ControlKit control;
  kernel::EpochGuard epochs;
  kernel::LoadMeter load;
  kernel::GateList gates;
  engine::Runtime runtime;
};

RuntimeBench::RuntimeBench(BrowserFixture& t, const std::filesystem::path& data, std::string owner,
                           engine::VisionGate* vision, engine::TurnWatch* watch)
    : t_(t), parts_(std::make_unique<Parts>(t, data, std::move(owner), vision, watch)) {
}

RuntimeBench::~RuntimeBench() = default;

Task<std::string> RuntimeBench::Send(std::string contract, std::string tenant, CancelToken cancel) {
  const auto answer = co_await parts_->runtime.Execute(
      t_.ctx.WithTimeout(kLongPatience).WithCancel(std::move(cancel)),
      parts_->control.Caller(std::move(tenant)), ParseJson(contract).value_or(json::value()));
  EXPECT_TRUE(answer) << Why(answer);
  co_return answer ? **answer : std::string();
}

Task<model::ActionExecutionResult> RuntimeBench::Execute(std::string contract, std::string tenant,
                                                         CancelToken cancel) {
  const std::string text = co_await Send(std::move(contract), std::move(tenant), std::move(cancel));
  const auto value = ParseJson(text);
  if (!value) co_return model::ActionExecutionResult();
  const auto result = model::ActionExecutionResult::FromJson(*value);
  EXPECT_TRUE(result) << Why(result) << text;
  co_return result ? *result : model::ActionExecutionResult();
}

Task<void> RuntimeBench::Stop() {
  return StopRooms(t_.ctx.WithTimeout(kLongPatience), parts_.get());
}

std::filesystem::path RuntimeBench::ArtifactsOf(const std::string& workflow) {
  return parts_->artifacts.FolderOf({.tenant = TenantId("acme"), .workflow = WorkflowId(workflow)});
}

ControlKit& RuntimeBench::control() {
  return parts_->control;
}
engine::Runtime& RuntimeBench::runtime() {
  return parts_->runtime;
}
kernel::LeaseKeeper& RuntimeBench::leases() {
  return parts_->leases;
}
ledger::Ledger& RuntimeBench::ledger() {
  return *parts_->ledger;
}

}  // namespace falconer::test
