#include "app/quota/control_desk.h"

#include <array>
#include <pwd.h>
#include <unistd.h>

namespace falconer::app {
namespace {

constexpr std::size_t kMaxReasonBytes = 200;

std::uint64_t Count(std::int64_t setting) {
  return static_cast<std::uint64_t>(setting);
}

}  // namespace

model::TenantQuota QuotaFrom(const Settings& settings) {
  return {.max_concurrent_sessions = Count(settings.quota.sessions),
          .max_actions_per_minute = Count(settings.quota.actions_per_minute),
          .max_artifact_bytes = Count(settings.artifacts.max_bytes),
          .max_step_tokens = Count(settings.quota.step_tokens),
          .max_state_delta_tokens = Count(settings.quota.state_delta_tokens),
          .max_network_summary_tokens = Count(settings.quota.network_summary_tokens),
          .max_metadata_tokens = Count(settings.quota.metadata_tokens)};
}

store::BreakerLimits BreakerLimitsFrom(const Settings& settings) {
  return {.threshold = Count(settings.breaker.threshold),
          .window = settings.breaker.window,
          .open_for = settings.breaker.open};
}

std::string OperatorName() {
  const uid_t user = ::getuid();
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  const int failed = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  if (failed != 0 || found == nullptr) return "uid " + std::to_string(user);
  return found->pw_name;
}

Result<std::string> ReasonOf(const Arguments& arguments) {
  if (arguments.reason.empty()) return Fail(ErrorCode::kInvalidArgument, "--reason: say why");
  if (arguments.reason.size() <= kMaxReasonBytes) return arguments.reason;
  return Fail(ErrorCode::kInvalidArgument, "--reason: at most 200 bytes");
}

Result<std::unique_ptr<ControlDesk>> ControlDesk::Open(Program& program) {
  const std::filesystem::path& data = program.settings().data.dir;
  std::error_code failed;
  std::filesystem::create_directories(data, failed);
  if (failed) {
    return Fail(ErrorCode::kIoError, "cannot create " + data.string() + ": " + failed.message());
  }
  std::unique_ptr<ControlDesk> desk(new ControlDesk(program));
  desk->store_ = store::SqliteStore::Open(data / "control.db", program.clock());
  const Result<void> opened = desk->OpenLedger();
  if (!opened) desk->ledger_ = std::unexpected(opened.error());
  return desk;
}

Result<void> ControlDesk::OpenLedger() {
  TRY_ASSIGN(store::SqliteStore* const heads, store());
  TRY_ASSIGN(redaction_, RedactionHost::Open(settings()));
  TRY_ASSIGN(ledger_,
             ledger::Ledger::Open(settings().data.dir, *heads, redaction_->scrubber(), clock()));
  return {};
}

Result<store::SqliteStore*> ControlDesk::store() const {
  if (!store_) return std::unexpected(store_.error());
  return store_->get();
}

Result<ledger::Ledger*> ControlDesk::ledger() const {
  if (!ledger_) return std::unexpected(ledger_.error());
  return ledger_->get();
}

TenantId ControlDesk::TenantOf(const Arguments& arguments) const {
  return arguments.tenant.empty() ? tenant() : TenantId(arguments.tenant);
}

Task<Result<void>> ControlDesk::Record(TenantId of, std::string event, json::object what) {
  CO_TRY_ASSIGN(ledger::Ledger* const ledger, this->ledger());
  what["event"] = event;
  what["by"] = OperatorName();
  ledger::RecordInput input{ledger::RecordKind::kOperator, std::move(what)};
  CO_TRY(co_await ledger->Append(of.empty() ? tenant() : of, std::move(input)));
  co_return Result<void>();
}

}  // namespace falconer::app
