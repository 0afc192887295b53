#include "engine/action_engine.h"

#include <utility>

#include "engine/contract_run.h"

namespace falconer::engine {
namespace {

// The contract's own deadline is by the clock on the wall.
CallContext Bounded(const CallContext& ctx, const model::ActionContract& contract) {
  CallContext bounded = ctx.WithTimeout(contract.timeout.total);
  if (!contract.deadline) return bounded;
  const auto now = ctx.clock().WallNow().time_since_epoch();
  return bounded.WithTimeout(std::max<Duration>(*contract.deadline - now, Duration::zero()));
}

}  // namespace

Task<model::ActionExecutionResult> CarryOut(CallContext ctx, DriveKit* kit,
                                            const EngineInput* input) {
  ContractRun run(*kit, *input);
  const auto failure = co_await run.Go(Bounded(ctx, input->contract));
  co_return run.TakeResult(failure);
}

Task<model::VerificationReport> Reobserve(CallContext ctx, DriveKit* kit,
                                          const model::ActionContract* contract) {
  const model::DerivedGuards none;
  const EngineInput input{.contract = *contract, .guards = none, .before_effect = {}};
  ContractRun run(*kit, input);
  co_return co_await run.Look(ctx.WithTimeout(contract->timeout.verify));
}

}  // namespace falconer::engine
