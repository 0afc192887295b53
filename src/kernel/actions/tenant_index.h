#pragma once
// TenantIndex: the index of a tenant's actions is complete before its first contract is looked up.
// It is written behind the ledger, also by other processes; what a crash kept from it is made up
// for here, at the start and whenever somebody else's workflow becomes ours.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/ids.h"
#include "store/control_store.h"

namespace falconer::kernel {

class TenantIndex {
 public:
  // The store must outlive this. `data` is the folder of the ledger.
  TenantIndex(Executor executor, store::ControlStore& store, std::filesystem::path data);

  // Waits until the index of the tenant is complete. kIoError, kLedgerDamaged, as the store fails,
  // and like ctx. After a failure the next caller tries again.
  Task<Result<void>> Ready(CallContext ctx, TenantId tenant);
  // Another process may have recorded what it never indexed: the next caller waits for a new look.
  void Forget(const TenantId& tenant) { tenants_.erase(tenant); }

 private:
  // One try that any number of callers wait for.
  struct Try {
    std::optional<Result<void>> outcome;
  };
  static Task<void> CatchUp(TenantIndex* self, TenantId tenant, std::shared_ptr<Try> attempt);

  store::ControlStore& store_;
  std::filesystem::path data_;
  std::map<TenantId, std::shared_ptr<Try>> tenants_;
  Notifier changes_;
  TaskScope tasks_;
};

}  // namespace falconer::kernel
