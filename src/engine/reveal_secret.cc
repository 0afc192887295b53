#include "engine/reveal_secret.h"

#include <utility>

#include "engine/secret_desk.h"

namespace falconer::engine {
namespace {

Task<Result<std::string>> RevealOf(SecretDesk* desk, CallContext ctx, browser::SecretUse use) {
  std::string place = use.origin.empty() ? std::move(use.url) : std::move(use.origin);
  CO_TRY_ASSIGN(
      const policy::SecretText value,
      co_await desk->Resolve(std::move(ctx), {use.text.value, use.text.field}, std::move(place)));
  co_return std::string(value.Reveal());
}

}  // namespace

RevealSecret RevealFrom(SecretDesk* desk) {
  if (desk == nullptr) return {};
  return [desk](CallContext ctx, browser::SecretUse use) {
    return RevealOf(desk, std::move(ctx), std::move(use));
  };
}

}  // namespace falconer::engine
