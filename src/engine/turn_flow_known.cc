// What becomes of a contract that was sent before. Whoever may not have it carried out is not told
// what came of it either: the gates about the caller are asked before any such answer.

#include <utility>

#include "engine/attempt_rules.h"
#include "engine/recorded_answer.h"
#include "engine/turn_flow.h"

namespace falconer::engine {
namespace {

// A new session shows nothing, and what must be absent is absent there.
bool ShowsAPage(const DriveKit& kit) {
  const auto tab = kit.session->tabs().Active();
  return tab && !(*tab)->url().empty() && !(*tab)->url().starts_with("about:");
}

}  // namespace

Task<Result<kernel::AnswerBytes>> TurnFlow::Known(CallContext ctx) {
  // A dry run has no effect that could be doubled, and what it answers changes with the page.
  if (sent_.contract->dry_run) co_return co_await Decide(std::move(ctx));
  const auto ready = co_await runtime_.parts().index.Ready(ctx, sent_.caller.tenant);
  if (!ready) co_return co_await NotBegun(ready.error());
  // Who may not have the answer does not wait for it either.
  if (runtime_.parts().actions.IsUnderWay(sent_.Name())) {
    kernel::Verdict verdict = co_await AskAboutCaller(ctx, PageUrl());
    if (!verdict.is_admit()) co_return co_await Refuse(std::move(verdict));
  }
  auto standing = co_await runtime_.parts().actions.Begin(ctx, sent_.Name());
  if (!standing) co_return co_await NotBegun(standing.error());
  if (standing->claim) claim_.emplace(*std::move(standing->claim));
  if (standing->answer) co_return co_await Join(std::move(ctx), standing->answer);
  if (!standing->known) co_return co_await Decide(std::move(ctx));
  if (standing->known->is_over) co_return co_await AnswerFrom(std::move(ctx), *standing->known);
  // Whoever holds the workflow may be carrying it out at this moment: the lease gate says so.
  if (!*sent_.session->lease) co_return co_await Decide(std::move(ctx));
  co_return co_await FindOut(std::move(ctx), *standing->known);
}

// Nothing is taken and nothing used up: a token that was used once for this contract is as good for
// its answer as it was for the turn.
Task<kernel::Verdict> TurnFlow::AskAboutCaller(CallContext ctx, std::string page_url) {
  kernel::Verdict verdict =
      co_await AskGates(std::move(ctx), kernel::GateReach::kCaller, std::move(page_url));
  // Should a turn come of it after all, its own gates are asked.
  if (verdict.is_admit()) records_.decisions() = DecisionLog();
  co_return verdict;
}

// What another caller who sent it at the same time was answered. Asked once more: much may have
// changed while he waited.
Task<Result<kernel::AnswerBytes>> TurnFlow::Join(CallContext ctx, kernel::AnswerBytes answer) {
  kernel::Verdict verdict = co_await AskAboutCaller(std::move(ctx), PageUrl());
  if (!verdict.is_admit()) co_return co_await Refuse(std::move(verdict));
  co_return answer;
}

// The same bytes again, from the record that has them. The page that counts is the one it happened
// in, wherever the tab is by now.
Task<Result<kernel::AnswerBytes>> TurnFlow::AnswerFrom(CallContext ctx, kernel::KnownAction known) {
  auto recorded =
      FindAnswer(runtime_.parts().ledger, sent_.caller.tenant, known, sent_.identity.digest);
  kernel::Verdict verdict =
      co_await AskAboutCaller(std::move(ctx), recorded ? recorded->page_url : PageUrl());
  if (!verdict.is_admit()) co_return co_await Refuse(std::move(verdict));
  if (!recorded && recorded.error().code() == ErrorCode::kRecordArchived) {
    auto result = Failed(recorded.error());
    result.turn_id = known.turn;
    co_return co_await AnswerUnsealed(std::move(result));
  }
  CO_TRY(recorded);
  co_return TurnRecords::BytesOf(recorded->result.ToJson());
}

// Somebody began it, and a crash came. Whether it happened is looked at, never tried.
Task<Result<kernel::AnswerBytes>> TurnFlow::FindOut(CallContext ctx, kernel::KnownAction known) {
  sent_.page_url = PageUrl();
  kernel::Verdict verdict = co_await AskAboutCaller(ctx, sent_.page_url);
  if (!verdict.is_admit()) co_return co_await Refuse(std::move(verdict));
  auto result =
      Failed(Error(ErrorCode::kOutcomeUnknown,
                   "the action was begun before a crash; whether it happened is unknown"));
  const auto kit = co_await runtime_.KitOf(ctx, sent_.session);
  if (kit && !sent_.contract->expected_postconditions.empty() && ShowsAPage(**kit)) {
    const auto report = co_await Reobserve(ctx, kit->get(), &*sent_.contract);
    result.verification = report;
    result.success = ShowsItHappened(report);
    if (result.success) result.failure.reset();
  }
  result.turn_id = known.turn;
  records_.set_opened(known.seq);
  result.metadata["reobserved"] = result.verification.has_value();
  // Still unknown: it stays open.
  if (!result.success) co_return co_await AnswerUnsealed(std::move(result));
  co_return co_await Seal(nullptr, std::move(result));
}

// An answer about a turn that is no end of it: whoever asks again makes us look again.
Task<Result<kernel::AnswerBytes>> TurnFlow::AnswerUnsealed(model::ActionExecutionResult result) {
  result.action_id = sent_.identity.action_id;
  return records_.Unsealed(std::move(result));
}

}  // namespace falconer::engine
