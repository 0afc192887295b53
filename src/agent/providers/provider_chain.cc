#include "agent/providers/provider_chain.h"

#include <optional>
#include <utility>

#include "agent/providers/failed_bill.h"
#include "base/log.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kSuccess = "success";

// Also who is torn down half way gives the probe back.
struct Entered {
  ProviderBreaker* breaker;
  ~Entered() { breaker->EndProbe(); }
};

std::int64_t WholeMilliseconds(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace

struct ProviderChain::Asking {
  CallContext ctx;
  ChatRequest request;
  DeltaSink sink;
  std::vector<ProviderAttempt> attempts = {};
  Duration backoff{0};    // before the next try
  FailedBill spent = {};  // for nothing
  std::optional<Error> failure = {};
  RetryDecision decision = RetryDecision::kNone;

  // The last failure, with all that was tried.
  Error Failure() const {
    if (!failure) return {ErrorCode::kToolUnavailable, "no provider is set up: agent.providers"};
    json::object details = failure->details();
    json::array tried;
    for (const ProviderAttempt& attempt : attempts) tried.push_back(ToJson(attempt));
    if (!tried.empty()) details["attempts"] = std::move(tried);
    return {failure->code(), failure->message(), std::move(details)};
  }
};

ProviderChain::ProviderChain(Clock& clock, std::vector<std::unique_ptr<Provider>> providers,
                             ChainLimits limits)
    : limits_(limits) {
  for (auto& provider : providers)
    links_.push_back({std::move(provider), ProviderBreaker(clock, limits.breaker)});
}

ProviderChain::~ProviderChain() = default;

Result<void> ProviderChain::Fits(const ChatRequest& request) const {
  Result<void> last = Fail(ErrorCode::kToolUnavailable, "no provider is set up: agent.providers");
  for (const Link& link : links_) {
    last = link.provider->Fits(request);
    if (last) break;
  }
  return last;
}

Task<Result<void>> ProviderChain::Pause(Asking* asking) const {
  const CallContext& ctx = asking->ctx;
  if (asking->backoff > Duration::zero()) {
    Alarm alarm(ctx.executor(), ctx.clock());
    // Nobody signals it: it ends by its time, or by the caller's word.
    const auto over =
        co_await ctx.WithTimeout(asking->backoff).Wait(&alarm, "the provider's pause");
    if (over) co_return over;
  }
  co_return ctx.StillWanted("ask a provider");
}

Task<Result<ProviderAnswer>> ProviderChain::Try(Asking* asking, Link* link) {
  CO_TRY(co_await Pause(asking));
  if (!asking->attempts.empty() && asking->sink) asking->sink(RestartDelta{link->provider->name()});
  co_return co_await link->provider->Ask(asking->ctx, asking->request, asking->sink);
}

void ProviderChain::Judge(Asking& asking, Link& link, int tries, Error error) const {
  const bool is_off = asking.ctx.cancel().is_cancelled();
  const bool is_over = !asking.ctx.StillWanted("ask a provider");
  const ProviderFault fault = is_off ? ProviderFault::kCancelled : FaultOf(error);
  // Who had too little time himself says nothing about the provider.
  if (!is_over && CountsAgainst(fault)) link.breaker.NoteDown();
  asking.decision = DecideRetry(error, tries, limits_.retry);
  if (asking.decision == RetryDecision::kRetry && link.breaker.is_open())
    asking.decision = RetryDecision::kProviderSwitch;
  // Whatever the class: without time, or when it is off, nobody is asked again.
  if (is_over) asking.decision = RetryDecision::kStop;
  const bool waits = asking.decision == RetryDecision::kRetry;
  asking.backoff = waits ? Duration(BackoffFor(error, limits_.retry)) : Duration::zero();
  ProviderAttempt& attempt = asking.attempts.back();
  attempt.outcome = NameIn(kProviderFaults, fault);
  attempt.error = error.name();
  attempt.decision = asking.decision;
  LOG(warn, "provider.failed", {"provider", attempt.provider}, {"class", attempt.outcome},
      {"code", attempt.error}, {"decision", NameIn(kRetryDecisions, attempt.decision)},
      {"ms", WholeMilliseconds(attempt.took)});
  if (link.breaker.is_open()) LOG(warn, "provider.circuit_open", {"provider", attempt.provider});
  asking.spent.Add(BillOf(error));
  asking.failure = std::move(error);
}

Task<std::optional<ProviderAnswer>> ProviderChain::AskLink(Asking* asking, Link* link) {
  for (int tries = 1; tries <= limits_.retry.tries; ++tries) {
    if (const auto entered = link->breaker.Enter(); !entered) {
      asking->failure = entered.error();
      co_return std::nullopt;
    }
    const Entered inside{&link->breaker};
    const TimePoint begun = asking->ctx.clock().Now();
    const Duration backoff = asking->backoff;
    auto answer = co_await Try(asking, link);
    asking->attempts.push_back({.provider = link->provider->name(),
                                .outcome = std::string(kSuccess),
                                .took = asking->ctx.clock().Now() - begun - backoff,
                                .backoff = backoff});
    if (answer) {
      link->breaker.NoteUp();
      co_return *std::move(answer);
    }
    Judge(*asking, *link, tries, std::move(answer).error());
    if (asking->decision != RetryDecision::kRetry) break;
  }
  co_return std::nullopt;
}

Task<Result<ProviderAnswer>> ProviderChain::Ask(CallContext ctx, ChatRequest request,
                                                DeltaSink sink) {
  Asking asking{.ctx = std::move(ctx), .request = std::move(request), .sink = std::move(sink)};
  for (Link& link : links_) {
    if (const auto fits = link.provider->Fits(asking.request); !fits) {
      // What somebody who was asked said matters more.
      if (!asking.failure) asking.failure = fits.error();
      continue;
    }
    asking.backoff = Duration::zero();
    if (auto answer = co_await AskLink(&asking, &link)) {
      answer->attempts = std::move(asking.attempts);
      asking.spent.AddTo(*answer);
      co_return *std::move(answer);
    }
    if (asking.decision == RetryDecision::kStop) break;
  }
  co_return Fail(asking.Failure());
}

}  // namespace falconer::agent
