#include "app/demo/demo_proof.h"

#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "base/file.h"
#include "engine/replay/replay.h"

namespace falconer::app {
namespace {

// The first decision that was not reproduced, in words.
std::string FirstDoubt(const engine::ReplayReport& report) {
  for (const engine::TurnReplay& turn : report.turns) {
    for (const engine::ReplayCheck& check : turn.checks) {
      if (check.status == engine::ReplayStatus::kReproduced) continue;
      return fmt::format("{}: {}: {}: {}", turn.Title(), check.decision,
                         NameIn(engine::kReplayStatuses, check.status), check.detail);
    }
  }
  return "nothing was found to replay";
}

}  // namespace

Result<std::uint64_t> ProveRecord(const api::OwnChain& chain) {
  TRY_ASSIGN(const ledger::VerifyReport report, chain.Verify());
  if (report.is_clean()) return report.records;
  return Fail(ErrorCode::kLedgerDamaged, json::serialize(report.ToJson()));
}

Result<void> ProveSecretKept(const std::filesystem::path& chain, const std::string& name,
                             const std::string& value) {
  const std::string reference = fmt::format(R"("secret":"{}")", name);
  bool has_name = false;
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(chain, failed)) {
    if (!file.is_regular_file(failed)) continue;
    TRY_ASSIGN(const std::string bytes, ReadFile(file.path()));
    has_name = has_name || bytes.contains(reference);
    if (bytes.contains(value)) {
      return Fail(ErrorCode::kPostconditionFailed,
                  "the value of a secret is in " + file.path().string());
    }
  }
  if (failed) return Fail(ErrorCode::kIoError, chain.string() + ": " + failed.message());
  if (has_name) return {};
  return Fail(ErrorCode::kPostconditionFailed, "the record does not name the secret");
}

Result<std::size_t> ProveReplay(const std::filesystem::path& chain, const TenantId& tenant,
                                const std::string& run) {
  TRY_ASSIGN(auto reader, ledger::ChainReader::Open(chain));
  const engine::EvidenceQuestion all{.id = run, .limit = std::numeric_limits<std::size_t>::max()};
  TRY_ASSIGN(const auto report, engine::ReplayNamed(reader, tenant, all));
  if (report.status() == engine::ReplayStatus::kReproduced && !report.turns.empty())
    return report.turns.size();
  return Fail(ErrorCode::kPostconditionFailed, FirstDoubt(report));
}

}  // namespace falconer::app
