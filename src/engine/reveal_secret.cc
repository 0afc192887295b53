#include "engine/reveal_secret.h"

#include <utility>

#include "engine/secret_desk.h"

namespace falconer::engine {
namespace {

Task<Result<std::string>> RevealOf(SecretDesk* desk, CallContext ctx, SecretAsk ask) {
  CO_TRY_ASSIGN(const policy::SecretText value,
                co_await desk->Resolve(std::move(ctx), std::move(ask)));
  co_return std::string(value.Reveal());
}

}  // namespace

RevealSecret RevealFrom(SecretDesk* desk, std::string agent) {
  if (desk == nullptr) return {};
  return [desk, agent = std::move(agent)](CallContext ctx, browser::SecretUse use,
                                          policy::SecretPurpose purpose) {
    return RevealOf(desk, std::move(ctx),
                    {.reference = {use.text.value, use.text.field},
                     .url = std::move(use.url),
                     .origin = std::move(use.origin),
                     .agent = agent,
                     .purpose = purpose,
                     .field = std::move(use.field)});
  };
}

}  // namespace falconer::engine
