#include "predict/learn/tenant_model.h"

#include <algorithm>
#include <utility>

#include "predict/learn/learnable.h"
#include "predict/signature.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kTrailLength = 8;
constexpr std::size_t kMaxTrails = 1024;
constexpr std::size_t kKeptTyping = 32;
// What is kept while the store refuses.
constexpr std::size_t kMaxNews = 10'000;
constexpr std::size_t kMaxNewContexts = 500'000;
// Whoever pauses for longer begins something else.
constexpr auto kSequencePause = std::chrono::minutes(5);

std::int64_t UnixMs(WallTime at) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

std::int32_t DayOf(WallTime at) {
  return static_cast<std::int32_t>(
      std::chrono::duration_cast<std::chrono::days>(at.time_since_epoch()).count());
}

std::uint64_t PageSymbol(const std::string& pattern) {
  return pattern.empty() ? 0 : SymbolOf(pattern);
}

template <typename T>
void KeepNewest(std::vector<T>& all, std::size_t most) {
  if (all.size() > most) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most));
}

template <typename T>
void PutBefore(std::vector<T>& earlier, std::vector<T>& later) {
  earlier.insert(earlier.end(), std::make_move_iterator(later.begin()),
                 std::make_move_iterator(later.end()));
  later = std::move(earlier);
  KeepNewest(later, kMaxNews);
}

bool IsTyped(const model::ActionSpec& spec) {
  return spec.text && !spec.text->is_secret() && !spec.text->value.empty();
}

std::vector<std::string> TextsOf(const std::vector<RecordedStep>& typing) {
  std::vector<std::string> texts;
  for (const RecordedStep& step : typing) texts.push_back(step.spec.text->value);
  return texts;
}

std::int64_t& CountOf(store::KnownAction& action, store::DoneBy by) {
  switch (by) {
    case store::DoneBy::kPerson:
      return action.by_person;
    case store::DoneBy::kAgent:
      return action.by_agent;
    case store::DoneBy::kPrediction:
      return action.by_prediction;
  }
  std::unreachable();
}

}  // namespace

json::object TemplateOf(const RecordedStep& step, const std::vector<RecordedStep>& typing) {
  Recording recording{.id = "step", .workflow = "step", .steps = typing};
  recording.steps.push_back(step);
  auto workflow = WorkflowFrom(recording);
  if (!workflow) return {};
  workflow->steps.erase(workflow->steps.begin(), workflow->steps.end() - 1);
  return workflow->ToJson();
}

json::object TemplateOf(const LearnedWorkflow& workflow, const WorkflowStep& step) {
  LearnedWorkflow alone = workflow;
  alone.steps = {step};
  return alone.ToJson();
}

TenantModel::TenantModel(PredictorOptions options, PredictMeter& meter, std::size_t max_actions)
    : meter_(meter), max_actions_(max_actions), predictor_(options) {
}

void TenantModel::Load(const store::LearntContexts& contexts,
                       std::vector<store::KnownAction> actions) {
  predictor_.Load(contexts.own);
  predictor_.LoadOthers(contexts.others);
  for (store::KnownAction& action : actions) {
    const std::uint64_t symbol = action.symbol;
    actions_.insert_or_assign(symbol, std::move(action));
  }
}

void TenantModel::Note(const std::string& session, const LearntStep& done) {
  if (!IsLearnable(done.step.spec)) return;
  Trail& trail = TrailOf(session);
  if (done.at - trail.last > kSequencePause) Close(trail);
  store::SeenAction seen = SeenIn(trail, done);
  if (done.succeeded) Learn(trail, seen, done.at);
  Remember(seen);
  news_.actions.push_back(std::move(seen));
  KeepNewest(news_.actions, kMaxNews);
}

// A new one takes the place of the one in which nothing was done for the longest time.
TenantModel::Trail& TenantModel::TrailOf(const std::string& session) {
  if (trails_.size() >= kMaxTrails && !trails_.contains(session))
    trails_.erase(
        std::ranges::min_element(trails_, {}, [](const auto& one) { return one.second.last; }));
  return trails_[session];
}

store::SeenAction TenantModel::SeenIn(Trail& trail, const LearntStep& done) {
  const std::vector<std::string> typed = TextsOf(trail.typing);
  const SignedAction action{.spec = done.step.spec,
                            .element = done.step.element ? &*done.step.element : nullptr,
                            .typed = typed};
  store::SeenAction seen{.signature = SignatureOf(action),
                         .action = TemplateOf(done.step, trail.typing),
                         .page = PagePattern(done.step.url_before, typed),
                         .by = done.step.by,
                         .succeeded = done.succeeded,
                         .at_ms = UnixMs(done.at)};
  seen.symbol = SymbolOf(seen.signature);
  if (IsTyped(done.step.spec)) {
    trail.typing.push_back(done.step);
    KeepNewest(trail.typing, kKeptTyping);
  }
  return seen;
}

void TenantModel::Learn(Trail& trail, const store::SeenAction& seen, WallTime at) {
  if (seen.by != store::DoneBy::kPrediction) Judge(trail, PageSymbol(seen.page), seen.symbol);
  Advance(trail, seen, at);
}

void TenantModel::Advance(Trail& trail, const store::SeenAction& seen, WallTime at) {
  if (seen.by != store::DoneBy::kPrediction) {
    predictor_.Observe(trail.symbols, PageSymbol(seen.page), seen.symbol, seen.by, DayOf(at));
    NoteTransition(trail, seen.symbol, seen.by);
  }
  trail.symbols.push_back(seen.symbol);
  KeepNewest(trail.symbols, kTrailLength);
  trail.last = at;
  trail.by = seen.by;
}

void TenantModel::Judge(const Trail& trail, std::uint64_t page, std::uint64_t came) {
  const auto best = predictor_.Predict({.history = trail.symbols, .page = page, .most = 1});
  if (!best.empty()) meter_.NotePrediction(best[0].confidence, best[0].symbol == came);
}

void TenantModel::Remember(const store::SeenAction& seen) {
  store::KnownAction& known = actions_[seen.symbol];
  known.symbol = seen.symbol;
  known.signature = seen.signature;
  if (known.action.empty() || seen.succeeded) known.action = seen.action;
  known.page = seen.page;
  ++CountOf(known, seen.by);
  if (!seen.succeeded) ++known.failed;
  known.last_ms = std::max(known.last_ms, seen.at_ms);
  ForgetOldActions();
}

// A tenth at once: nobody looks for the oldest with every action that comes.
void TenantModel::ForgetOldActions() {
  if (actions_.size() <= max_actions_ + max_actions_ / 10) return;
  std::vector<std::int64_t> times;
  times.reserve(actions_.size());
  for (const auto& [symbol, known] : actions_) times.push_back(known.last_ms);
  const auto last = times.end() - static_cast<std::ptrdiff_t>(max_actions_);
  std::ranges::nth_element(times, last);
  std::erase_if(actions_,
                [oldest = *last](const auto& one) { return one.second.last_ms < oldest; });
}

void TenantModel::Close(Trail& trail) {
  if (!trail.symbols.empty() && trail.by != store::DoneBy::kPrediction) {
    predictor_.Observe(trail.symbols, 0, kBoundary, trail.by, DayOf(trail.last));
    NoteTransition(trail, kBoundary, trail.by);
  }
  trail.symbols.clear();
  trail.typing.clear();
}

void TenantModel::NoteTransition(const Trail& trail, std::uint64_t to, store::DoneBy by) {
  const std::size_t known = trail.symbols.size();
  news_.transitions.push_back({.from_before = known > 1 ? trail.symbols[known - 2] : kBoundary,
                               .has_two = known > 0,
                               .from = known > 0 ? trail.symbols[known - 1] : kBoundary,
                               .to = to,
                               .by = by});
  KeepNewest(news_.transitions, kMaxNews);
}

void TenantModel::Teach(const LearnedWorkflow& workflow, int times, WallTime at) {
  for (int n = 0; n < times; ++n) TeachOnce(workflow, at);
}

void TenantModel::TeachOnce(const LearnedWorkflow& workflow, WallTime at) {
  Trail trail;
  LearnedWorkflow around = workflow;
  around.steps.clear();
  for (const WorkflowStep& step : workflow.steps) {
    store::SeenAction seen{.symbol = SymbolOf(step.signature),
                           .signature = step.signature,
                           .action = TemplateOf(around, step),
                           .page = step.page,
                           .by = step.by,
                           .at_ms = UnixMs(at)};
    Advance(trail, seen, at);
    Remember(seen);
    news_.actions.push_back(std::move(seen));
  }
  KeepNewest(news_.actions, kMaxNews);
  Close(trail);
}

void TenantModel::EndSequence(const std::string& session) {
  const auto found = trails_.find(session);
  if (found == trails_.end()) return;
  Close(found->second);
  trails_.erase(found);
}

std::vector<std::uint64_t> TenantModel::History(const std::string& session) const {
  const auto found = trails_.find(session);
  return found == trails_.end() ? std::vector<std::uint64_t>() : found->second.symbols;
}

const store::KnownAction* TenantModel::Find(std::uint64_t symbol) const {
  const auto found = actions_.find(symbol);
  return found == actions_.end() ? nullptr : &found->second;
}

store::LearntBatch TenantModel::TakeNews() {
  // What was given back first: of two values of a row the newer one counts.
  const auto changed = predictor_.TakeChanged();
  news_.contexts.insert(news_.contexts.end(), changed.begin(), changed.end());
  KeepNewest(news_.contexts, kMaxNewContexts);
  return std::exchange(news_, {});
}

void TenantModel::GiveBack(store::LearntBatch batch) {
  PutBefore(batch.actions, news_.actions);
  PutBefore(batch.transitions, news_.transitions);
  news_.contexts = std::move(batch.contexts);
}

}  // namespace falconer::predict
