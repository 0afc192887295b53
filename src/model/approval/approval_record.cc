#include "model/approval/approval_record.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "model/fold_text.h"
#include "model/look_alikes.h"

namespace falconer::model {
namespace {

std::int64_t RecordMs(WallTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

// "Alice" cannot approve what "alice" asked, nor "MÜLLER" what "müller" did.
bool IsSamePerson(std::string_view a, std::string_view b) {
  return !a.empty() && PersonKey(a) == PersonKey(b);
}

// To be allowed something takes a name as it was written down, but for the case of its letters.
bool IsSameName(std::string_view a, std::string_view b) {
  return !a.empty() && IsSameWord(Trim(a), Trim(b));
}

std::unexpected<Error> MayNot(const ApprovalRequest& request, std::string why) {
  return std::unexpected(
      Error(ErrorCode::kPolicyDenied, std::move(why), {{"approval_id", request.request_id}}));
}

bool HasAsked(const ApprovalRequest& request, std::string_view name) {
  return IsSamePerson(request.agent_id, name);
}

Result<void> CheckDecisionText(const ApprovalDecision& decision) {
  const bool is_named = !PersonKey(decision.approver).empty() &&
                        decision.approver.size() <= kMaxApproverName &&
                        !HasControl(decision.approver);
  if (!is_named) {
    return Fail(ErrorCode::kInvalidArgument, "approver: expected a name of 1 to 128 bytes");
  }
  if (decision.reason.size() > kMaxApprovalReason) {
    return Fail(ErrorCode::kInvalidArgument, "reason: at most 1000 bytes");
  }
  return {};
}

}  // namespace

std::string PersonKey(std::string_view name) {
  return FoldText(WithoutLookAlikes(name));
}

json::object ApprovalDecision::ToJson() const {
  json::object out{{"request_id", request_id},
                   {"approved", answer == ApprovalAnswer::kApprove},
                   {"approver", approver},
                   {"decided_by", NameIn(kDecidedBy, rank)},
                   {"decided_at_ms", RecordMs(decided)}};
  if (!channel.empty()) out["channel"] = channel;
  if (!reason.empty()) out["reason"] = reason;
  return out;
}

std::int64_t ApprovalRecord::approvals() const {
  return std::ranges::count(decisions, ApprovalAnswer::kApprove, &ApprovalDecision::answer);
}

json::object ApprovalRecord::ToJson() const {
  json::object out = request.ToJson();
  out["state"] = NameIn(kApprovalStates, state);
  out["approvals"] = approvals();
  json::array given;
  for (const ApprovalDecision& decision : decisions) given.push_back(decision.ToJson());
  out["decisions"] = std::move(given);
  if (!end_reason.empty()) out["end_reason"] = end_reason;
  if (ended) out["ended_ms"] = RecordMs(*ended);
  if (used) out["used_ms"] = RecordMs(*used);
  return out;
}

Result<void> CheckApprover(const ApprovalRequest& request, const ApprovalDecision& decision) {
  TRY(CheckDecisionText(decision));
  if (decision.answer == ApprovalAnswer::kDeny) return {};
  if (HasAsked(request, decision.approver)) {
    return MayNot(request, "whoever asked cannot approve");
  }
  if (decision.rank < request.terms.who) {
    const std::string_view needed = NameIn(kApproverRanks, request.terms.who);
    return MayNot(request, "it takes the rank of " + std::string(needed) + " to approve this");
  }
  const auto& named = request.terms.approvers;
  const bool is_among = std::ranges::any_of(
      named, [&](const std::string& name) { return IsSameName(name, decision.approver); });
  if (!named.empty() && !is_among) {
    return MayNot(request, "\"" + decision.approver + "\" is not among those who may approve this");
  }
  return {};
}

}  // namespace falconer::model
