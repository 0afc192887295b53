#include "kernel/gates/capacity_gate.h"

#include <fmt/format.h>
#include <utility>

#include "base/check.h"

namespace falconer::kernel {
namespace {

Verdict Refuse(LoadRefusal refusal, const LoadNumbers& numbers, const TenantId& tenant) {
  const std::string reason(NameIn(kLoadRefusals, refusal));
  Error error(ErrorCode::kQueueFull,
              fmt::format("{} turns run, {} of them for tenant {}, {} wait", numbers.running,
                          numbers.running_of_tenant, tenant.value(), numbers.queued),
              {{"running", numbers.running},
               {"running_of_tenant", numbers.running_of_tenant},
               {"queued", numbers.queued}});
  if (refusal == LoadRefusal::kQueue) return Verdict::Reject(reason, std::move(error));
  return Verdict::Defer(reason, numbers.RetryAfter(), std::move(error));
}

Verdict Judge(const LoadNumbers& numbers, const TenantId& tenant) {
  const std::optional<LoadRefusal> why_not = numbers.WhyNot();
  if (!why_not) return Verdict::Admit("capacity_available");
  const bool is_overrun = numbers.queued >= numbers.limits.queued;
  return Refuse(is_overrun ? LoadRefusal::kQueue : *why_not, numbers, tenant);
}

}  // namespace

Verdict VerdictOf(const LoadNumbers& numbers, const TenantId& tenant) {
  Verdict verdict = Judge(numbers, tenant);
  verdict.facts = numbers.ToJson();
  return verdict;
}

Task<Verdict> CapacityGate::Check(CallContext /*ctx*/, const GateInput* input) {
  Verdict verdict = VerdictOf(meter_.NumbersFor(input->tenant), input->tenant);
  if (!verdict.is_admit()) co_return verdict;
  auto place = meter_.TryRun(input->tenant);
  CHECK(place, "a place that is free can be taken");
  if (input->admission != nullptr) input->admission->place = *std::move(place);
  co_return verdict;
}

}  // namespace falconer::kernel
