#include "app/act/act_report.h"

#include <chrono>
#include <fmt/format.h>

#include "model/plain_text.h"
#include "model/state/delta.h"
#include "model/view/page_view.h"

namespace falconer::app {
namespace {

// A few lines: what changed is in the result in full.
constexpr std::size_t kChangeTokens = 160;
constexpr std::string_view kIndent = "         ";

struct ActHintRow {
  ErrorCode code;
  std::string_view hint;
};

constexpr std::string_view kContractHint =
    "docs/contract.md describes every field; `falconer schema contract` prints the JSON Schema";
constexpr std::string_view kElementHint =
    "a contract with {\"action_type\": \"state_snapshot\"} shows what the page has";
constexpr std::string_view kRulesHint = "--json shows every rule with what was observed";
constexpr std::string_view kContractTimeHint =
    "the contract's own timeout (total_ms, wait_ms, ...) may be too short: docs/contract.md";

constexpr ActHintRow kActHints[] = {
    {ErrorCode::kInvalidArgument, "`falconer act --help` shows what FILE may hold"},
    {ErrorCode::kInvalidContract, kContractHint},
    {ErrorCode::kInvalidActionSpec, "docs/driver.md describes every action"},
    {ErrorCode::kInvalidWaitCondition, "docs/driver.md describes every wait"},
    {ErrorCode::kInvalidSelector, "docs/driver.md describes selectors"},
    {ErrorCode::kMissingPostActionGuard, kContractHint},
    {ErrorCode::kPreconditionFailed, kRulesHint},
    {ErrorCode::kPostconditionFailed, kRulesHint},
    {ErrorCode::kElementNotFound, kElementHint},
    {ErrorCode::kElementAmbiguous, kElementHint},
    {ErrorCode::kWaitTimeout, kContractTimeHint},
    {ErrorCode::kTimeout, kContractTimeHint},
    {ErrorCode::kOutcomeUnknown,
     "look at the page before sending anything again; the contract itself is never repeated"},
    {ErrorCode::kSecurityDomainBlock,
     "allow the host if it should be: --set policy.allow_domains=HOST; docs/act.md says more"},
    {ErrorCode::kSessionLeaseNotAcquired,
     "another program works on this workflow; --workflow NAME takes another one"},
    {ErrorCode::kCancelled, "nothing is left running, and the ledger has what was done"},
};

Ink InkOf(ActEnd end) {
  return end == ActEnd::kOk ? Ink::kGreen : Ink::kRed;
}

std::string WordFor(const model::ActionExecutionResult& result, ActEnd end) {
  const bool is_cancelled = result.failure && result.failure->code == ErrorCode::kCancelled;
  return std::string(is_cancelled ? "CANCELLED" : RowOf(end).word);
}

}  // namespace

std::string ActHintFor(const Error& error) {
  if (auto exact = ExactHintFor(error)) return *std::move(exact);
  for (const ActHintRow& row : kActHints) {
    if (row.code == error.code()) return std::string(row.hint);
  }
  return std::string(HintFor(error.code()));
}

void ActReport::Say(std::string_view line) {
  if (form_ == OutputForm::kText) terminal_.Print(line);
}

void ActReport::Began(std::string_view name, std::string_view what) {
  Say(fmt::format("  {:<6} {}", model::PlainLine(name), model::PlainLine(what)));
}

void ActReport::Ended(std::string_view name, const model::ActionExecutionResult& result, ActEnd end,
                      Duration took) {
  if (form_ == OutputForm::kJson) return;
  const std::chrono::duration<double, std::milli> ms = took;
  const std::string place =
      result.ledger ? fmt::format("  ledger {} #{}", result.ledger->chain, result.ledger->seq)
                    : "  not on record";
  Say(fmt::format("  {:<6} {}{}", model::PlainLine(name),
                  terminal_.Paint(InkOf(end), WordFor(result, end)),
                  terminal_.Paint(Ink::kDim, fmt::format("  {:.1f} ms{}", ms.count(), place))));
  if (result.failure) SayFailure(*result.failure);
  SayChanges(result);
}

void ActReport::SayFailure(const model::ActionFailure& failure) {
  const Error error(failure.code, model::PlainLine(failure.message), failure.details);
  Say(fmt::format("{}{}", kIndent, Describe(error)));
  Say(fmt::format("{}hint: {}", kIndent, ActHintFor(error)));
}

void ActReport::SayChanges(const model::ActionExecutionResult& result) {
  if (!result.state_delta) return;
  const auto delta = model::StateDelta::FromJson(*result.state_delta);
  if (!delta || delta->is_empty()) return;
  const model::FittedView view = model::Fit(model::DeltaView(*delta), kChangeTokens);
  std::string_view rest = view.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    Say(terminal_.Paint(Ink::kDim, std::string(kIndent) + model::PlainLine(rest.substr(0, end))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void ActReport::Answer(std::string_view bytes) {
  if (form_ == OutputForm::kJson) terminal_.Print(bytes);
}

void ActReport::Broke(const Error& error) {
  PrintError(terminal_, form_, error, ActHintFor(error));
}

}  // namespace falconer::app
