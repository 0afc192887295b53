#include "kernel/actions/tenant_index.h"

#include <utility>

#include "ledger/action_catch_up.h"
#include "ledger/chain_paths.h"

namespace falconer::kernel {

TenantIndex::TenantIndex(Executor executor, store::ControlStore& store, std::filesystem::path data)
    : store_(store), data_(std::move(data)), tasks_(std::move(executor)) {
}

Task<Result<void>> TenantIndex::Ready(CallContext ctx, TenantId tenant) {
  std::shared_ptr<Try> attempt = tenants_[tenant];
  if (!attempt) {
    tenants_[tenant] = attempt = std::make_shared<Try>();
    tasks_.Spawn("index.catch_up", CatchUp(this, tenant, attempt));
  }
  CO_TRY(co_await changes_.Until(
      std::move(ctx), [&attempt] { return attempt->outcome.has_value(); }, "the index of actions"));
  co_return *attempt->outcome;
}

Task<void> TenantIndex::CatchUp(TenantIndex* self, TenantId tenant, std::shared_ptr<Try> attempt) {
  const auto paths = ledger::ChainPaths::Of(self->data_, tenant);
  const auto done = co_await ledger::CatchUpActions(&self->store_, paths.folder, tenant);
  const auto newest = self->tenants_.find(tenant);
  if (!done && newest != self->tenants_.end() && newest->second == attempt)
    self->tenants_.erase(newest);
  attempt->outcome = done ? Result<void>() : std::unexpected(done.error());
  self->changes_.NotifyAll();
}

}  // namespace falconer::kernel
