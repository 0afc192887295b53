#include "engine/control/turn_warden.h"

#include <algorithm>
#include <utility>

#include "engine/control/denial.h"
#include "model/site.h"
#include "model/url.h"

namespace falconer::engine {

TurnWarden::TurnWarden(HoldKeeper& keeper, const Clock& clock, ControlGrounds grounds,
                       CancelToken wanted)
    : keeper_(keeper), control_(std::make_shared<TurnControl>(std::move(grounds), clock)) {
  keeper_.Begin(control_, std::move(wanted));
}

Result<std::string> TurnWarden::Heed(const Ruling& ruling) {
  std::string id = control_->Note(ruling);
  if (ruling.effect != Ruling::Effect::kRefuse) return id;
  return std::unexpected(WithDenial(*ruling.error, id));
}

Task<Result<void>> TurnWarden::Meets(CallContext ctx, model::ElementFacts met) {
  met_ = met;
  page_url_ = met.page_url;
  const Ruling ruling = control_->JudgeElement(std::move(met));
  CO_TRY_ASSIGN(std::string id, Heed(ruling));
  has_met_ = true;
  if (ruling.is_due && HasOpenSocket()) asked_first_ = ruling;
  co_return co_await Count(std::move(ctx), &ruling, std::move(id));
}

Task<Result<void>> TurnWarden::Count(CallContext ctx, const Ruling* ruling, std::string id) {
  const auto counted = co_await control_->Count(std::move(ctx), &keeper_.desks().rates, ruling, id);
  if (!counted) co_return std::unexpected(WithDenial(counted.error(), id));
  co_return Result<void>();
}

bool TurnWarden::HasOpenSocket() const {
  const std::string host = model::SplitUrl(page_url_).host;
  const auto is_ours = [&](const std::string& url) {
    return model::AreOfOneSite(model::SplitUrl(url).host, host);
  };
  return std::ranges::any_of(keeper_.session()->tabs().all(), [&](const auto& tab) {
    return std::ranges::any_of(tab->network().OpenSockets(), is_ours);
  });
}

Task<Result<void>> TurnWarden::BeforeAttempt(CallContext ctx, PageUrl page_url) {
  if (asked_first_) {
    CO_TRY(co_await Ask(ctx, *asked_first_));
    asked_first_.reset();
  }
  // What met an element was judged with it, and what it sends is held.
  const bool has_met = std::exchange(has_met_, false);
  const bool is_judged = has_met && !IsAskedFirst(control_->grounds().action.type);
  if (is_judged) co_return Result<void>();
  if (!has_met) met_.reset();
  // The page may go elsewhere while people decide.
  for (std::string now = page_url(); allowed_at_ != Place(now); now = page_url()) {
    page_url_ = now;
    const Ruling ruling = control_->JudgeAction(page_url_, target_url_);
    CO_TRY_ASSIGN(std::string id, Heed(ruling));
    if (ruling.effect == Ruling::Effect::kAsk) CO_TRY(co_await Ask(ctx, ruling));
    CO_TRY(co_await Count(ctx, &ruling, std::move(id)));
    allowed_at_ = Place(page_url_);
  }
  co_return Result<void>();
}

Task<Result<void>> TurnWarden::Ask(CallContext ctx, Ruling ruling) {
  const ControlGrounds& grounds = control_->grounds();
  const StandingStill meanwhile(keeper_.stops());
  AskedAction asked{.told = grounds.told,
                    .page_url = page_url_,
                    .target_url = target_url_,
                    .contract_digest = grounds.contract_digest,
                    .element = met_,
                    .artifacts = keeper_.session()->options().artifacts};
  CO_TRY_ASSIGN(ShownAction shown, co_await ShowAction(ctx, std::move(asked)));
  auto request =
      DraftForAction(grounds.asker, ruling.grounds, shown.words, keeper_.desks().redactor);
  CO_TRY_ASSIGN(auto approval, co_await keeper_.AskPeople(ctx, std::move(request)));
  co_return co_await keeper_.CheckApproved(std::move(ctx), control_.get(), std::move(approval),
                                           std::move(shown.files));
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
