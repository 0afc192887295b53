#pragma once
// A segment file: a header that says which stretch of which chain it holds, then records.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/ids.h"
#include "ledger/hasher.h"

namespace falconer::ledger {

struct SegmentHeader {
  TenantId tenant;
  std::uint64_t first_seq = 1;
  Sha256Digest previous{};  // the hash of the record before the first
};

// What the first record of a chain has in place of a previous hash. Made of the tenant, so that the
// chain of one cannot be shown as the chain of another.
Sha256Digest GenesisHash(const TenantId& tenant);

std::string EncodeSegmentHeader(const SegmentHeader& header);

struct ParsedHeader {
  SegmentHeader header;
  std::size_t bytes = 0;  // where the first record begins
};
// The header at the start of a segment. kLedgerDamaged naming what is wrong.
Result<ParsedHeader> ParseSegmentHeader(std::string_view content);

// kNotFound, kIoError or kLedgerDamaged, also for what is no plain file.
Result<SegmentHeader> LoadSegmentHeader(const std::filesystem::path& path);
// The whole file in one read; `from` skips that many bytes. Fails as LoadSegmentHeader does.
Result<std::string> LoadSegment(const std::filesystem::path& path, std::size_t from = 0);

}  // namespace falconer::ledger
