#pragma once
// What the audit commands have in common: which folder, chain, keys and records the words mean.

#include <optional>
#include <vector>

#include "app/command.h"
#include "ledger/reader.h"
#include "ledger/verifier.h"

namespace falconer::app {

struct AuditChain {
  std::filesystem::path data_folder;
  TenantId tenant;
  ledger::ChainPaths paths;
};

// The chains in the data folder; those of --tenant when it is given. kInvalidSetting, kIoError;
// kNotFound when the tenant has no chain.
Result<std::vector<AuditChain>> ChainsOf(const Arguments& arguments);
// The same in another data folder; `only` is a tenant, or empty for all.
Result<std::vector<AuditChain>> ChainsIn(const std::filesystem::path& data,
                                         const std::string& only);
// The one chain that is meant. kInvalidArgument when there are several to choose from.
Result<AuditChain> ChainOf(const Arguments& arguments);

// --key, or the key in the data folder.
Result<std::vector<ledger::PublicKey>> KeysOf(const Arguments& arguments,
                                              const std::filesystem::path& data_folder);
// Everything that `audit verify` holds against the chain: keys, kept checkpoints, the control
// store.
Result<ledger::VerifyInput> VerifyInputOf(const Arguments& arguments, const AuditChain& chain);

// The options that choose records. kInvalidArgument naming the option.
Result<ledger::RecordFilter> FilterOf(const Arguments& arguments);

}  // namespace falconer::app
