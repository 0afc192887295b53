#pragma once
// ActionPermit: an action that was counted against its tenant's quota. It counts for good once the
// turn was opened (Spend); letting go of it before gives it back.

#include <utility>

#include "store/quota_store.h"

namespace falconer::kernel {

class ActionPermit {
 public:
  ActionPermit() = default;
  // The store must outlive this.
  ActionPermit(store::QuotaStore& store, store::ActionTicket ticket)
      : store_(&store), ticket_(std::move(ticket)) {}
  ActionPermit(ActionPermit&& other) noexcept
      : store_(std::exchange(other.store_, nullptr)), ticket_(std::move(other.ticket_)) {}
  ActionPermit& operator=(ActionPermit&& other) noexcept {
    if (this == &other) return *this;
    GiveBack();
    store_ = std::exchange(other.store_, nullptr);
    ticket_ = std::move(other.ticket_);
    return *this;
  }
  ~ActionPermit() { GiveBack(); }

  // The turn was opened: the action counts, whatever comes of it.
  void Spend() { store_ = nullptr; }
  explicit operator bool() const { return store_ != nullptr; }

 private:
  void GiveBack() {
    if (auto* store = std::exchange(store_, nullptr)) store->PostReturnAction(std::move(ticket_));
  }

  store::QuotaStore* store_ = nullptr;
  store::ActionTicket ticket_;
};

}  // namespace falconer::kernel
