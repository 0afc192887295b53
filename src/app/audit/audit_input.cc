#include "app/audit/audit_input.h"

#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "app/desk/option_values.h"
#include "base/file.h"
#include "store/sqlite/head_table.h"

namespace falconer::app {
namespace {

constexpr std::chrono::milliseconds kStorePatience = std::chrono::seconds(2);

struct TextRow {
  std::string Arguments::* given;
  std::optional<std::string> ledger::RecordFilter::* wanted;
};

constexpr TextRow kTexts[] = {
    {&Arguments::agent, &ledger::RecordFilter::agent},
    {&Arguments::session, &ledger::RecordFilter::session},
    {&Arguments::plan, &ledger::RecordFilter::plan},
    {&Arguments::run, &ledger::RecordFilter::run},
    {&Arguments::workflow, &ledger::RecordFilter::workflow},
    {&Arguments::action, &ledger::RecordFilter::action},
};

Result<std::filesystem::path> DataFolderOf(const Arguments& arguments) {
  TRY_ASSIGN(const SettingsInput input, SettingsInputFrom(arguments));
  TRY_ASSIGN(const LoadedSettings settings, LoadSettings(input));
  return settings.values.data.dir;
}

std::string TenantsInWords(const std::set<TenantId>& tenants) {
  if (tenants.empty()) return "is no chain yet";
  std::vector<std::string> names;
  for (const TenantId& tenant : tenants) names.push_back(ledger::EncodeTenant(tenant.value()));
  return fmt::format("{}: {}", names.size() == 1 ? "is that of" : "are those of",
                     fmt::join(names, ", "));
}

std::string NamesOf(const std::vector<AuditChain>& chains) {
  std::string names;
  for (const AuditChain& chain : chains) {
    names += (names.empty() ? "" : ", ") + ledger::EncodeTenant(chain.tenant.value());
  }
  return names;
}

Result<ledger::Checkpoint> LoadCheckpoint(const std::filesystem::path& path) {
  TRY_ASSIGN(const std::string text, ReadFile(path));
  auto checkpoint = ledger::ParseCheckpoint(text);
  if (!checkpoint) return Fail(std::move(checkpoint).error().In(path.string()));
  return checkpoint;
}

// Only read: an audit must not change what it looks at. Null when there is none.
Result<std::unique_ptr<store::Database>> OpenStore(const std::filesystem::path& data_folder) {
  const std::filesystem::path path = data_folder / "control.db";
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return nullptr;
  return store::Database::Open(path, store::Database::Access::kRead, kStorePatience);
}

Result<std::optional<store::ChainHead>> StoredHead(const AuditChain& chain) {
  TRY_ASSIGN(const auto database, OpenStore(chain.data_folder));
  if (!database) return std::optional<store::ChainHead>();
  return store::GetHead(*database, chain.tenant.value());
}

// Those that are there, and those that the store knows of: a chain that is gone is not forgotten.
Result<std::set<TenantId>> TenantsOf(const std::filesystem::path& data) {
  TRY_ASSIGN(const std::vector<TenantId> there, ledger::ListChains(data));
  std::set<TenantId> tenants(there.begin(), there.end());
  TRY_ASSIGN(const auto database, OpenStore(data));
  if (!database) return tenants;
  TRY_ASSIGN(const std::vector<std::string> known, store::ListHeads(*database));
  for (const std::string& tenant : known) tenants.emplace(tenant);
  return tenants;
}

}  // namespace

Result<std::vector<AuditChain>> ChainsOf(const Arguments& arguments) {
  TRY_ASSIGN(const std::filesystem::path data, DataFolderOf(arguments));
  return ChainsIn(data, arguments.tenant);
}

Result<std::vector<AuditChain>> ChainsIn(const std::filesystem::path& data,
                                         const std::string& only) {
  TRY_ASSIGN(const std::set<TenantId> tenants, TenantsOf(data));
  std::vector<AuditChain> chains;
  for (const TenantId& tenant : tenants) {
    if (!only.empty() && tenant.value() != only) continue;
    chains.push_back({data, tenant, ledger::ChainPaths::Of(data, tenant)});
  }
  if (chains.empty() && !only.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("tenant {} has no chain in {}; there {}", only,
                            (data / "ledger").string(), TenantsInWords(tenants)));
  }
  return chains;
}

Result<AuditChain> ChainOf(const Arguments& arguments) {
  TRY_ASSIGN(std::vector<AuditChain> chains, ChainsOf(arguments));
  if (chains.size() == 1) return std::move(chains.front());
  if (chains.empty()) return Fail(ErrorCode::kNotFound, "the data folder has no ledger yet");
  return Fail(ErrorCode::kInvalidArgument,
              "--tenant: there are several chains, say which: " + NamesOf(chains));
}

Result<std::vector<ledger::PublicKey>> KeysOf(const Arguments& arguments,
                                              const std::filesystem::path& data_folder) {
  const auto path =
      arguments.key.empty() ? ledger::SigningKey::PublicKeyPath(data_folder) : arguments.key;
  auto key = ledger::PublicKey::Load(path);
  if (key) return std::vector<ledger::PublicKey>{*std::move(key)};
  return Fail(arguments.key.empty() ? AboutKey(key.error(), kLedgerKey) : key.error());
}

Result<ledger::VerifyInput> VerifyInputOf(const Arguments& arguments, const AuditChain& chain) {
  ledger::VerifyInput input{
      .folder = chain.paths.folder, .tenant = chain.tenant, .archive = arguments.archive};
  if (arguments.allows_unsigned) input.unsigned_tail = ledger::UnsignedTail::kAllowed;
  TRY_ASSIGN(input.keys, KeysOf(arguments, chain.data_folder));
  TRY_ASSIGN(input.head, StoredHead(chain));
  if (!arguments.checkpoint.empty()) {
    TRY_ASSIGN(ledger::Checkpoint kept, LoadCheckpoint(arguments.checkpoint));
    input.witnesses.push_back(std::move(kept));
  }
  if (!arguments.since.empty()) {
    TRY_ASSIGN(input.since, LoadCheckpoint(arguments.since));
  }
  return input;
}

Result<ledger::RecordFilter> FilterOf(const Arguments& arguments) {
  ledger::RecordFilter filter;
  for (const TextRow& row : kTexts) {
    const std::string& given = arguments.*row.given;
    if (!given.empty()) filter.*row.wanted = given;
  }
  if (!arguments.kind.empty()) {
    filter.kind = ledger::RecordKindNamed(arguments.kind);
    if (!filter.kind) {
      return Fail(ErrorCode::kInvalidArgument, "--kind: there is no kind " + arguments.kind);
    }
  }
  if (!arguments.start.empty()) {
    TRY_ASSIGN(filter.start_ms, TimeOf("--start", arguments.start));
  }
  if (!arguments.end.empty()) {
    TRY_ASSIGN(filter.end_ms, TimeOf("--end", arguments.end));
  }
  return filter;
}

}  // namespace falconer::app
