#include "api/tools/approval_words.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/units.h"
#include "base/utf8.h"
#include "model/plain_text.h"
#include "model/view/page_view.h"

namespace falconer::api {
namespace {

constexpr std::size_t kQuotedBytes = 300;
constexpr std::string_view kGoOn =
    "nothing has left yet; call the same tool with the same arguments again to learn how it was "
    "decided, and do nothing else in this session until then";

std::chrono::milliseconds TimeLeft(const model::ApprovalRequest& request, WallTime now) {
  const auto left = std::chrono::floor<std::chrono::seconds>(request.expires - now);
  return std::max(left, std::chrono::seconds(0));
}

std::string WhoMay(const model::ApproverTerms& terms) {
  std::string who = fmt::format("{} {}", terms.count, NameIn(model::kApproverRanks, terms.who));
  if (!terms.approvers.empty()) who += fmt::format(" of {}", fmt::join(terms.approvers, ", "));
  return who;
}

json::object PendingJson(const model::ApprovalRequest& request, WallTime now) {
  json::object out{{"approval_id", request.request_id},
                   {"action_type", NameIn(model::kApprovalKinds, request.action_type)},
                   {"description", request.description},
                   {"risk_level", NameIn(model::kRiskLevels, request.risk_level)},
                   {"approvers", WhoMay(request.terms)},
                   {"expires_in_ms", TimeLeft(request, now).count()}};
  if (request.amount) out["amount"] = request.amount->ToText();
  return out;
}

std::string PendingLine(const model::ApprovalRequest& request, WallTime now) {
  return fmt::format("approval {}: {} ({} risk), by {}, within {}", request.request_id,
                     model::Quoted(request.description, kQuotedBytes),
                     NameIn(model::kRiskLevels, request.risk_level), WhoMay(request.terms),
                     FormatDuration(TimeLeft(request, now)));
}

// What comes from others cannot look like another line.
void AddLine(std::string& text, std::string_view label, const std::string& value) {
  if (!value.empty()) text += fmt::format("\n{}: {}", label, model::PlainLine(value));
}

std::string QuestionText(const model::ApprovalRequest& request, WallTime now) {
  std::string text = fmt::format("{}?", model::PlainLine(request.description));
  AddLine(text, "Asked by", request.agent_name.empty() ? request.agent_id : request.agent_name);
  const std::string request_line = request.http_method.empty()
                                       ? request.target_url
                                       : request.http_method + " " + request.target_url;
  AddLine(text, request.http_method.empty() ? "Page" : "Request", request_line);
  AddLine(text, "Sends", std::string(Utf8Prefix(request.payload_preview, kQuotedBytes)));
  const std::string why = fmt::format("{}", fmt::join(request.risk_reasons, "; "));
  AddLine(text, "Risk",
          fmt::format("{}{}{}", NameIn(model::kRiskLevels, request.risk_level),
                      why.empty() ? "" : ", ", why));
  AddLine(text, "Policy", request.terms.message);
  AddLine(text, "Time left", FormatDuration(TimeLeft(request, now)));
  AddLine(text, "Approval", request.request_id);
  return text;
}

}  // namespace

json::object QuestionForm(const model::ApprovalRequest& request, WallTime now) {
  const json::object approve{{"type", "boolean"},
                             {"title", "Approve"},
                             {"description", "Let exactly this happen, once."},
                             {"default", false}};
  const json::object reason{{"type", "string"},
                            {"title", "Reason"},
                            {"description", "Goes on record."},
                            {"maxLength", model::kMaxApprovalReason / 4}};
  return {{"mode", "form"},
          {"message", QuestionText(request, now)},
          {"requestedSchema",
           {{"type", "object"},
            {"properties", {{"approve", approve}, {"reason", reason}}},
            {"required", json::array{"approve"}}}}};
}

// Declining is an answer; closing the question is none.
std::optional<ClientAnswer> ReadClientAnswer(const json::object& result) {
  const std::string action = TextAt(result, "action");
  if (action == "decline") return ClientAnswer{model::ApprovalAnswer::kDeny, "declined"};
  const json::value* content = result.if_contains("content");
  if (action != "accept" || content == nullptr || !content->is_object()) return std::nullopt;
  const json::value* approve = content->get_object().if_contains("approve");
  if (approve == nullptr || !approve->is_bool()) return std::nullopt;
  const std::string reason = TextAt(content->get_object(), "reason");
  return ClientAnswer{
      approve->get_bool() ? model::ApprovalAnswer::kApprove : model::ApprovalAnswer::kDeny,
      std::string(Utf8Prefix(reason, model::kMaxApprovalReason))};
}

// Some clients show models only the text, others only what is for programs: both say all of it.
ToolAnswer PendingAnswer(const std::vector<model::ApprovalRequest>& pending, WallTime now) {
  std::string text = "status: pending_approval";
  json::array approvals;
  for (const model::ApprovalRequest& request : pending) {
    text += "\n" + PendingLine(request, now);
    approvals.push_back(PendingJson(request, now));
  }
  text += fmt::format("\nnext: {}", kGoOn);
  json::object structured{{"status", "pending_approval"},
                          {"approval_id", pending.front().request_id},
                          {"approvals", std::move(approvals)},
                          {"next", kGoOn}};
  return {.text = std::move(text), .structured = std::move(structured)};
}

}  // namespace falconer::api
