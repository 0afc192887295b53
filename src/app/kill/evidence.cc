#include "app/kill/evidence.h"

#include "app/kill/evidence_copy.h"
#include "base/file.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "ledger/archive.h"
#include "ledger/chain_lock.h"
#include "ledger/signed_json.h"
#include "ledger/verifier.h"

namespace falconer::app {
namespace {

namespace fs = std::filesystem;

constexpr auto kLockPatience = std::chrono::seconds(10);

// Where a chain is: here, and in the copy.
struct ChainCopy {
  TenantId tenant;
  ledger::ChainPaths paths;
  fs::path relative;
};

bool IsLockFile(const fs::path& path) {
  return path.filename().string().starts_with("lock");
}

Result<void> CopyMissing(const ChainCopy& chain, EvidenceCopy& copy) {
  std::error_code failed;
  for (fs::directory_iterator at(chain.paths.folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    std::error_code gone;
    const fs::path relative = chain.relative / at->path().filename();
    if (IsLockFile(at->path()) || !at->is_regular_file(gone) || copy.Has(relative)) continue;
    TRY(copy.Add(at->path(), relative));
  }
  if (!failed) return {};
  return Fail(ErrorCode::kIoError,
              "cannot list " + chain.paths.folder.string() + ": " + failed.message());
}

// Segments that are closed never change. There may be many: nobody waits while they are copied.
Result<void> CopyClosed(const ChainCopy& chain, EvidenceCopy& copy) {
  TRY_ASSIGN(const auto segments, ledger::ListSegments(chain.paths.folder));
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    TRY(copy.Add(segments[i].path, chain.relative / segments[i].path.filename()));
  }
  return {};
}

// Back to where they were, so that the copy is whole by itself.
Result<void> CopyArchived(const ChainCopy& chain, const ledger::PublicKey& key,
                          EvidenceCopy& copy) {
  TRY_ASSIGN(const auto rows, ledger::ListArchived(chain.paths.folder, std::span(&key, 1)));
  for (const ledger::ArchivedSegment& row : rows) {
    TRY(copy.Add(row.folder / row.file, chain.relative / row.file));
  }
  return {};
}

// What is written now is copied while nobody else writes.
Result<void> CopyChain(const ChainCopy& chain, const ledger::PublicKey& key, EvidenceCopy& copy) {
  TRY(CopyClosed(chain, copy));
  {
    TRY_ASSIGN(const ledger::ChainLock lock, ledger::ChainLock::Open(chain.paths));
    TRY_ASSIGN(const ledger::ChainLock::Turn turn, lock.Take(kLockPatience));
    TRY(CopyMissing(chain, copy));
  }
  return CopyArchived(chain, key, copy);
}

Result<json::object> CopyAndCheck(const ChainCopy& chain, const ledger::PublicKey& key,
                                  EvidenceCopy& copy) {
  TRY(CopyChain(chain, key, copy));
  // Others may have written since the last checkpoint.
  TRY_ASSIGN(const auto report,
             ledger::VerifyChain({.folder = copy.folder() / chain.relative,
                                  .tenant = chain.tenant,
                                  .keys = {key},
                                  .unsigned_tail = ledger::UnsignedTail::kAllowed}));
  return json::object{{"tenant", chain.tenant.value()}, {"records", report.records},
                      {"last_seq", report.last_seq},    {"signed", report.signed_size},
                      {"head", ToHex(report.head)},     {"findings", report.findings.size()}};
}

json::array FilesJson(const EvidenceCopy& copy) {
  json::array out;
  for (const CopiedFile& file : copy.files()) {
    out.push_back(
        json::object{{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  }
  return out;
}

bool IsWhole(const json::array& chains) {
  return std::ranges::all_of(chains, [](const json::value& chain) {
    const json::value* findings = chain.as_object().if_contains("findings");
    return findings != nullptr && findings->to_number<std::uint64_t>() == 0;
  });
}

std::uint64_t BytesOf(const EvidenceCopy& copy) {
  std::uint64_t bytes = 0;
  for (const CopiedFile& file : copy.files()) bytes += file.bytes;
  return bytes;
}

// The digest of the manifest.
Result<std::string> WriteManifest(const EvidenceInput& input, const EvidenceCopy& copy,
                                  const json::array& chains, const ledger::SigningKey& key,
                                  WallTime now) {
  const auto now_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  TRY_ASSIGN(const std::string text, ledger::SignJson({{"exported_at", now_ms},
                                                       {"reason", input.reason},
                                                       {"by", input.by},
                                                       {"chains", chains},
                                                       {"files", FilesJson(copy)}},
                                                      key));
  TRY(WriteFileAtomic(copy.folder() / kManifestName, text + "\n"));
  return Sha256Hex(text + "\n");
}

}  // namespace

Result<json::object> ExportEvidence(const EvidenceInput& input, const ledger::SigningKey& key,
                                    WallTime now) {
  TRY_ASSIGN(const auto tenants, ledger::ListChains(input.data_folder));
  TRY_ASSIGN(EvidenceCopy copy, EvidenceCopy::Create(input.output));
  const fs::path public_key = ledger::SigningKey::PublicKeyPath(input.data_folder);
  TRY(copy.Add(public_key, public_key.lexically_relative(input.data_folder)));
  json::array chains;
  for (const TenantId& tenant : tenants) {
    const auto paths = ledger::ChainPaths::Of(input.data_folder, tenant);
    const ChainCopy chain{tenant, paths, paths.folder.lexically_relative(input.data_folder)};
    auto copied = CopyAndCheck(chain, key.public_key(), copy);
    chains.push_back(
        copied ? *std::move(copied)
               : json::object{{"tenant", tenant.value()}, {"error", copied.error().ToJson()}});
  }
  TRY_ASSIGN(const std::string digest, WriteManifest(input, copy, chains, key, now));
  const bool is_whole = IsWhole(chains);
  return json::object{{"folder", copy.folder().string()},
                      {"manifest_sha256", digest},
                      {"files", copy.files().size()},
                      {"bytes", BytesOf(copy)},
                      {"complete", is_whole},
                      {"chains", std::move(chains)}};
}

}  // namespace falconer::app
