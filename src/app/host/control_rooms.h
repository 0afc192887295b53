#pragma once
// ControlRooms: everything that decides whether something may happen, made from the settings: keys
// and tokens, the policy's file, quotas, circuits, pauses, and the desk that asks people.

#include <functional>
#include <memory>

#include "api/http/control_panel.h"
#include "app/approvals/store_approval_records.h"
#include "app/approvals/webhook_channel.h"
#include "app/host/local_tokens.h"
#include "app/wiring.h"
#include "engine/approvals/approval_desk.h"
#include "engine/runtime.h"
#include "kernel/gates/policy_file.h"
#include "kernel/gates/standard_gates.h"
#include "kernel/tokens/store_token_records.h"
#include "policy/tokens/live_keys.h"
#include "store/sqlite_store.h"

namespace falconer::app {

// What it is made on. All that is referred to must outlive the rooms.
struct ControlGround {
  Program& program;
  Settings settings;
  store::SqliteStore& store;
  ledger::Ledger& ledger;
  const policy::Redactor& redactor;
};

class ControlRooms {
 public:
  // Makes a key if there is none; reads and writes files on the caller's thread. kInvalidSetting
  // for rules of tokens and for a policy that are not valid, kIoError.
  static Result<std::unique_ptr<ControlRooms>> Open(ControlGround ground);
  // Stop() must have ended first.
  ~ControlRooms();
  ControlRooms(const ControlRooms&) = delete;
  ControlRooms& operator=(const ControlRooms&) = delete;

  // Told of every record that is appended here.
  void OnRecorded(std::function<void(const TenantId& tenant, std::uint64_t seq)> tell) {
    recorded_ = std::move(tell);
  }
  // Begins to end, as denied, what was asked by processes that are gone.
  void Start();
  Task<void> Stop();

  kernel::GateList Gates(const kernel::ContractCheck& contract,
                         const kernel::DomainRulesSource& rules, const kernel::EpochGuard& epochs,
                         kernel::LoadMeter& load);
  engine::ControlDesks desks() { return {tokens_, approvals_, rates_, ground_.redactor}; }
  kernel::PauseWatch& pauses() { return pauses_; }
  kernel::BreakerBook& breakers() { return breakers_; }
  engine::ApprovalDesk& approvals() { return approvals_; }
  // What operators look at and change.
  api::ControlPanel Panel();
  // Who acts when nobody has to prove who he is.
  engine::Caller LocalCaller() const { return local_->Caller(); }

 private:
  explicit ControlRooms(ControlGround ground);
  static Task<void> StartApprovals(ControlRooms* self);
  Task<Result<void>> Record(TenantId tenant, ledger::RecordKind kind, json::object event);
  // An order about tokens that came over the network: from whoever has the operator's key.
  Task<Result<void>> RecordTokens(std::string event, json::object what);

  ControlGround ground_;
  policy::LiveKeys keys_;
  policy::TokenVerifier verifier_;
  kernel::StoreTokenRecords token_records_;
  policy::TokenGuard tokens_;
  kernel::TokenOffice office_;
  std::unique_ptr<LocalTokens> local_;
  std::unique_ptr<kernel::PolicyFile> policies_;
  StoreApprovalRecords approval_records_;
  // Null when the settings name none.
  std::unique_ptr<WebhookChannel> webhook_;
  engine::ApprovalDesk approvals_;
  kernel::RateBook rates_;
  kernel::PauseWatch pauses_;
  kernel::BreakerBook breakers_;
  std::function<void(const TenantId& tenant, std::uint64_t seq)> recorded_;
  TaskScope tasks_;
};

}  // namespace falconer::app
