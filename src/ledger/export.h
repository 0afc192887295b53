#pragma once
// Export of records to a file for people and other tools, with metadata that is signed: what was
// asked for, how many records there are, whether the chain was found valid, and the digest of the
// file.

#include <filesystem>

#include "base/async/clock.h"
#include "base/json/json_reader.h"
#include "ledger/reader.h"
#include "ledger/signing_key.h"
#include "ledger/verifier.h"

namespace falconer::ledger {

enum class ExportFormat {
  kJson,  // one record per line, as RecordToJson, in canonical form
  kCsv,   // a header line; the payload is the last column
};

inline constexpr EnumName<ExportFormat> kExportFormats[] = {{ExportFormat::kJson, "json"},
                                                            {ExportFormat::kCsv, "csv"}};

struct ExportInput {
  VerifyInput chain;
  RecordFilter filter;
  ExportFormat format = ExportFormat::kJson;
  std::filesystem::path output;
};

// Verifies the chain, writes the file, and `output` + ".meta.json" beside it. Returns the metadata:
// {"exportedAt","tenant","filter","format","count","chainValid","findings","sha256"}. kIoError,
// kNotFound, kLedgerDamaged when a record cannot be read.
Result<json::object> ExportRecords(const ExportInput& input, const SigningKey& key, WallTime now);

}  // namespace falconer::ledger
