#pragma once
// ApprovalRequest: the question put to people before something happens, with everything they need
// to answer it. Plain data; nothing unmasked may ever be put into it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/clock.h"
#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/approval/approver_rank.h"
#include "model/approval/request_preview.h"
#include "model/policy_facts.h"

namespace falconer::model {

// What it is that would happen (action_type).
enum class ApprovalKind : std::uint8_t { kPurchase, kSubmit, kExport, kDelete, kAuth, kCustom };

inline constexpr EnumName<ApprovalKind> kApprovalKinds[] = {
    {ApprovalKind::kPurchase, "purchase"}, {ApprovalKind::kSubmit, "submit"},
    {ApprovalKind::kExport, "export"},     {ApprovalKind::kDelete, "delete"},
    {ApprovalKind::kAuth, "auth"},         {ApprovalKind::kCustom, "custom"},
};

inline constexpr Bounds<std::int64_t> kApproverCounts = {1, 100};
inline constexpr Bounds<std::int64_t> kApprovalTimes = {0, 30LL * 86'400'000};  // milliseconds

// Who may approve, and how many different ones must.
struct ApproverTerms {
  ApproverRank who = ApproverRank::kHuman;
  std::int64_t count = 1;
  std::chrono::milliseconds timeout{0};  // 0: as the settings say
  std::vector<std::string> approvers;    // by name; empty is anybody of that rank
  std::string message;                   // of the policy, for whoever decides
  bool operator==(const ApproverTerms&) const = default;
};

struct ApprovalRequest {
  std::string request_id;  // "apr_" and 24 hex digits
  TenantId tenant;
  std::string agent_id;  // who asked, and may not approve
  WorkflowId workflow;
  SessionId session;
  TurnId turn;
  ActionId action_id;
  std::string call;   // the client's call it belongs to (Correlation::call); "" for none
  std::string owner;  // the process that waits (kernel/leases/lease_owner.h)

  ApprovalKind action_type = ApprovalKind::kCustom;
  std::string description;  // in words: what happens when it is approved
  std::string target_url;
  std::string http_method;      // "" when no request is held
  std::string payload_preview;  // the beginning of what is sent, masked
  std::optional<Money> amount;
  bool requires_auth = false;
  std::vector<std::string> triggered_policies;
  RiskLevel risk_level = RiskLevel::kLow;
  std::vector<std::string> risk_reasons;  // gravest first
  // SHA-256 of exactly what is approved, 64 hex digits: of the held bytes, or of the contract.
  std::string digest;
  std::optional<RequestPreview> preview;

  ApproverTerms terms;
  WallTime asked;
  WallTime expires;

  json::object ToJson() const;
  // Strict. kInvalidArgument that names the field.
  static Result<ApprovalRequest> FromJson(const json::value& value, std::string path = "approval");
  // What ToJson may not write: kInvalidArgument for a request that nobody could decide about.
  Result<void> Validate() const;
  bool operator==(const ApprovalRequest&) const = default;
};

// "apr_" and 24 random hex digits.
std::string NewApprovalId();
bool IsApprovalId(std::string_view text);

}  // namespace falconer::model
