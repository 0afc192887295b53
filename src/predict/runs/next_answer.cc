#include "predict/runs/next_answer.h"

#include <algorithm>
#include <fmt/format.h>

#include "predict/act/planner.h"
#include "predict/act/step_contract.h"
#include "predict/signature.h"

namespace falconer::predict {
namespace {

// What may be looked up of them beside their confidence.
constexpr std::size_t kLookedUp = 50;

struct Sight {
  std::vector<OpenStep> open;
  std::vector<std::size_t> present;
  bool has_page = false;
};

// Which of the steps are on the page now. One that is about no element always is.
Task<Result<Sight>> SeeWhatIsThere(CallContext ctx, ActingPage* page, std::vector<OpenStep> open) {
  Sight sight{.open = std::move(open), .has_page = !page->Url().empty()};
  std::vector<engine::ProbedTarget> targets;
  std::vector<std::size_t> asked;
  for (std::size_t at = 0; at < sight.open.size(); ++at) {
    engine::ProbedTarget target = ProbedOf(sight.open[at].step);
    if (target.selectors.empty()) {
      sight.present.push_back(at);
    } else if (sight.has_page) {
      targets.push_back(std::move(target));
      asked.push_back(at);
    }
  }
  if (targets.empty()) co_return sight;
  CO_TRY_ASSIGN(const auto found, co_await page->Probe(std::move(ctx), std::move(targets)));
  for (std::size_t at = 0; at < asked.size() && at < found.size(); ++at)
    if (found[at].is_usable) sight.present.push_back(asked[at]);
  std::ranges::sort(sight.present);
  co_return sight;
}

void PutModelView(const std::vector<Prediction>& predicted, std::uint64_t symbol,
                  json::object& out) {
  const auto found = std::ranges::find(predicted, symbol, &Prediction::symbol);
  if (found == predicted.end()) return;
  out["probability"] = found->probability;
  out["order"] = found->order;
  out["seen"] = found->seen;
}

json::object TellOf(const OpenStep& open) {
  json::object out{{"symbol", fmt::format("{:016x}", open.symbol)},
                   {"signature", open.step.signature},
                   {"intent", open.step.intent}};
  if (open.index) out["step"] = open.step.id;
  return out;
}

json::object TellOf(const Guess& guess, const Sight& sight,
                    const std::vector<Prediction>& predicted) {
  json::object out;
  if (guess.open) {
    out = TellOf(sight.open[*guess.open]);
  } else {
    out = {{"symbol", fmt::format("{:016x}", kBoundary)}, {"intent", "end"}};
  }
  out["confidence"] = guess.confidence;
  out["source"] = guess.source;
  out["present"] = true;
  PutModelView(predicted, guess.open ? sight.open[*guess.open].symbol : kBoundary, out);
  return out;
}

}  // namespace

Task<Result<json::object>> AnswerNext(CallContext ctx, ActingPage* page, const LearntNext* learnt,
                                      const StepWay* way, NextAsk ask) {
  const std::string url = page->Url();
  const RunPlace place{.history = ask.history, .page = learnt->PageOf(url)};
  CO_TRY_ASSIGN(const Sight sight, co_await SeeWhatIsThere(std::move(ctx), page, way->Open(place)));
  const auto guesses = way->Guesses(place, sight.open, sight.present);
  const auto predicted =
      learnt->Predict({.history = ask.history, .page = place.page, .most = kLookedUp});
  json::array list;
  for (const Guess& guess : guesses)
    if (list.size() < ask.most) list.push_back(TellOf(guess, sight, predicted));
  for (std::size_t at = 0; at < sight.open.size() && list.size() < ask.most; ++at) {
    if (std::ranges::find(sight.present, at) != sight.present.end()) continue;
    json::object absent = TellOf(sight.open[at]);
    absent["confidence"] = 0.0;
    absent["source"] = "none";
    absent["present"] = sight.has_page ? json::value(false) : json::value(nullptr);
    PutModelView(predicted, sight.open[at].symbol, absent);
    list.push_back(std::move(absent));
  }
  const auto best = guesses.empty() ? std::nullopt : std::optional(guesses.front().confidence);
  co_return json::object{{"session", ask.session},
                         {"page", PagePattern(url)},
                         {"predictions", std::move(list)},
                         {"plan", PlanNext(best, ask.threshold).ToJson()}};
}

}  // namespace falconer::predict
