#include "engine/approvals/approval_draft.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/utf8.h"

namespace falconer::engine {
namespace {

using C = model::Capability;
using model::ApprovalKind;
using model::ApprovalRequest;

constexpr std::size_t kPayloadBytes = 500;
constexpr std::size_t kDescriptionBytes = 1000;

struct ApprovalKindRow {
  C needs;
  ApprovalKind kind;
};

// Gravest first.
constexpr ApprovalKindRow kApprovalKindRows[] = {
    {C::kPurchase, ApprovalKind::kPurchase}, {C::kDelete, ApprovalKind::kDelete},
    {C::kAuth, ApprovalKind::kAuth},         {C::kExport, ApprovalKind::kExport},
    {C::kDownload, ApprovalKind::kExport},   {C::kSubmit, ApprovalKind::kSubmit},
    {C::kUpload, ApprovalKind::kSubmit},     {C::kWrite, ApprovalKind::kSubmit},
};

model::ApproverTerms TermsFrom(const std::optional<policy::ApprovalTerms>& terms) {
  if (!terms) return {};
  return {.who = terms->who,
          .count = terms->count,
          .timeout = terms->timeout,
          .approvers = terms->approvers,
          .message = terms->message};
}

std::string MaskedText(const policy::Redactor& redactor, std::string text, std::size_t most) {
  text = MendedUtf8(std::move(text));
  redactor.RedactText(policy::Surface::kPreview, text);
  return text.size() <= most ? text : std::string(Utf8Prefix(text, most)) + "…";
}

ApprovalRequest DraftOf(const ApprovalAsker& asker, const ApprovalGrounds& grounds,
                        const policy::Redactor& redactor) {
  ApprovalRequest out{.tenant = asker.tenant,
                      .agent_id = asker.agent_id,
                      .workflow = asker.workflow,
                      .session = asker.session,
                      .turn = asker.turn,
                      .action_id = asker.action,
                      .call = asker.call,
                      .action_type = KindOf(grounds.risk),
                      .amount = grounds.risk.amount,
                      .triggered_policies = grounds.policies,
                      .risk_level = grounds.risk.level,
                      .terms = TermsFrom(grounds.terms)};
  for (const policy::RiskReason& reason : grounds.risk.reasons) {
    out.risk_reasons.push_back(MaskedText(redactor, reason.text, kPayloadBytes));
  }
  out.terms.message = MaskedText(redactor, std::move(out.terms.message), kDescriptionBytes);
  return out;
}

// The beginning of what leaves, on one line; it says so when it is not all.
std::string PayloadLine(const model::RequestPreview& preview) {
  std::string out;
  const auto add = [&out](const std::string& piece) { out += (out.empty() ? "" : ", ") + piece; };
  for (const model::PreviewField& field : preview.fields) add(field.name + "=" + field.value);
  for (const model::PreviewFile& file : preview.files) {
    const std::string size = file.is_known ? std::to_string(file.bytes) : "unknown";
    add(fmt::format("{}=[file {}, {} bytes]", file.field, file.name, size));
  }
  if (!preview.body.empty()) add(preview.body);
  const bool is_binary = preview.form == model::PreviewForm::kBinary;
  if (is_binary) add(fmt::format("[binary, {} bytes]", preview.body_bytes));
  if (out.size() <= kPayloadBytes) return out;
  const std::string_view shown = Utf8Prefix(out, kPayloadBytes);
  return fmt::format("{}… [the first {} of {} bytes]", shown, shown.size(), out.size());
}

}  // namespace

ApprovalKind KindOf(const policy::Risk& risk) {
  const auto* row = std::ranges::find_if(kApprovalKindRows, [&](const ApprovalKindRow& r) {
    return risk.capabilities.Contains(r.needs);
  });
  return row == std::end(kApprovalKindRows) ? ApprovalKind::kCustom : row->kind;
}

ApprovalGrounds GroundsOf(const policy::Risk& risk, const policy::PolicyDecision& decision) {
  ApprovalGrounds grounds{.risk = risk, .policies = {}, .terms = decision.approval};
  for (const policy::MatchedRule& rule : decision.matched) {
    if (rule.effect == policy::Effect::kRequireApproval) grounds.policies.push_back(rule.name);
  }
  return grounds;
}

bool Tighten(ApprovalGrounds& both, const ApprovalGrounds& more) {
  for (const std::string& policy : more.policies) {
    if (std::ranges::find(both.policies, policy) == both.policies.end())
      both.policies.push_back(policy);
  }
  const model::CapabilitySet needed = both.risk.capabilities | more.risk.capabilities;
  if (more.risk.level > both.risk.level) both.risk = more.risk;
  both.risk.capabilities = needed;
  if (!both.terms) both.terms = more.terms;
  return !more.terms || policy::Tighten(*both.terms, *more.terms);
}

ApprovalRequest DraftForRequest(const ApprovalAsker& asker, const ApprovalGrounds& grounds,
                                const HeldBytes& held, std::string digest,
                                const policy::Redactor& redactor) {
  ApprovalRequest out = DraftOf(asker, grounds, redactor);
  out.preview = PreviewOf(held, grounds.risk, redactor);
  out.description = out.preview->effect;
  out.target_url = out.preview->url;
  out.http_method = out.preview->method;
  out.payload_preview = PayloadLine(*out.preview);
  out.digest = std::move(digest);
  return out;
}

ApprovalRequest DraftForAction(const ApprovalAsker& asker, const ApprovalGrounds& grounds,
                               const ActionInWords& action, const policy::Redactor& redactor) {
  ApprovalRequest out = DraftOf(asker, grounds, redactor);
  out.preview = PreviewOf(action, redactor);
  out.description = out.preview->effect;
  out.target_url = out.preview->url;
  out.payload_preview = PayloadLine(*out.preview);
  out.digest = action.digest;
  return out;
}

}  // namespace falconer::engine
