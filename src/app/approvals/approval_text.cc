#include "app/approvals/approval_text.h"

#include <algorithm>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/units.h"
#include "kernel/leases/lease_owner.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

using model::ApprovalRecord;
using model::ApprovalRequest;
using model::PlainLine;
using model::RequestPreview;

constexpr int kLabelWidth = 10;
constexpr std::string_view kAskerEnded = "the program that asked has ended";

void PrintLabelled(Terminal& terminal, std::string_view label, std::string_view value) {
  if (value.empty()) return;
  terminal.Print(fmt::format("  {:<{}} {}", label, kLabelWidth, PlainLine(value)));
}

// Nothing comes of it any more, though nobody has ended it yet.
bool IsLeftBehind(const ApprovalRecord& record) {
  return !record.is_over() && kernel::HasEnded(record.request.owner);
}

std::string StateText(const ApprovalRecord& record, WallTime now) {
  const std::string_view state = NameIn(model::kApprovalStates, record.state);
  if (IsLeftBehind(record)) return fmt::format("{}, but {}", state, kAskerEnded);
  if (!record.is_over()) {
    return fmt::format("{}, {} of {} approvals, {} left", state, record.approvals(),
                       record.request.terms.count, CountdownOf(record.request, now));
  }
  if (record.end_reason.empty()) return std::string(state);
  return fmt::format("{}: {}", state, record.end_reason);
}

std::string AskerText(const ApprovalRequest& request) {
  return fmt::format("{}, tenant {}, workflow {}", request.agent_id, request.tenant.value(),
                     request.workflow.value());
}

std::string RiskText(const ApprovalRequest& request) {
  std::string text(NameIn(model::kRiskLevels, request.risk_level));
  for (const std::string& reason : request.risk_reasons) text += "; " + reason;
  return text;
}

std::string ApproversText(const ApprovalRequest& request) {
  const auto& terms = request.terms;
  std::string text = fmt::format("{} {}", terms.count, NameIn(model::kApproverRanks, terms.who));
  if (!terms.approvers.empty()) text += fmt::format(" of {}", fmt::join(terms.approvers, ", "));
  return text;
}

std::string BodyText(const RequestPreview& preview) {
  if (preview.form == model::PreviewForm::kNone && preview.is_body_whole) return "none";
  std::string text = fmt::format("{}, {}", NameIn(model::kPreviewForms, preview.form),
                                 FormatBytes(static_cast<std::int64_t>(preview.body_bytes)));
  if (preview.masked > 0) text += fmt::format(", {} values masked", preview.masked);
  if (!preview.is_body_whole) text += ", NOT ALL OF IT COULD BE READ";
  return text;
}

std::string FileText(const model::PreviewFile& file) {
  const std::string what = file.is_known
                               ? fmt::format("{} bytes, sha256 {}", file.bytes, file.sha256)
                               : std::string("SIZE AND CONTENT ARE NOT KNOWN");
  const std::string type = file.content_type.empty() ? "" : file.content_type + ", ";
  return fmt::format("{} = {} ({}{})", file.field, file.name, type, what);
}

void PrintPreview(const RequestPreview& preview, Terminal& terminal) {
  const bool is_action = preview.form == model::PreviewForm::kAction;
  PrintLabelled(terminal, is_action ? "page" : "request",
                is_action ? preview.url : preview.method + " " + preview.url);
  if (preview.is_cut) PrintLabelled(terminal, "NOTE", "not all of it is shown here");
  for (const model::PreviewField& header : preview.headers) {
    PrintLabelled(terminal, "header", header.name + ": " + header.value);
  }
  if (!is_action) PrintLabelled(terminal, "body", BodyText(preview));
  for (const model::PreviewField& field : preview.fields) {
    PrintLabelled(terminal, "field", field.name + " = " + field.value);
  }
  for (const model::PreviewFile& file : preview.files) {
    PrintLabelled(terminal, "file", FileText(file));
  }
  PrintLabelled(terminal, is_action ? "script" : "text", preview.body);
}

void PrintApprovalDecision(const model::ApprovalDecision& decision, Terminal& terminal) {
  const bool approves = decision.answer == model::ApprovalAnswer::kApprove;
  PrintLabelled(
      terminal, approves ? "approved" : "denied",
      fmt::format("by {} ({}), {}{}{}", decision.approver, NameIn(model::kDecidedBy, decision.rank),
                  IsoTime(decision.decided), decision.reason.empty() ? "" : ": ", decision.reason));
}

}  // namespace

std::string CountdownOf(const ApprovalRequest& request, WallTime now) {
  const auto left = std::max(std::chrono::floor<std::chrono::seconds>(request.expires - now),
                             std::chrono::seconds(0));
  const auto minutes = std::chrono::floor<std::chrono::minutes>(left);
  const auto seconds = (left - minutes).count();
  return minutes.count() > 0 ? fmt::format("{}m{:02}s", minutes.count(), seconds)
                             : fmt::format("{}s", seconds);
}

std::string ApprovalLine(const ApprovalRecord& record, WallTime now) {
  const std::string left = record.is_over() ? "-" : CountdownOf(record.request, now);
  const std::string note = IsLeftBehind(record) ? fmt::format(" ({})", kAskerEnded) : "";
  return PlainLine(fmt::format("{}  {:<8}  {:>7}  {:<8}  {}  {}{}", record.request.request_id,
                               NameIn(model::kApprovalStates, record.state), left,
                               NameIn(model::kRiskLevels, record.request.risk_level),
                               record.request.agent_id, record.request.description, note));
}

void PrintApproval(const ApprovalRecord& record, WallTime now, Terminal& terminal) {
  const ApprovalRequest& request = record.request;
  terminal.Print(request.request_id + "  " + PlainLine(request.description));
  PrintLabelled(terminal, "state", StateText(record, now));
  PrintLabelled(terminal, "asked by", AskerText(request));
  PrintLabelled(terminal, "kind", NameIn(model::kApprovalKinds, request.action_type));
  if (request.amount) PrintLabelled(terminal, "amount", request.amount->ToText());
  PrintLabelled(terminal, "risk", RiskText(request));
  PrintLabelled(terminal, "policies",
                fmt::format("{}", fmt::join(request.triggered_policies, ", ")));
  PrintLabelled(terminal, "message", request.terms.message);
  PrintLabelled(terminal, "needs", ApproversText(request));
  PrintLabelled(terminal, "asked", IsoTime(request.asked));
  PrintLabelled(terminal, "expires", IsoTime(request.expires));
  if (request.preview) {
    PrintPreview(*request.preview, terminal);
  } else {
    PrintLabelled(terminal, "page", request.target_url);
  }
  PrintLabelled(terminal, "digest", request.digest);
  for (const model::ApprovalDecision& decision : record.decisions) {
    PrintApprovalDecision(decision, terminal);
  }
}

}  // namespace falconer::app
