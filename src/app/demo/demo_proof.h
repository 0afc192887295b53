#pragma once
// What the demo proves at its end, from what is on disk: the record is whole and signed, it has the
// name of the secret and not its value, and every decision in it comes out the same again. All of
// it reads files, and is done aside. `chain` is the folder of a chain.

#include <cstdint>
#include <filesystem>
#include <string>

#include "api/tools/own_chain.h"
#include "engine/replay/replay_report.h"

namespace falconer::app {

// The number of records that were checked. kLedgerDamaged with what was found, and as
// OwnChain::Verify.
Result<std::uint64_t> ProveRecord(const api::OwnChain& chain);
// kPostconditionFailed when the value is anywhere in the record, or the name nowhere; kIoError.
Result<void> ProveSecretKept(const std::filesystem::path& chain, const std::string& name,
                             const std::string& value);
// How many turns and refusals of the run were evaluated again. kPostconditionFailed when one came
// out differently or lacks evidence; and as engine::ReplayNamed.
Result<std::size_t> ProveReplay(const std::filesystem::path& chain, const TenantId& tenant,
                                const std::string& run);

}  // namespace falconer::app
