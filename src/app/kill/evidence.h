#pragma once
// Evidence: a copy of the whole ledger of every tenant, taken while others may go on writing it, in
// a folder of its own that can be checked anywhere:
//   falconer audit verify --set data.dir=<folder>
// A signed manifest names every file with its digest.

#include <filesystem>
#include <string>

#include "base/async/clock.h"
#include "base/json/json.h"
#include "ledger/signing_key.h"

namespace falconer::app {

struct EvidenceInput {
  std::filesystem::path data_folder;
  std::filesystem::path output;  // is made; must be empty if it is there
  std::string reason;
  std::string by;
};

// The answer: {"folder","manifest_sha256","files","bytes","chains":[{"tenant","records","last_seq",
// "findings"} or {"tenant","error"}]}. A chain that cannot be copied does not keep the others from
// it; "complete" says whether all were, without findings. kAlreadyExists for a folder that is not
// empty, kIoError.
Result<json::object> ExportEvidence(const EvidenceInput& input, const ledger::SigningKey& key,
                                    WallTime now);

// The manifest's name in the folder.
inline constexpr std::string_view kManifestName = "manifest.json";

}  // namespace falconer::app
