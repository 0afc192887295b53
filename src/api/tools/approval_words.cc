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
// Of what is sent or run. Long enough for every script with its argument.
constexpr std::size_t kMostTold = 16'384;
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

std::string FileWords(const model::PreviewFile& file) {
  const std::string what = file.is_known
                               ? fmt::format("{} bytes, sha256 {}", file.bytes, file.sha256)
                               : std::string("size and content are not known");
  return fmt::format("{}{}{} ({})", file.field, file.field.empty() ? "" : " = ", file.name, what);
}

// Everything that is sent, or that an action is told; what cannot be chosen by whoever sends it
// comes first.
std::vector<std::string> TellingLines(const model::ApprovalRequest& request) {
  std::vector<std::string> lines;
  if (!request.preview) {
    if (!request.payload_preview.empty()) lines.push_back(request.payload_preview);
    return lines;
  }
  const model::RequestPreview& preview = *request.preview;
  if (!preview.is_body_whole) lines.emplace_back("NOT ALL OF THE BODY COULD BE READ");
  if (preview.is_cut) lines.emplace_back("not all of it is shown");
  for (const model::PreviewFile& file : preview.files) lines.push_back("file " + FileWords(file));
  if (preview.fields.size() > 1) {
    std::string names = fmt::format("{} fields:", preview.fields.size());
    for (const model::PreviewField& field : preview.fields) names += " " + field.name;
    lines.push_back(std::move(names));
  }
  for (const model::PreviewField& field : preview.fields)
    lines.push_back(field.name + " = " + field.value);
  if (preview.form == model::PreviewForm::kBinary)
    lines.push_back(fmt::format("[binary, {} bytes]", preview.body_bytes));
  if (!preview.body.empty()) lines.push_back(preview.body);
  return lines;
}

std::size_t BytesIn(const std::vector<std::string>& lines) {
  std::size_t bytes = 0;
  for (const std::string& line : lines) bytes += line.size();
  return bytes;
}

// As many as there is place for, and how many bytes that is of how many.
void AddTelling(std::string& text, const model::ApprovalRequest& request) {
  const std::vector<std::string> lines = TellingLines(request);
  const std::size_t all = BytesIn(lines);
  std::size_t told = 0;
  const bool is_action = request.preview && request.preview->form == model::PreviewForm::kAction;
  for (const std::string& line : lines) {
    const std::string_view shown = Utf8Prefix(line, kMostTold - told);
    AddLine(text, is_action ? "Does" : "Sends", std::string(shown));
    told += shown.size();
    if (shown.size() < line.size()) break;
  }
  if (told < all) {
    AddLine(text, "Not shown",
            fmt::format("only the first {} of {} bytes are above; falconer approvals show {}", told,
                        all, request.request_id));
  }
}

std::string QuestionText(const model::ApprovalRequest& request, WallTime now) {
  std::string text = fmt::format("{}?", model::PlainLine(request.description));
  AddLine(text, "Asked by", request.agent_id);
  const std::string request_line = request.http_method.empty()
                                       ? request.target_url
                                       : request.http_method + " " + request.target_url;
  AddLine(text, request.http_method.empty() ? "Page" : "Request", request_line);
  if (request.amount) AddLine(text, "Amount", request.amount->ToText());
  AddTelling(text, request);
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

bool IsToldWhole(const model::ApprovalRequest& request) {
  if (request.preview && (request.preview->is_cut || !request.preview->is_body_whole)) return false;
  return BytesIn(TellingLines(request)) <= kMostTold;
}

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
  return {.text = std::move(text),
          .structured = std::move(structured),
          .policy_flags = {"pending_approval"}};
}

}  // namespace falconer::api
