#pragma once
// What became of an approval request: who decided what, and how it ended. A request ends once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/approval/approval_request.h"

namespace falconer::model {

enum class ApprovalState : std::uint8_t {
  kPending,
  kApproved,
  kDenied,
  kExpired,
  kVoid,  // what was asked about is gone: the tab, the turn, the bytes
};

inline constexpr EnumName<ApprovalState> kApprovalStates[] = {
    {ApprovalState::kPending, "pending"}, {ApprovalState::kApproved, "approved"},
    {ApprovalState::kDenied, "denied"},   {ApprovalState::kExpired, "expired"},
    {ApprovalState::kVoid, "void"},
};

enum class ApprovalAnswer : std::uint8_t { kApprove, kDeny };

inline constexpr std::size_t kMaxApprovalReason = 1000;
inline constexpr std::size_t kMaxApproverName = 128;

// One person's answer.
struct ApprovalDecision {
  std::string request_id;
  ApprovalAnswer answer = ApprovalAnswer::kDeny;
  std::string approver;                      // by name
  ApproverRank rank = ApproverRank::kHuman;  // as the settings say
  std::string channel;                       // "cli", "mcp", ...: how it came in
  std::string reason;
  WallTime decided;

  // {"request_id","approved","approver","decided_by","channel","reason","decided_at_ms"}
  json::object ToJson() const;
  bool operator==(const ApprovalDecision&) const = default;
};

struct ApprovalRecord {
  ApprovalRequest request;
  ApprovalState state = ApprovalState::kPending;
  std::vector<ApprovalDecision> decisions;  // in the order they came
  std::string end_reason;                   // why it ended; of whoever denied, or our own words
  std::optional<WallTime> ended;
  std::optional<WallTime> used;  // when what was approved was let go

  bool is_over() const { return state != ApprovalState::kPending; }
  // How many approvals it has.
  std::int64_t approvals() const;
  // The request's members and "state", "decisions", "approvals", "end_reason", "ended_ms".
  json::object ToJson() const;
};

// How a request ends other than by people: kDenied, kExpired or kVoid.
struct ApprovalEnd {
  std::string request_id;
  ApprovalState state = ApprovalState::kVoid;
  std::string reason;
};

// The one use of an approval, by who asked and for exactly what was approved.
struct ApprovalUse {
  std::string request_id;
  std::string owner;
  std::string digest;
};

struct ApprovalFilter {
  TenantId tenant;                     // "" for every
  std::optional<ApprovalState> state;  // nothing for every
  std::uint64_t limit = 50;
};

// One name for one person, however it is written: letters that differ by case, marks, width, by
// their alphabet when they look alike, or by what cannot be seen make nobody another one.
std::string PersonKey(std::string_view name);

// Whether this decision may be taken for this request: kInvalidArgument for one that says nothing
// of who decides, kPolicyDenied for who asked, for who is not named, or whose rank is too low.
// Denying is open to everybody who can reach the records.
Result<void> CheckApprover(const ApprovalRequest& request, const ApprovalDecision& decision);

}  // namespace falconer::model
