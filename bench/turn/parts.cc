#include "bench/turn/parts.h"

#include <fmt/format.h>
#include <random>

#include "base/async/task_scope.h"
#include "base/json/canonical_json.h"
#include "bench/samples.h"
#include "engine/redacting_scrubber.h"
#include "ledger/ledger.h"
#include "ledger/verifier.h"
#include "model/contract/contract.h"
#include "model/state/delta.h"
#include "store/sqlite_store.h"

namespace falconer::bench {
namespace {

using Clock = std::chrono::steady_clock;

double Micros(Clock::duration took) {
  return std::chrono::duration<double, std::micro>(took).count();
}

double Seconds(Clock::duration took) {
  return std::chrono::duration<double>(took).count();
}

// The median of `rounds` means over `times` calls each, in microseconds.
template <typename Call>
std::optional<double> MedianMicros(int rounds, int times, Call call) {
  std::vector<double> means;
  for (int round = 0; round < rounds; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < times; ++i) call();
    means.push_back(Micros(Clock::now() - start) / times);
  }
  return PercentileOf(std::move(means), 0.5);
}

constexpr std::string_view kContract = R"({
  "workflow_id": "shop", "run_id": "r1", "step_index": 4, "intent": "pay", "agent_id": "buyer",
  "preconditions": [{"rule_type": "element_present", "selector": "#pay"}],
  "action_spec": {"action_type": "click", "selector": "role=button[name=\"Pay now\"]"},
  "expected_postconditions": [{"rule_type": "url_pattern", "pattern": "*/thanks"}],
  "wait_conditions": [{"kind": "url", "url_pattern": "*/thanks"}],
  "metadata": {"order": "A-1001"}})";

model::StructuredState StateOf(std::size_t elements) {
  model::StructuredState state;
  state.tab_id = "t1";
  state.url = "https://shop.example/checkout";
  for (std::size_t i = 0; i < elements; ++i) {
    state.elements.push_back({.ref = fmt::format("d1e{}", i),
                              .role = "textbox",
                              .name = fmt::format("Field {}", i),
                              .tag = "input",
                              .type = "text",
                              .value_hint = fmt::format("value {}", i),
                              .bbox = {0.1, 0.02 * static_cast<double>(i), 0.3, 0.02}});
  }
  return state;
}

store::ActionKey KeyOf(std::uint64_t number) {
  return {.tenant = TenantId("bench"), .scope = "w", .action_id = Sha256Of(std::to_string(number))};
}

Task<Result<void>> FillIndex(store::ControlStore* store, std::uint64_t records) {
  constexpr std::uint64_t kBatch = 10'000;
  for (std::uint64_t from = 1; from <= records; from += kBatch) {
    store::ActionBatch batch{.chain = "bench"};
    const std::uint64_t end = std::min(records, from + kBatch - 1);
    for (std::uint64_t i = from; i <= end; ++i) {
      batch.actions.push_back({.key = KeyOf(i),
                               .state = store::ActionState::kTerminal,
                               .seq = i,
                               .turn = TurnId(fmt::format("turn_{}", i))});
    }
    batch.indexed_seq = end;
    CO_TRY(co_await store->PutActions(std::move(batch)));
  }
  co_return Result<void>();
}

ledger::RecordInput RecordOf(std::uint64_t number) {
  return {.kind = ledger::RecordKind::kTurnClosed,
          .payload = {{"turn_id", fmt::format("turn_{}", number)},
                      {"workflow", "bench"},
                      {"agent", "bench"},
                      {"success", true},
                      {"evidence", std::string(700, 'e')}}};
}

Task<void> AppendMany(ledger::Ledger* ledger, int count, int* failed) {
  for (int i = 0; i < count; ++i) {
    const auto receipt = co_await ledger->Append(TenantId("bench"), RecordOf(1));
    if (!receipt) ++*failed;
  }
}

// Records per second.
Task<Result<double>> AppendBy(CallContext ctx, ledger::Ledger* ledger, int callers, int each) {
  int failed = 0;
  TaskScope scope(ctx.executor());
  const auto start = Clock::now();
  for (int i = 0; i < callers; ++i) scope.Spawn("append", AppendMany(ledger, each, &failed));
  co_await scope.Join();
  if (failed > 0) co_return falconer::Fail(ErrorCode::kIoError, "records were not appended");
  co_return callers* each / Seconds(Clock::now() - start);
}

Result<double> VerifyRate(const std::filesystem::path& folder, const ledger::PublicKey& key) {
  const auto paths = ledger::ChainPaths::Of(folder, TenantId("bench"));
  const auto start = Clock::now();
  TRY_ASSIGN(const auto report,
             ledger::VerifyChain({.folder = paths.folder, .tenant = {}, .keys = {key}}));
  const double took = Seconds(Clock::now() - start);
  if (!report.is_clean())
    return falconer::Fail(ErrorCode::kLedgerDamaged, json::serialize(report.ToJson()));
  return static_cast<double>(report.records) / took;
}

}  // namespace

Result<std::vector<Row>> MeasureNaming() {
  TRY_ASSIGN(const auto value, ParseJson(kContract));
  TRY_ASSIGN(const auto contract, model::ActionContract::FromJson(value));
  std::size_t length = 0;
  const auto took = MedianMicros(21, 1000, [&] {
    const auto identity = contract.Identify();
    length += identity ? identity->digest.size() : 0;
  });
  if (length != 21UZ * 1000 * 64)
    return falconer::Fail(ErrorCode::kInternalError, "a contract has no name");
  return std::vector<Row>{{.name = "action_id of a contract",
                           .value = took,
                           .unit = "us",
                           .aim = Aim{Aim::Bound::kAtMost, 10, Aim::Of::kValue}}};
}

Result<std::vector<Row>> MeasureDelta() {
  auto before = StateOf(48);
  auto after = before;
  after.elements[7].value_hint = "another";
  after.elements.erase(after.elements.begin() + 20);
  TRY(model::Seal(before));
  TRY(model::Seal(after));
  std::size_t seen = 0;
  const auto took =
      MedianMicros(21, 1000, [&] { seen += model::Diff(&before, after).elements.updated.size(); });
  if (seen != 21UZ * 1000)
    return falconer::Fail(ErrorCode::kInternalError, "the delta does not show what changed");
  return std::vector<Row>{{.name = "delta of 48 elements",
                           .value = took,
                           .unit = "us",
                           .aim = Aim{Aim::Bound::kAtMost, 20, Aim::Of::kValue}}};
}

Task<Result<std::vector<Row>>> MeasureLookUp(CallContext ctx, std::filesystem::path folder,
                                             std::uint64_t records) {
  constexpr int kLookUps = 5000;
  CO_TRY_ASSIGN(const auto store, store::SqliteStore::Open(folder / "lookup.db", ctx.clock()));
  CO_TRY(co_await FillIndex(store.get(), records));
  std::mt19937_64 random(7);
  std::vector<double> times;
  for (int i = 0; i < kLookUps; ++i) {
    const auto key = KeyOf(1 + random() % records);
    const auto start = Clock::now();
    CO_TRY_ASSIGN(const auto found, co_await store->FindAction(key));
    times.push_back(Micros(Clock::now() - start));
    if (!found) co_return falconer::Fail(ErrorCode::kNotFound, "a record is not in the index");
  }
  co_return std::vector<Row>{{.name = fmt::format("duplicate look-up among {} records", records),
                              .value = PercentileOf(std::move(times), 0.5),
                              .unit = "us",
                              .aim = Aim{Aim::Bound::kAtMost, 50, Aim::Of::kValue}}};
}

Task<Result<std::vector<Row>>> MeasureLedger(CallContext ctx, std::filesystem::path folder) {
  const policy::Redactor redactor;
  const engine::RedactingScrubber scrubber(redactor);
  CO_TRY_ASSIGN(const auto store, store::SqliteStore::Open(folder / "control.db", ctx.clock()));
  CO_TRY_ASSIGN(auto ledger, ledger::Ledger::Open(folder, *store, scrubber, ctx.clock()));
  CO_TRY_ASSIGN(const double alone, co_await AppendBy(ctx, ledger.get(), 1, 2000));
  CO_TRY_ASSIGN(const double together, co_await AppendBy(ctx, ledger.get(), 64, 4000));
  const ledger::PublicKey key = ledger->public_key();
  ledger.reset();
  CO_TRY_ASSIGN(const double verified, VerifyRate(folder, key));
  co_return std::vector<Row>{
      {.name = "ledger append, 64 callers",
       .value = together,
       .unit = "records/s",
       .baseline = Baseline{"one fsync per record", alone, Ratio::kShare},
       .aim = Aim{Aim::Bound::kAtLeast, 20}},
      {.name = "ledger verify",
       .value = verified,
       .unit = "records/s",
       .aim = Aim{Aim::Bound::kAtLeast, 200'000, Aim::Of::kValue}},
  };
}

}  // namespace falconer::bench
