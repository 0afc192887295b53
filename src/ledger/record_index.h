#pragma once
// RecordIndex: where each record of a segment begins, and its hash. Kept beside the segment so that
// a record is found without reading the others; it can always be made anew from the segment, and
// nothing that matters is believed because it says so.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"

namespace falconer::ledger {

struct IndexEntry {
  std::uint64_t offset = 0;
  Sha256Digest hash{};
};

// The bytes of one entry in the sidecar file.
std::string EncodeIndexEntry(const IndexEntry& entry);
std::string EncodeIndex(const std::vector<IndexEntry>& entries);
// How long the sidecar of so many records is.
std::uint64_t IndexBytes(std::size_t records);

// The index of a segment: from the sidecar as far as it makes sense, and from the segment's own
// bytes for the rest. Stops before bytes that are no record. kNotFound, kIoError, or kLedgerDamaged
// when the segment's header is wrong.
Result<std::vector<IndexEntry>> LoadIndex(const std::filesystem::path& segment);

}  // namespace falconer::ledger
