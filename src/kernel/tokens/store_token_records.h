#pragma once
// The store's records about tokens, as policy asks for them.

#include <utility>

#include "policy/tokens/token_records.h"
#include "store/token_store.h"

namespace falconer::kernel {

class StoreTokenRecords final : public policy::TokenRecords {
 public:
  // The store must outlive this.
  explicit StoreTokenRecords(store::TokenStore& store) : store_(store) {}

  Task<Result<model::TokenStanding>> StandingOf(model::TokenName token) override {
    return store_.FindStanding(std::move(token));
  }
  Task<Result<model::UseOutcome>> Consume(model::TokenUse use) override {
    return store_.UseToken(std::move(use));
  }

 private:
  store::TokenStore& store_;
};

}  // namespace falconer::kernel
