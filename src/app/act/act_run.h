#pragma once
// ActRun: contracts or a plan on their way through a runtime, one after the other, each told as it
// ends.

#include <cstdint>

#include "app/act/act_input.h"
#include "app/act/act_report.h"
#include "app/host/runtime_host.h"
#include "engine/plan_run.h"

namespace falconer::app {

enum class AfterFailure : std::uint8_t { kStop, kKeepGoing };

class ActRun {
 public:
  // All must outlive the run.
  ActRun(Program& program, RuntimeHost& host, const ActInput& input, ActReport& report)
      : program_(program), host_(host), input_(input), report_(report) {}

  // Fails with what kept a contract from being answered; how the contracts went is in end(). The
  // host is stopped in every case.
  Task<Result<void>> Go(AfterFailure after);

  // The worst of what was carried out.
  ActEnd end() const { return end_; }

 private:
  Task<Result<void>> RunContracts(CallContext ctx, AfterFailure after);
  Task<Result<void>> RunContract(CallContext ctx, const ActItem* item);
  Task<Result<void>> RunAsPlan(CallContext ctx);
  void OnNews(const engine::PlanNews& news);
  void SayPlan(const json::object& answer);
  const ActItem& StepItem(const StepId& step) const;
  void Note(ActEnd end);

  Program& program_;
  RuntimeHost& host_;
  const ActInput& input_;
  ActReport& report_;
  std::size_t done_ = 0;
  ActEnd end_ = ActEnd::kOk;
};

}  // namespace falconer::app
