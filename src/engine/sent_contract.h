#pragma once
// SentContract: one contract as a caller sent it, and what is known of it on its way.

#include <memory>
#include <string>

#include "engine/runtime.h"
#include "model/contract/contract.h"

namespace falconer::engine {

struct SentContract {
  SentContract(Caller sender, json::value text);

  // Finds the names of a contract that could be read.
  Result<void> Identify();
  // By which it is known when it comes again. For a contract that could be read.
  kernel::ActionName Name() const;

  Caller caller;
  json::value wire;
  Result<model::ActionContract> contract;
  model::ContractIdentity identity;
  Sha256Digest digest{};
  // Whose workflow it is about.
  browser::SessionKey key;
  // Null until it is there.
  std::shared_ptr<WorkflowSession> session;
  // Where the turn happens, as its gates were told.
  std::string page_url;
  kernel::Admission admission;
};

}  // namespace falconer::engine
