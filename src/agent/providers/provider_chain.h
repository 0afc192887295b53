#pragma once
// ProviderChain: several providers as one. Each is tried in turn: once more after what may pass,
// then the next. A provider that keeps failing is left alone for a while. On one event loop.

#include <memory>
#include <vector>

#include "agent/providers/provider.h"
#include "agent/providers/provider_breaker.h"
#include "agent/providers/retry_rule.h"

namespace falconer::agent {

struct ChainLimits {
  RetryLimits retry = {};
  ProviderBreakerLimits breaker = {};
};

class ProviderChain final : public Provider {
 public:
  // Asked in this order. The clock must outlive the chain.
  ProviderChain(Clock& clock, std::vector<std::unique_ptr<Provider>> providers,
                ChainLimits limits = {});
  ~ProviderChain() override;

  const std::string& name() const override { return name_; }
  bool empty() const { return links_.empty(); }
  // When one of them fits; else what the last one lacks.
  Result<void> Fits(const ChatRequest& request) const override;
  // The first answer that anybody gives, with every try in `attempts` and what those that failed
  // have cost in its own cost. Else the last failure, with
  // "attempts" in its details; kToolUnavailable when there is no provider at all.
  Task<Result<ProviderAnswer>> Ask(CallContext ctx, ChatRequest request, DeltaSink sink) override;

 private:
  struct Link {
    std::unique_ptr<Provider> provider;
    ProviderBreaker breaker;
  };
  // One question on its way through the chain.
  struct Asking;

  // The answer of this one, or nothing, with the reason in `asking`.
  Task<std::optional<ProviderAnswer>> AskLink(Asking* asking, Link* link);
  Task<Result<ProviderAnswer>> Try(Asking* asking, Link* link);
  Task<Result<void>> Pause(Asking* asking) const;
  void Judge(Asking& asking, Link& link, int tries, Error error) const;

  const std::string name_ = "chain";
  const ChainLimits limits_;
  std::vector<Link> links_;
};

}  // namespace falconer::agent
