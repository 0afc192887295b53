#include "agent/providers/key_source.h"

#include <utility>

#include "engine/secret_desk.h"

namespace falconer::agent {
namespace {

Task<Result<policy::SecretText>> AskDesk(engine::SecretDesk* desk, CallContext ctx,
                                         policy::SecretReference reference, std::string url) {
  engine::SecretAsk ask{.reference = std::move(reference), .url = std::move(url)};
  return desk->Resolve(std::move(ctx), std::move(ask));
}

}  // namespace

KeySource KeysFrom(engine::SecretDesk* desk) {
  return [desk](CallContext ctx, policy::SecretReference reference, std::string url) {
    return AskDesk(desk, std::move(ctx), std::move(reference), std::move(url));
  };
}

}  // namespace falconer::agent
