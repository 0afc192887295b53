#include "engine/control/turn_warden.h"

#include <utility>

#include "engine/control/denial.h"
#include "kernel/gates/risk_gate.h"

namespace falconer::engine {
namespace {

std::string InWords(const ControlGrounds& grounds, const std::string& url) {
  return "Carry out " + std::string(model::ActionName(grounds.action.type)) +
         (url.empty() ? "" : " at " + url);
}

}  // namespace

TurnWarden::TurnWarden(HoldKeeper& keeper, const Clock& clock, ControlGrounds grounds,
                       CancelToken wanted)
    : keeper_(keeper), control_(std::make_shared<TurnControl>(std::move(grounds), clock)) {
  keeper_.Begin(control_, std::move(wanted));
}

void TurnWarden::At(std::string page_url, std::string target_url) {
  page_url_ = std::move(page_url);
  target_url_ = std::move(target_url);
}

Result<void> TurnWarden::Heed(std::string_view about, const Ruling& ruling) {
  const std::string id = control_->Note(about, page_url_, ruling);
  if (ruling.effect != Ruling::Effect::kRefuse) return {};
  return std::unexpected(WithDenial(*ruling.error, id));
}

Task<Result<void>> TurnWarden::Meets(model::ElementFacts met) {
  co_return Heed("element", control_->JudgeElement(std::move(met), page_url_));
}

Task<Result<void>> TurnWarden::BeforeEffect(CallContext ctx) {
  const model::ActionType action = control_->grounds().action.type;
  // What meets an element was judged with it, and what it sends is held.
  if (kernel::MeetsElement(action) && !IsAskedFirst(action)) co_return Result<void>();
  Ruling ruling = control_->JudgeAction(page_url_, target_url_);
  CO_TRY(Heed("action", ruling));
  if (ruling.effect != Ruling::Effect::kAsk) co_return Result<void>();
  co_return co_await Ask(std::move(ctx), std::move(ruling));
}

Task<Result<void>> TurnWarden::Ask(CallContext ctx, Ruling ruling) {
  const ControlGrounds& grounds = control_->grounds();
  const ActionInWords action{
      .what = InWords(grounds, target_url_), .url = page_url_, .digest = grounds.contract_digest};
  const StandingStill meanwhile(keeper_.stops());
  auto request = DraftForAction(grounds.asker, ruling.grounds, action, keeper_.desks().redactor);
  CO_TRY_ASSIGN(const ApprovalOutcome outcome,
                co_await keeper_.desks().approvals.Ask(std::move(ctx), std::move(request)));
  co_return outcome.Check();
}

Task<void> TurnWarden::Settled(CallContext ctx) {
  const auto settled = co_await keeper_.Settled(std::move(ctx));
  // Nothing of a turn leaves after its end was told.
  if (!settled) co_await keeper_.CallOff(settled.error());
}

void TurnWarden::Judge(model::ActionExecutionResult& result) const {
  if (!control_->rulings().empty()) result.metadata["rulings"] = control_->rulings();
  if (!control_->failure()) return;
  result.success = false;
  result.failure = model::ActionFailure::Of(*control_->failure());
}

}  // namespace falconer::engine
