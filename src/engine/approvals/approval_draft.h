#pragma once
// Drafts of approval requests: what a held request, or an action that has not begun, is asked with.
// The desk fills in the rest (id, owner, times).

#include <optional>
#include <string>
#include <vector>

#include "engine/approvals/request_preview.h"
#include "model/approval/approval_request.h"
#include "policy/rules/policy_decision.h"

namespace falconer::engine {

// Who asks, and what it belongs to.
struct ApprovalAsker {
  TenantId tenant;
  std::string agent_id;
  WorkflowId workflow;
  SessionId session;
  TurnId turn;
  ActionId action;
  std::string call;  // of a client (Correlation::call); "" for none
};

// Why it is asked: what was judged, what the policy says, and who may answer. Without terms (a risk
// that no policy speaks of) one person of any rank may.
struct ApprovalGrounds {
  policy::Risk risk;
  std::vector<std::string> policies;  // names of the rules that ask for it
  std::optional<policy::ApprovalTerms> terms;
};

// The grounds a policy's decision gives.
ApprovalGrounds GroundsOf(const policy::Risk& risk, const policy::PolicyDecision& decision);

// One approval has to satisfy both: `both` gets the graver risk and the stricter terms. False when
// too few people may approve then.
bool Tighten(ApprovalGrounds& both, const ApprovalGrounds& more);

// `digest` is that of the held bytes (browser::HeldRequest::digest).
model::ApprovalRequest DraftForRequest(const ApprovalAsker& asker, const ApprovalGrounds& grounds,
                                       const HeldBytes& held, std::string digest,
                                       const policy::Redactor& redactor);

// Before an action.
model::ApprovalRequest DraftForAction(const ApprovalAsker& asker, const ApprovalGrounds& grounds,
                                      const ActionInWords& action,
                                      const policy::Redactor& redactor);

// The kind that the risk's capabilities say; the gravest counts.
model::ApprovalKind KindOf(const policy::Risk& risk);

}  // namespace falconer::engine
