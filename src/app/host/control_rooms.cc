#include "app/host/control_rooms.h"

#include <utility>

#include "app/host/control_settings.h"
#include "base/log.h"
#include "kernel/leases/lease_owner.h"

namespace falconer::app {
namespace {

// Of whom the server knows no more.
constexpr std::string_view kKeyHolder = "the operator's key";

engine::ApprovalDeskConfig DeskConfigFrom(const Settings& settings) {
  return {.owner = kernel::OwnLeaseOwner(), .timeout = settings.approvals.timeout};
}

}  // namespace

ControlRooms::ControlRooms(ControlGround ground)
    : ground_(std::move(ground)),
      keys_(policy::KeyFolder(policy::KeyFolder::PathIn(ground_.settings.data.dir)),
            ground_.program.clock()),
      verifier_(TokenRulesFrom(ground_.settings), keys_, ground_.program.clock()),
      token_records_(ground_.store),
      tokens_(verifier_, token_records_),
      office_(TokenRulesFrom(ground_.settings), keys_, ground_.store, ground_.program.clock(),
              [this](std::string event, json::object what) {
                return RecordTokens(std::move(event), std::move(what));
              }),
      approval_records_(ground_.store),
      approvals_(ground_.program.executor(), ground_.program.clock(), approval_records_,
                 DeskConfigFrom(ground_.settings),
                 [this](TenantId tenant, json::object event) {
                   return Record(std::move(tenant), ledger::RecordKind::kApproval,
                                 std::move(event));
                 }),
      rates_(ground_.store),
      pauses_(ground_.program.executor(), ground_.program.clock(), ground_.store),
      breakers_(ground_.store, BreakerLimitsFrom(ground_.settings)),
      tasks_(ground_.program.executor()) {
}

ControlRooms::~ControlRooms() = default;

Result<std::unique_ptr<ControlRooms>> ControlRooms::Open(ControlGround ground) {
  TRY(policy::CheckTokenRules(TokenRulesFrom(ground.settings)));
  std::unique_ptr<ControlRooms> rooms(new ControlRooms(std::move(ground)));
  const Settings& settings = rooms->ground_.settings;
  TRY_ASSIGN(rooms->policies_,
             kernel::PolicyFile::Open(settings.policy.file, rooms->ground_.program.clock()));
  TRY_ASSIGN(auto webhook, WebhookFrom(settings));
  if (webhook) {
    rooms->webhook_ = std::make_unique<WebhookChannel>(
        rooms->ground_.program.executor(), rooms->ground_.program.clock(), *std::move(webhook));
    rooms->approvals_.AddChannel(*rooms->webhook_);
  }
  TRY_ASSIGN(rooms->local_,
             LocalTokens::Open(settings, rooms->verifier_, rooms->ground_.program.clock()));
  return rooms;
}

Task<Result<void>> ControlRooms::Record(TenantId tenant, ledger::RecordKind kind,
                                        json::object event) {
  CO_TRY_ASSIGN(const auto receipt, co_await ground_.ledger.Append(
                                        tenant, {.kind = kind, .payload = std::move(event)}));
  if (recorded_) recorded_(tenant, receipt.seq);
  co_return Result<void>();
}

Task<Result<void>> ControlRooms::RecordTokens(std::string event, json::object what) {
  what["event"] = event;
  what["by"] = kKeyHolder;
  what["channel"] = "rest";
  return Record(TenantId(ground_.settings.tenant), ledger::RecordKind::kToken, std::move(what));
}

api::ControlPanel ControlRooms::Panel() {
  return {.policies = *policies_,
          .tokens = office_,
          .store = ground_.store,
          .default_quota = QuotaFrom(ground_.settings),
          .breaker_limits = BreakerLimitsFrom(ground_.settings)};
}

kernel::GateList ControlRooms::Gates(const kernel::ContractCheck& contract,
                                     const kernel::DomainRulesSource& rules,
                                     const kernel::EpochGuard& epochs, kernel::LoadMeter& load) {
  return kernel::StandardGates({.clock = ground_.program.clock(),
                                .contract = contract,
                                .tokens = tokens_,
                                .rules = rules,
                                .policies = *policies_,
                                .pauses = ground_.store,
                                .pause_watch = pauses_,
                                .quotas = ground_.store,
                                .quota = QuotaFrom(ground_.settings),
                                .rates = rates_,
                                .breakers = ground_.store,
                                .breaker = BreakerLimitsFrom(ground_.settings),
                                .owner = kernel::OwnLeaseOwner(),
                                .epochs = epochs,
                                .load = load});
}

void ControlRooms::Start() {
  tasks_.Spawn("approvals.start", StartApprovals(this));
}

Task<void> ControlRooms::StartApprovals(ControlRooms* self) {
  const auto started = co_await self->approvals_.Start();
  if (!started) LOG(error, "approvals.not_started", {"why", started.error().message()});
}

Task<void> ControlRooms::Stop() {
  co_await tasks_.Join();
  co_await approvals_.Stop();
  if (webhook_) co_await webhook_->Stop(ground_.program.NewCleanup());
  co_await pauses_.Stop();
}

}  // namespace falconer::app
