#pragma once
// Rule: a condition and what follows from it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/approval/approver_rank.h"
#include "model/enum_set.h"
#include "policy/rules/condition.h"

namespace falconer::policy {

// Milder ones first: of several, the strictest counts.
enum class Effect : std::uint8_t { kNone, kAllow, kConstrain, kRequireApproval, kDeny };

inline constexpr EnumName<Effect> kEffects[] = {
    {Effect::kNone, "none"},           {Effect::kAllow, "allow"},
    {Effect::kConstrain, "constrain"}, {Effect::kRequireApproval, "require_approval"},
    {Effect::kDeny, "deny"},
};

struct ApprovalTerms {
  model::ApproverRank who = model::ApproverRank::kHuman;
  int count = 1;
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
  std::vector<std::string> approvers;  // by name; empty is anybody of that kind
  // For whoever decides. ${amount}, ${domain}, ${agent}, ${action} and ${capability} are filled in.
  std::string message;
  bool operator==(const ApprovalTerms&) const = default;
};

// One approval has to satisfy both: `both` gets the stricter of each. False when too few people may
// approve then.
bool Tighten(ApprovalTerms& both, const ApprovalTerms& more);

struct ConstraintTerms {
  std::optional<model::Money> max_amount;
  std::vector<HostPattern> domains;  // where what follows may go
  std::optional<bool> pii_access;
  std::optional<std::chrono::milliseconds> time_limit;  // since the session began
};

// What is counted apart from what.
enum class RateKey : std::uint8_t { kTenant, kAgent, kDomain, kCapability, kAction };

inline constexpr EnumName<RateKey> kRateKeys[] = {
    {RateKey::kTenant, "tenant"}, {RateKey::kAgent, "agent"},
    {RateKey::kDomain, "domain"}, {RateKey::kCapability, "capability"},
    {RateKey::kAction, "action"},
};

struct RateTerms {
  std::int64_t max = 0;
  std::chrono::milliseconds period{0};
  model::EnumSet<RateKey> by = {RateKey::kTenant, RateKey::kAgent};
};

enum class AuditLevel : std::uint8_t { kLow, kStandard, kHigh, kCritical };

inline constexpr EnumName<AuditLevel> kAuditLevels[] = {
    {AuditLevel::kLow, "low"},
    {AuditLevel::kStandard, "standard"},
    {AuditLevel::kHigh, "high"},
    {AuditLevel::kCritical, "critical"},
};

struct AuditTerms {
  AuditLevel level = AuditLevel::kStandard;
  std::vector<std::string> notify;  // sorted
  // Both hold: the higher level, and everybody who is named.
  void Add(const AuditTerms& other);
  bool operator==(const AuditTerms&) const = default;
};

struct Rule {
  std::string name;
  std::string description;
  Condition when;
  Effect effect = Effect::kNone;
  std::string reason;  // of a deny
  std::optional<ApprovalTerms> approval;
  std::optional<ConstraintTerms> constrain;
  std::optional<RateTerms> rate_limit;
  std::optional<AuditTerms> audit;
  int line = 0;

  json::object ToJson() const;
};

}  // namespace falconer::policy
