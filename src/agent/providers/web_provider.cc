#include "agent/providers/web_provider.h"

#include <algorithm>
#include <utility>

#include "agent/providers/failed_bill.h"
#include "agent/providers/provider_call.h"
#include "agent/providers/provider_error.h"

namespace falconer::agent {
namespace {

// A header ends where a line does: what holds one is no key.
bool IsHeaderText(std::string_view text) {
  constexpr char kFirstPrintable = 0x20;
  constexpr char kDelete = 0x7F;
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c >= kFirstPrintable && c != kDelete; });
}

AssistantMessage SaidMessage(const AssistantAction& action) {
  if (const auto* calls = std::get_if<ToolCalls>(&action))
    return {.text = calls->text, .calls = calls->calls};
  return {.text = std::get<Respond>(action).text};
}

// A budget must hold with a provider that does not count, too.
TokenUsage EstimatedUsage(const ChatRequest& request, const ProviderAnswer& answer) {
  ChatRequest said;
  said.messages.emplace_back(SaidMessage(answer.action));
  return {.input = static_cast<std::int64_t>(EstimateRequestTokens(request)),
          .output = static_cast<std::int64_t>(EstimateRequestTokens(said)),
          .is_estimated = true};
}

}  // namespace

WebProvider::WebProvider(ProviderSpec spec, KeySource keys)
    : spec_(std::move(spec)), keys_(std::move(keys)) {
}

Result<void> WebProvider::Fits(const ChatRequest& request) const {
  constexpr auto kCode = ErrorCode::kUnsupported;
  if (!spec_.sees && HasImages(request))
    return Fail(kCode, "provider " + spec_.name + " sees no pictures");
  if (!spec_.calls_tools && !request.tools.empty())
    return Fail(kCode, "provider " + spec_.name + " calls no tools");
  if (spec_.context == 0) return {};
  const auto wanted =
      static_cast<std::int64_t>(EstimateRequestTokens(request)) + request.max_tokens;
  if (wanted <= spec_.context) return {};
  return Fail(kCode, "provider " + spec_.name + " holds " + std::to_string(spec_.context) +
                         " tokens, about " + std::to_string(wanted) + " are needed");
}

Task<Result<net::HttpHeaders>> WebProvider::HeadersFor(CallContext ctx) {
  const Dialect& dialect = DialectOf(spec_.kind);
  if (!spec_.key) co_return dialect.Headers("");
  if (!keys_) {
    co_return Fail(
        ProviderFailure(ProviderFault::kBlocked, "there are no secrets to take a key from"));
  }
  CO_TRY_ASSIGN(const policy::SecretText key, co_await keys_(ctx, *spec_.key, spec_.url));
  if (IsHeaderText(key.Reveal())) co_return dialect.Headers(key.Reveal());
  co_return Fail(ProviderFailure(ProviderFault::kBlocked,
                                 "the secret " + spec_.key->name + " cannot be a key",
                                 "key_refused"));
}

Task<Result<ProviderAnswer>> WebProvider::Ask(CallContext ctx, ChatRequest request,
                                              DeltaSink sink) {
  CO_TRY(Fits(request));
  const CallContext own = ctx.WithTimeout(spec_.timeout);
  CO_TRY_ASSIGN(net::HttpHeaders headers, co_await HeadersFor(own));
  if (request.delivery == Delivery::kWhole) sink = {};
  std::string body = json::serialize(DialectOf(spec_.kind).Body(request, spec_));
  ProviderCall call(own, spec_, std::move(sink));
  auto answer = co_await call.Run(std::move(body), std::move(headers));
  if (!answer) {
    const FailedBill bill{call.usage(), CostMicros(spec_.price, call.usage())};
    co_return Fail(WithBill(std::move(answer).error(), bill));
  }
  TokenUsage& usage = answer->usage;
  if (usage.input + usage.output == 0) usage = EstimatedUsage(request, *answer);
  answer->cost_micros = CostMicros(spec_.price, usage);
  co_return answer;
}

}  // namespace falconer::agent
