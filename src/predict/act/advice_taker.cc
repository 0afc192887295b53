#include "predict/act/advice_taker.h"

#include <utility>

#include "predict/act/advised_step.h"
#include "predict/act/effect_seen.h"
#include "predict/signature.h"

namespace falconer::predict {
namespace {

std::vector<std::string> NamesOf(const ParameterValues& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

std::vector<std::string> TypedIn(const ParameterValues& values) {
  std::vector<std::string> typed;
  for (const auto& [name, value] : values) typed.push_back(value);
  return typed;
}

// The open step that the model means, when it is one of them.
const OpenStep* MeantIn(const Scene& scene, const AdvisedAction& advised) {
  for (std::size_t i = 0; i < scene.open.size(); ++i) {
    const bool is_there = !advised.ref.empty() && scene.findings[i].ref == advised.ref;
    if (is_there && ActionOf(scene.open[i].step) == ActionOf(advised.now)) return &scene.open[i];
  }
  return nullptr;
}

}  // namespace

bool AdviceTaker::MayAsk() const {
  return frame_.rooms().adviser != nullptr && frame_.order().mode == RunMode::kAct &&
         !frame_.is_over();
}

bool AdviceTaker::ShouldAsk(double confidence) const {
  return MayAsk() && confidence < frame_.order().limits.model_below;
}

void AdviceTaker::AskPeople(RunQuestion question, std::string why) {
  question.why += "; " + std::move(why);
  frame_.Ask(std::move(question));
}

Task<bool> AdviceTaker::AskAndTake(Scene scene, RunQuestion otherwise) {
  auto seen = co_await frame_.rooms().page.Elements(frame_.ctx());
  if (!seen) {
    frame_.EndFor(seen.error());
    co_return false;
  }
  seen_ = *std::move(seen);
  const ParameterValues& values = frame_.order().values;
  AdviceQuestion question{.done = frame_.DoneSoFar(),
                          .still = frame_.way().Still(),
                          .parameters = NamesOf(values),
                          .page = PagePattern(frame_.rooms().page.Url(), TypedIn(values)),
                          .elements = seen_};
  ++frame_.numbers().asked_model;
  auto advice = co_await frame_.rooms().adviser->Ask(frame_.ctx(), std::move(question));
  if (!advice) {
    if (!frame_.ctx().StillWanted("advice")) {
      frame_.EndFor(advice.error());
    } else {
      AskPeople(std::move(otherwise), std::string(advice.error().name()));
    }
    co_return false;
  }
  frame_.numbers().model_tokens += advice->tokens;
  co_return co_await Take(std::move(scene), *std::move(advice), std::move(otherwise));
}

Task<bool> AdviceTaker::Take(Scene scene, Advice advice, RunQuestion otherwise) {
  if (!advice.action_spec) {
    AskPeople(std::move(otherwise), "model_sees_nothing_to_do");
    co_return false;
  }
  auto advised =
      AdvisedFrom(*advice.action_spec, seen_, frame_.order().values, frame_.rooms().page.Url());
  if (!advised) {
    AskPeople(std::move(otherwise), std::string(advised.error().name()));
    co_return false;
  }
  ChosenStep chosen{.source = "model", .reason = "advised", .by = ChosenBy::kModel};
  if (const OpenStep* meant = MeantIn(scene, *advised)) {
    chosen.open = *meant;
    co_return co_await carrier_.CarryOut(std::move(chosen));
  }
  chosen.open = {.step = advised->now, .symbol = SymbolOf(advised->now.signature)};
  // Nobody asked for this step by a name: it may do no more than prediction alone.
  const Validation found = Validate({.step = chosen.open.step,
                                     .freedom = Freedom::kFree,
                                     .needs = NeedsOf(frame_, chosen.open.step)});
  if (!found.is_valid()) {
    if (found.validity == Validity::kUnsafe) ++frame_.numbers().unsafe_filtered;
    AskPeople(std::move(otherwise), found.reason());
    co_return false;
  }
  const std::string after = frame_.last_step();
  const bool is_done = co_await carrier_.CarryOut(std::move(chosen));
  if (is_done && advised->can_be_kept && carrier_.had_effect()) {
    frame_.rooms().memory.OnAdvised(
        {.workflow = frame_.order().workflow, .after = after, .step = std::move(advised->kept)});
  }
  co_return is_done;
}

}  // namespace falconer::predict
