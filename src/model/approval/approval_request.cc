#include "model/approval/approval_request.h"

#include <utility>

#include "base/hex.h"
#include "base/random.h"

namespace falconer::model {
namespace {

constexpr std::string_view kApprovalIdPrefix = "apr_";
constexpr std::size_t kApprovalIdDigits = 24;
constexpr std::size_t kDigestDigits = 64;

struct ApprovalText {
  std::string_view key;
  const std::string& text;
};

void PutApprovalTexts(json::object& out, std::initializer_list<ApprovalText> rows) {
  for (const ApprovalText& row : rows) {
    if (!row.text.empty()) out[row.key] = row.text;
  }
}

std::string ApprovalTextAt(JsonReader& in, std::string_view key) {
  return in.OptionalString(key).value_or("");
}

std::vector<std::string> ApprovalTextsAt(JsonReader& in, std::string_view key) {
  return in.OptionalStrings(key).value_or(std::vector<std::string>());
}

json::array ApprovalTextList(const std::vector<std::string>& texts) {
  json::array out;
  for (const std::string& text : texts) out.emplace_back(text);
  return out;
}

std::int64_t ApprovalMs(WallTime time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

WallTime ReadApprovalTime(JsonReader& in, std::string_view key) {
  return WallTime(in.Milliseconds(key, {.min = 0}));
}

json::object AmountJson(const Money& amount) {
  json::object out{{"value", Money{amount.ten_thousandths, ""}.ToText()}};
  if (!amount.currency.empty()) out["currency"] = amount.currency;
  return out;
}

Money ReadApprovalAmount(JsonReader& in) {
  const auto value = ParseTenThousandths(in.String("value"));
  if (!value) in.Reject("value", "expected a number such as \"12.50\"");
  std::string currency = ApprovalTextAt(in, "currency");
  if (!currency.empty() && !IsCurrencyCode(currency)) {
    in.Reject("currency", "expected three upper-case letters");
  }
  return {.ten_thousandths = value.value_or(0), .currency = std::move(currency)};
}

json::object TermsJson(const ApproverTerms& terms) {
  json::object out{{"who", NameIn(kApproverRanks, terms.who)}, {"count", terms.count}};
  if (terms.timeout.count() > 0) out["timeout_ms"] = terms.timeout.count();
  if (!terms.approvers.empty()) out["approvers"] = ApprovalTextList(terms.approvers);
  if (!terms.message.empty()) out["message"] = terms.message;
  return out;
}

ApproverTerms ReadApproverTerms(JsonReader& in) {
  return {.who = in.Enum("who", kApproverRanks),
          .count = in.Integer("count", kApproverCounts),
          .timeout = in.OptionalMilliseconds("timeout_ms", kApprovalTimes)
                         .value_or(std::chrono::milliseconds(0)),
          .approvers = ApprovalTextsAt(in, "approvers"),
          .message = ApprovalTextAt(in, "message")};
}

void ReadAsker(JsonReader& in, ApprovalRequest& out) {
  out.request_id = in.String("request_id");
  out.tenant = TenantId(in.String("tenant"));
  out.agent_id = in.String("agent_id");
  // Records of older versions have the id once more as a name, and an account that nobody knew.
  for (const std::string_view key : {"agent_name", "subject"}) (void)in.OptionalString(key);
  out.workflow = WorkflowId(ApprovalTextAt(in, "workflow"));
  out.session = SessionId(ApprovalTextAt(in, "session"));
  out.turn = TurnId(ApprovalTextAt(in, "turn"));
  out.action_id = ActionId(ApprovalTextAt(in, "action_id"));
  out.call = ApprovalTextAt(in, "call");
  out.owner = ApprovalTextAt(in, "owner");
}

void ReadMatter(JsonReader& in, ApprovalRequest& out) {
  out.action_type = in.Enum("action_type", kApprovalKinds);
  out.description = in.String("description");
  out.target_url = ApprovalTextAt(in, "target_url");
  out.http_method = ApprovalTextAt(in, "http_method");
  out.payload_preview = ApprovalTextAt(in, "payload_preview");
  out.amount = in.OptionalObject("amount", ReadApprovalAmount);
  out.requires_auth = in.Bool("requires_auth");
  out.triggered_policies = ApprovalTextsAt(in, "triggered_policies");
  out.risk_level = in.Enum("risk_level", kRiskLevels);
  out.risk_reasons = ApprovalTextsAt(in, "risk_reasons");
  out.digest = in.String("digest");
  out.preview = in.OptionalObject("preview", ReadRequestPreview);
}

ApprovalRequest ReadApprovalRequest(JsonReader& in) {
  ApprovalRequest out;
  ReadAsker(in, out);
  ReadMatter(in, out);
  out.terms = in.Object("terms", ReadApproverTerms);
  out.asked = ReadApprovalTime(in, "asked_ms");
  out.expires = ReadApprovalTime(in, "expires_ms");
  return out;
}

std::unexpected<Error> NotAsked(std::string_view field, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument,
              "approval." + std::string(field) + ": " + std::string(why));
}

}  // namespace

json::object ApprovalRequest::ToJson() const {
  json::object out{{"request_id", request_id},
                   {"tenant", tenant.value()},
                   {"agent_id", agent_id},
                   {"action_type", NameIn(kApprovalKinds, action_type)},
                   {"description", description},
                   {"requires_auth", requires_auth},
                   {"triggered_policies", ApprovalTextList(triggered_policies)},
                   {"risk_level", NameIn(kRiskLevels, risk_level)},
                   {"risk_reasons", ApprovalTextList(risk_reasons)},
                   {"digest", digest},
                   {"terms", TermsJson(terms)},
                   {"asked_ms", ApprovalMs(asked)},
                   {"expires_ms", ApprovalMs(expires)}};
  PutApprovalTexts(out, {{"workflow", workflow.value()},
                         {"session", session.value()},
                         {"turn", turn.value()},
                         {"action_id", action_id.value()},
                         {"call", call},
                         {"owner", owner},
                         {"target_url", target_url},
                         {"http_method", http_method},
                         {"payload_preview", payload_preview}});
  if (amount) out["amount"] = AmountJson(*amount);
  if (preview) out["preview"] = preview->ToJson();
  return out;
}

Result<ApprovalRequest> ApprovalRequest::FromJson(const json::value& value, std::string path) {
  TRY_ASSIGN(ApprovalRequest request, ReadJson(value, std::move(path), ReadApprovalRequest));
  TRY(request.Validate());
  return request;
}

Result<void> ApprovalRequest::Validate() const {
  if (!IsApprovalId(request_id)) return NotAsked("request_id", "expected apr_ and 24 hex digits");
  if (tenant.empty()) return NotAsked("tenant", "must not be empty");
  if (agent_id.empty()) return NotAsked("agent_id", "must not be empty");
  if (description.empty()) return NotAsked("description", "must not be empty");
  if (digest.size() != kDigestDigits || !IsHex(digest)) {
    return NotAsked("digest", "expected 64 hex digits");
  }
  if (!kApproverCounts.Contains(terms.count)) return NotAsked("terms.count", "expected 1 to 100");
  const auto named = static_cast<std::int64_t>(terms.approvers.size());
  if (named > 0 && named < terms.count) {
    return NotAsked("terms.count", "more approvals are asked for than there are approvers");
  }
  if (expires <= asked) return NotAsked("expires_ms", "must be later than asked_ms");
  return {};
}

std::string NewApprovalId() {
  return std::string(kApprovalIdPrefix) + RandomHex(kApprovalIdDigits / 2);
}

bool IsApprovalId(std::string_view text) {
  if (!text.starts_with(kApprovalIdPrefix)) return false;
  text.remove_prefix(kApprovalIdPrefix.size());
  return text.size() == kApprovalIdDigits && IsHex(text);
}

}  // namespace falconer::model
