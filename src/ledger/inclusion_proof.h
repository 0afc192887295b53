#pragma once
// The proof that one record is part of what a signed checkpoint covers, with everything that a
// verifier needs who has nothing but the public key.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/json/json.h"
#include "ledger/checkpoint.h"

namespace falconer::ledger {

struct InclusionProof {
  std::uint64_t seq = 0;
  std::string record;  // its bytes
  MerkleProof path;
  Checkpoint checkpoint;

  // {"seq","record" (hex),"record_hash","tree_size","root","proof":[hex],"checkpoint"}
  json::object ToJson() const;
};

// Proves record `seq` against the newest checkpoint of the chain. kNotFound when there is no such
// record or no checkpoint covers it yet; kLedgerDamaged when the chain cannot prove it.
Result<InclusionProof> ProveRecord(const std::filesystem::path& folder,
                                   const std::filesystem::path& archive, std::uint64_t seq,
                                   std::span<const PublicKey> keys);

}  // namespace falconer::ledger
