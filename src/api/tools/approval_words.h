#pragma once
// What a client is told and asked while people decide: texts for people, for models and for
// programs. What comes from a page stands in quotes.

#include <optional>
#include <string>
#include <vector>

#include "api/mcp/tool.h"
#include "model/approval/approval_record.h"

namespace falconer::api {

// Whether a question at the client shows everything that there is to see of it. What it does not
// is for people who look at it elsewhere.
bool IsToldWhole(const model::ApprovalRequest& request);

// The params of elicitation/create: a form with `approve` and `reason`.
json::object QuestionForm(const model::ApprovalRequest& request, WallTime now);

// What the person at the client answered.
struct ClientAnswer {
  model::ApprovalAnswer answer = model::ApprovalAnswer::kDeny;
  std::string reason;
};
// Reads the result of elicitation/create. Nothing when nobody decided: the question was closed, or
// the answer is none.
std::optional<ClientAnswer> ReadClientAnswer(const json::object& result);

// "status: pending_approval ...": what is waited for, and how to go on.
ToolAnswer PendingAnswer(const std::vector<model::ApprovalRequest>& pending, WallTime now);

}  // namespace falconer::api
