#pragma once
// Offline verification of a chain, with nothing but its files and a public key. Finds bytes that
// were changed, records that were swapped, dropped, inserted or cut off, a log that was rewritten
// without the key, forks and rollbacks (docs/ledger.md says what is found by what).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "ledger/checkpoint.h"
#include "store/chain_head.h"

namespace falconer::ledger {

enum class FindingKind {
  kBadFraming,               // bytes that are no record, or no segment
  kRecordHashMismatch,       // a record was changed
  kChainLinkMismatch,        // a record does not follow the one before it
  kRecordSignatureMismatch,  // the records are not those that were signed, or a signature is wrong
  kTruncated,                // records that were signed are gone
  kFork,                     // another history was shown to somebody else
  kRollback,                 // somebody saw more records than there are
  kMissingSegment,           // records between others, or before all others, are gone
  kWrongTenant,              // a segment or checkpoint of another chain
  kUnsigned,                 // records that no checkpoint covers, in a chain that nobody writes
};

std::string_view FindingName(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::kBadFraming;
  std::uint64_t seq = 0;  // the record, or the size of the checkpoint
  std::string file;
  std::uint64_t offset = 0;
  std::string detail;

  json::object ToJson() const;
};

// Whether records behind the last checkpoint are a finding. They are there after a crash, until the
// chain is opened again. While somebody writes the chain they never are.
enum class UnsignedTail { kFinding, kAllowed };

struct VerifyInput {
  std::filesystem::path folder;
  // Whose chain it should be; not checked when empty.
  std::optional<TenantId> tenant;
  // Keys that may have signed.
  std::vector<PublicKey> keys;
  // Where archived segments are; may be empty.
  std::filesystem::path archive;
  // Verify only what came after this one, which the caller trusts.
  std::optional<Checkpoint> since;
  // Checkpoints that the auditor kept from earlier: the chain must still agree with them.
  std::vector<Checkpoint> witnesses;
  // What the control store remembers.
  std::optional<store::ChainHead> head;
  UnsignedTail unsigned_tail = UnsignedTail::kFinding;
  std::size_t max_findings = 100;
};

struct VerifyReport {
  TenantId tenant;
  std::uint64_t first_seq = 0;  // the first record that was checked; 0 when there was none
  std::uint64_t last_seq = 0;
  std::uint64_t records = 0;      // that were checked
  std::uint64_t signed_size = 0;  // covered by the last checkpoint that holds
  std::uint64_t checkpoints = 0;
  Sha256Digest head{};
  // Empty when it could not be computed, because earlier records are not there.
  std::optional<Sha256Digest> root;
  std::vector<Finding> findings;

  bool is_clean() const { return findings.empty(); }
  json::object ToJson() const;
};

// kNotFound when there is no such folder, kIoError; what is wrong with the chain is in the report.
Result<VerifyReport> VerifyChain(const VerifyInput& input);

}  // namespace falconer::ledger
