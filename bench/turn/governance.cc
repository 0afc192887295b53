#include "bench/turn/governance.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "bench/samples.h"
#include "engine/action_engine.h"

namespace falconer::bench {
namespace {

constexpr std::string_view kWorkflow = "bench";
constexpr auto kPatience = std::chrono::seconds(20);
// As much as a record of a click takes.
constexpr std::size_t kRecordBytes = 6 * 1024;

json::object ClickContract(int number) {
  return {{"workflow_id", kWorkflow},
          {"run_id", "bench"},
          {"step_index", number},
          {"intent", "press the counter"},
          {"agent_id", "bench"},
          {"action_spec", {{"action_type", "click"}, {"selector", "id=increment"}}}};
}

json::object OpenContract(const std::string& url) {
  return {{"workflow_id", kWorkflow},
          {"run_id", "bench"},
          {"intent", "open the page"},
          {"agent_id", "bench"},
          {"action_spec", {{"action_type", "navigate"}, {"url", url}}}};
}

// The disk's own part: one write and its way to the disk.
class DiskProbe {
 public:
  static Result<DiskProbe> Open(const std::filesystem::path& folder) {
    const auto path = folder / "probe";
    UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0600));
    if (!file) return falconer::Fail(ErrorCode::kIoError, "cannot create " + path.string());
    return DiskProbe(std::move(file));
  }
  bool Sync() const {
    return ::write(file_.get(), block_.data(), block_.size()) ==
               static_cast<ssize_t>(block_.size()) &&
           ::fdatasync(file_.get()) == 0;
  }

 private:
  explicit DiskProbe(UniqueFd file) : file_(std::move(file)), block_(kRecordBytes, 'x') {}
  UniqueFd file_;
  std::string block_;
};

struct Times {
  Samples bare;
  Samples carried;
  Samples governed;
  Samples disk;
  // Of each round: what the turn took beyond the engine's part and the disk's.
  std::vector<double> beyond_disk;
};

class ClickBench {
 public:
  ClickBench(app::Program& program, app::RuntimeHost& host) : program_(program), host_(host) {}

  Task<Result<void>> Prepare(std::string url) {
    CO_TRY(co_await Execute(OpenContract(url)));
    const browser::SessionKey key{.tenant = host_.local_caller().tenant,
                                  .workflow = WorkflowId(std::string(kWorkflow))};
    CO_TRY_ASSIGN(const auto session, co_await host_.runtime().SessionFor(Context(), key));
    CO_TRY_ASSIGN(kit_, co_await host_.runtime().KitOf(Context(), session));
    co_return Result<void>();
  }

  // One click of each sort, in turns, so that all see the same machine.
  Task<Result<void>> Round(int number, const DiskProbe* disk, Times* times) {
    CO_TRY(co_await Timed(&times->bare, Bare()));
    CO_TRY_ASSIGN(const Nanos carried, co_await Timed(&times->carried, Carried(number)));
    CO_TRY_ASSIGN(const Nanos governed,
                  co_await Timed(&times->governed, Execute(ClickContract(number))));
    const TimePoint start = program_.clock().Now();
    if (!disk->Sync()) co_return falconer::Fail(ErrorCode::kIoError, "cannot sync");
    const Nanos synced = program_.clock().Now() - start;
    times->disk.Add(synced, 0);
    times->beyond_disk.push_back(
        std::chrono::duration<double, std::milli>(governed - carried - synced).count());
    co_return Result<void>();
  }

 private:
  CallContext Context() { return program_.NewCall().WithTimeout(kPatience); }

  Task<Result<Nanos>> Timed(Samples* into, Task<Result<void>> task) {
    const TimePoint start = program_.clock().Now();
    CO_TRY(co_await std::move(task));
    const Nanos took = program_.clock().Now() - start;
    into->Add(took, 0);
    co_return took;
  }

  Task<Result<void>> Bare() {
    CO_TRY_ASSIGN(const auto contract, model::ActionContract::FromJson(ClickContract(0)));
    CO_TRY(co_await kit_->driver.Perform(Context(), contract.action_spec));
    co_return Result<void>();
  }

  // Everything the engine does for a contract, and nothing that the kernel and the ledger do.
  Task<Result<void>> Carried(int number) {
    CO_TRY_ASSIGN(const auto contract, model::ActionContract::FromJson(ClickContract(number)));
    const auto guards = model::DeriveGuards(contract);
    const engine::EngineInput input{
        .contract = contract, .guards = guards, .before_effect = Nothing, .keep = {}};
    const auto result = co_await engine::CarryOut(Context(), kit_.get(), &input);
    if (!result.success) co_return falconer::Fail(result.failure->code, result.failure->message);
    co_return Result<void>();
  }

  static Task<Result<void>> Nothing() { co_return Result<void>(); }

  Task<Result<void>> Execute(json::object contract) {
    CO_TRY_ASSIGN(const auto bytes, co_await host_.runtime().Execute(
                                        Context(), host_.local_caller(), std::move(contract)));
    if (!bytes->contains(R"("success":true)"))
      co_return falconer::Fail(ErrorCode::kActionExecutionFailed, *bytes);
    co_return Result<void>();
  }

  app::Program& program_;
  app::RuntimeHost& host_;
  std::shared_ptr<engine::DriveKit> kit_;
};

std::optional<double> Less(std::optional<double> whole, std::optional<double> part) {
  if (!whole || !part) return std::nullopt;
  return *whole - *part;
}

std::vector<Row> RowsFrom(const Times& times) {
  const auto bare = times.bare.Percentile(0.5);
  const auto governed = times.governed.Percentile(0.5);
  return {
      {.name = "governance of a click, p50",
       .value = Less(governed, times.carried.Percentile(0.5)),
       .unit = "ms",
       .baseline = Baseline{"bare driver click", bare, Ratio::kShare},
       .aim = Aim{Aim::Bound::kAtMost, 0.10}},
      {.name = "governance of a click beyond fsync, p99",
       .value = PercentileOf(times.beyond_disk, 0.99),
       .unit = "ms",
       .aim = Aim{Aim::Bound::kAtMost, 2.0, Aim::Of::kValue}},
      {.name = "one fsync of a record, p50", .value = times.disk.Percentile(0.5), .unit = "ms"},
      {.name = "engine alone (state, waits, rules), p50",
       .value = times.carried.Percentile(0.5),
       .unit = "ms",
       .baseline = Baseline{"bare driver click", bare, Ratio::kShare}},
      {.name = "whole turn of a click, p50",
       .value = governed,
       .unit = "ms",
       .baseline = Baseline{"bare driver click", bare, Ratio::kShare}},
  };
}

}  // namespace

Task<Result<std::vector<Row>>> MeasureGovernance(app::Program* program, app::RuntimeHost* host,
                                                 std::string url, int samples) {
  constexpr int kWarmUp = 20;
  ClickBench bench(*program, *host);
  CO_TRY(co_await bench.Prepare(std::move(url)));
  CO_TRY_ASSIGN(const auto disk, DiskProbe::Open(program->settings().data.dir));
  Times ignored;
  Times times;
  for (int i = 1; i <= kWarmUp + samples; ++i)
    CO_TRY(co_await bench.Round(i, &disk, i <= kWarmUp ? &ignored : &times));
  co_return RowsFrom(times);
}

}  // namespace falconer::bench
