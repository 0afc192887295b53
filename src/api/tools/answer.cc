#include "api/tools/answer.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "api/tools/view_guard.h"
#include "base/utf8.h"
#include "engine/attempt_rules.h"
#include "model/network.h"
#include "model/plain_text.h"
#include "model/token_estimate.h"
#include "model/view/page_view.h"

namespace falconer::api {
namespace {

using model::ViewLine;
using model::Weight;

constexpr std::size_t kMostRemarks = 5;
constexpr std::size_t kLongestUrl = 160;
constexpr std::size_t kLongestMessage = 400;

// What helps a model that met this code. Codes without a row need no more than their message.
struct HintRow {
  ErrorCode code;
  std::string_view hint;
};

constexpr HintRow kHints[] = {
    {ErrorCode::kStaleRef, "take browser_snapshot and use a ref from it"},
    {ErrorCode::kElementNotFound, "take browser_snapshot or use find to see what is there"},
    {ErrorCode::kElementAmbiguous, "use a ref, or a selector that matches one element"},
    {ErrorCode::kElementObscured, "close or scroll away what covers it"},
    {ErrorCode::kElementNotEnabled, "something else has to be filled in or chosen first"},
    {ErrorCode::kDialogOpen, "answer it with browser_handle_dialog"},
    {ErrorCode::kNoDialog, "there is nothing to answer"},
    {ErrorCode::kOutcomeUnknown, "look at the page before doing it again"},
    {ErrorCode::kSecurityDomainBlock, "the setting policy.allow_domains says what may be visited"},
    {ErrorCode::kPolicyDenied, "the policy says no: do not try to do it another way"},
    {ErrorCode::kSecurityApprovalRequired,
     "execute_action with a contract asks the person you work for"},
    {ErrorCode::kApprovalDenied, "a person said no: do not try to do it another way"},
    {ErrorCode::kApprovalTimeout, "nobody decided in time; the person you work for can say more"},
    {ErrorCode::kSessionLeaseNotAcquired, "another program has this session: use another name"},
    {ErrorCode::kBrowserLaunchFailed, "falconer doctor says what is wrong"},
    {ErrorCode::kSessionClosed, "the next call opens a new session"},
    {ErrorCode::kTabCrashed, "browser_navigate brings it back"},
};

std::string_view HintFor(ErrorCode code) {
  const auto row = std::ranges::find(kHints, code, &HintRow::code);
  return row == std::end(kHints) ? std::string_view() : row->hint;
}

// What a script said comes from a page; our own messages quote what does.
std::string MessageOf(const model::ActionFailure& failure) {
  if (failure.code == ErrorCode::kScriptError)
    return model::Quoted(failure.message, kLongestMessage);
  return model::PlainLine(Utf8Prefix(failure.message, kLongestMessage));
}

std::optional<std::chrono::milliseconds> RetryAfterOf(const model::ActionFailure& failure) {
  const json::value* known = failure.details.if_contains("retry_after_ms");
  std::int64_t after = failure.retry_after ? failure.retry_after->count() : 0;
  if (after == 0 && known != nullptr && known->is_int64()) after = known->get_int64();
  return after > 0 ? std::optional(std::chrono::milliseconds(after)) : std::nullopt;
}

std::string RetryText(const model::ActionFailure& failure) {
  if (!failure.retryable) return "retry: no";
  const auto after = RetryAfterOf(failure);
  return after ? fmt::format("retry: after {} ms", after->count()) : "retry: yes";
}

bool IsText(const json::value* value, const std::optional<std::string>& text) {
  return value != nullptr && text && value->is_string() && value->get_string() == *text;
}

void DropFrom(json::object& fields, const Asked& asked) {
  if (IsText(fields.if_contains("value_hint"), asked.value)) fields.erase("value_hint");
  // The default, an empty field, is null.
  const json::value* value = fields.if_contains("value_hint");
  if (value != nullptr && value->is_null() && asked.value == "") fields.erase("value_hint");
  if (asked.value) fields.erase("filled");
  const json::value* checked = fields.if_contains("checked");
  if (checked != nullptr && asked.checked && checked->is_bool() &&
      checked->get_bool() == *asked.checked) {
    fields.erase("checked");
  }
}

void AddFailedChecks(std::vector<ViewLine>& lines, const model::ActionExecutionResult& result) {
  if (!result.verification) return;
  for (const model::RuleOutcome& outcome : result.verification->outcomes) {
    const bool is_told = outcome.is_hard_failure() ||                    // in the failure's message
                         outcome.type == model::RuleType::kNoNewErrors;  // the errors are told
    if (is_told || outcome.verdict != model::RuleVerdict::kFailed) continue;
    lines.push_back({Weight::kAlert, fmt::format("check failed: {} {}", TraitsOf(outcome.type).name,
                                                 model::Quoted(outcome.detail))});
  }
}

std::string RequestLine(const json::object& event) {
  const json::value* status = event.if_contains("status");
  const std::string outcome =
      status != nullptr && status->is_int64()
          ? std::to_string(status->get_int64())
          : model::Quoted(TextAt(event, "error_signature"), model::kMaxSignature);
  return fmt::format("request failed: {} {} {}", TextAt(event, "method"),
                     model::Quoted(TextAt(event, "url"), kLongestUrl), outcome);
}

// A list of objects in one of the result's own objects; empty when it is not there.
std::vector<json::object> ObjectsAt(const std::optional<json::object>& in, std::string_view key) {
  std::vector<json::object> found;
  const json::value* list = in ? in->if_contains(key) : nullptr;
  if (list == nullptr || !list->is_array()) return found;
  for (const json::value& item : list->get_array()) {
    if (item.is_object()) found.push_back(item.get_object());
  }
  return found;
}

void AddFailedRequests(std::vector<ViewLine>& lines, const model::ActionExecutionResult& result) {
  std::size_t count = 0;
  for (const json::object& event : ObjectsAt(result.network_summary, "failures")) {
    if (TextAt(event, "error_signature") == model::kBlockedByRule) continue;
    if (++count <= kMostRemarks) lines.push_back({Weight::kAlert, RequestLine(event)});
  }
  if (count > kMostRemarks)
    lines.push_back({Weight::kAlert, fmt::format("{} more failed", count - kMostRemarks)});
}

void AddRefused(std::vector<ViewLine>& lines, const model::ActionExecutionResult& result) {
  const auto refused = ObjectsAt(result.outcome, "refused");
  if (refused.empty()) return;
  lines.push_back(
      {Weight::kAlert, fmt::format("refused by policy: {} requests, the first to {}",
                                   refused.size(), model::Quoted(TextAt(refused[0], "url"), 80))});
}

// Where to find what came down: the name it can be uploaded by.
void AddDownloads(std::vector<ViewLine>& lines, const model::ActionExecutionResult& result) {
  for (const model::ResultArtifact& file : result.artifacts) {
    if (!file.artifact_id.starts_with("dl_")) continue;
    lines.push_back({Weight::kDetail, fmt::format("kept {} {} {} bytes", file.artifact_id,
                                                  model::Quoted(file.name, 80), file.bytes)});
  }
}

constexpr std::string_view kRefusedFlag = "requests_refused";
constexpr std::string_view kMayHaveActedFlag = "may_have_acted";

// What changed on the page.
std::vector<ViewLine> NewsLines(const model::StateDelta& delta, QuietNews quiet) {
  std::vector<ViewLine> lines = model::DeltaView(delta);
  const bool says_nothing =
      !delta.is_full() && lines.size() == 1 && lines[0].text == "nothing changed";
  if (says_nothing && quiet == QuietNews::kDrop) lines.clear();
  return lines;
}

}  // namespace

void DropAsked(model::StateDelta& delta, const AnswerStyle& style) {
  for (model::ItemUpdate& update : delta.elements.updated) {
    if (style.focus == FocusNews::kDrop) update.fields.erase("focused");
    for (const Asked& asked : style.asked) {
      if (asked.ref == update.key) DropFrom(update.fields, asked);
    }
  }
}

std::vector<ViewLine> Remarks(const model::ActionExecutionResult& result) {
  std::vector<ViewLine> lines;
  if (result.metadata.contains(engine::kMayHaveActed))
    lines.push_back({Weight::kAlert, "it may have happened: look before you do it again"});
  AddFailedChecks(lines, result);
  AddFailedRequests(lines, result);
  AddRefused(lines, result);
  AddDownloads(lines, result);
  return lines;
}

void NoteForTrace(ToolAnswer& answer, const model::ActionExecutionResult& result) {
  for (const model::ResultArtifact& file : result.artifacts)
    answer.artifacts.push_back(file.artifact_id);
  if (!ObjectsAt(result.outcome, "refused").empty()) answer.policy_flags.emplace_back(kRefusedFlag);
  if (result.metadata.contains(engine::kMayHaveActed))
    answer.policy_flags.emplace_back(kMayHaveActedFlag);
}

std::string FailureText(const model::ActionFailure& failure) {
  std::string text = fmt::format("error {}: {}\n{}", TraitsOf(failure.code).name,
                                 MessageOf(failure), RetryText(failure));
  const std::string_view hint = HintFor(failure.code);
  if (!hint.empty()) text += fmt::format("; {}", hint);
  return text;
}

agent::ToolFailure FailureOf(const model::ActionFailure& failure) {
  return {.error = Error(failure.code, MessageOf(failure)),
          .is_retriable = failure.retryable,
          .retry_after = RetryAfterOf(failure)};
}

ToolAnswer ErrorAnswer(const Error& error) {
  const model::ActionFailure failure = model::ActionFailure::Of(error);
  return {.text = FailureText(failure), .is_error = true, .failure = FailureOf(failure)};
}

ToolAnswer LinesAnswer(std::string head, const std::vector<ViewLine>& lines, std::size_t budget) {
  const std::size_t spent = model::EstimateTokens(head) + 1 + kMarkTokens;
  const std::size_t room = budget - std::min(budget, spent);
  model::FittedView shown = model::Fit(lines, room);
  ToolAnswer answer{.text = std::move(head)};
  if (!answer.text.empty() && !shown.text.empty()) answer.text += "\n";
  // Lines quote what a page says; without any quotes there is nothing of it.
  if (shown.text.contains('"')) answer.page_at = answer.text.size();
  answer.text += shown.text;
  if (shown.cut > 0) answer.trimmed = {.budget = room, .lines = lines, .shown = std::move(shown)};
  return answer;
}

ToolAnswer ResultAnswer(const model::ActionExecutionResult& result,
                        std::optional<model::StateDelta> delta, const AnswerStyle& style,
                        std::size_t budget) {
  std::vector<ViewLine> lines = style.more;
  for (ViewLine& line : Remarks(result)) lines.push_back(std::move(line));
  // A failure is news enough.
  const QuietNews quiet = result.failure ? QuietNews::kDrop : style.quiet;
  if (delta) {
    DropAsked(*delta, style);
    for (ViewLine& line : NewsLines(*delta, quiet)) lines.push_back(std::move(line));
  }
  ToolAnswer answer =
      LinesAnswer(result.failure ? FailureText(*result.failure) : style.head, lines, budget);
  answer.is_error = result.failure.has_value();
  if (result.failure) answer.failure = FailureOf(*result.failure);
  NoteForTrace(answer, result);
  return answer;
}

std::string CutToBudget(std::string text, std::size_t budget) {
  if (model::EstimateTokens(text) <= budget) return text;
  std::size_t fits = 0;
  std::size_t too_much = text.size();
  while (fits + 1 < too_much) {
    const std::size_t middle = fits + (too_much - fits) / 2;
    const bool is_small = model::EstimateTokens(Utf8Prefix(text, middle)) <= budget;
    (is_small ? fits : too_much) = middle;
  }
  const std::string_view shown = Utf8Prefix(text, fits);
  return fmt::format("{}\n(cut: {} of {} bytes shown)", shown, shown.size(), text.size());
}

}  // namespace falconer::api
