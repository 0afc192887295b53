#include "engine/sent_contract.h"

#include <utility>

#include "engine/replay/record_fields.h"

namespace falconer::engine {
namespace {

std::string TextOr(const json::value& wire, std::string_view key) {
  return wire.is_object() ? TextAt(wire.get_object(), key) : std::string();
}

}  // namespace

SentContract::SentContract(Caller sender, json::value text)
    : caller(std::move(sender)),
      wire(std::move(text)),
      contract(model::ActionContract::FromJson(wire)),
      key{.tenant = caller.tenant, .workflow = WorkflowId(TextOr(wire, "workflow_id"))} {
  // What cannot be read still has a name on record.
  identity.digest = Sha256Hex(json::serialize(wire));
  identity.action_id = ActionId("act_" + identity.digest.substr(0, 24));
}

Result<void> SentContract::Identify() {
  TRY_ASSIGN(identity, contract->Identify());
  TRY_ASSIGN(const std::string bytes, contract->CanonicalBytes());
  digest = Sha256Of(std::string(model::kIdentityPrefix) + bytes);
  return {};
}

kernel::ActionName SentContract::Name() const {
  std::string scope = contract->workflow_id.value();
  if (contract->idempotency.scope == model::IdempotencyScope::kRun)
    scope += "/" + contract->run_id.value();
  return {.tenant = caller.tenant, .scope = std::move(scope), .digest = digest};
}

}  // namespace falconer::engine
