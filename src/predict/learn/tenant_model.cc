#include "predict/learn/tenant_model.h"

#include <algorithm>
#include <utility>

#include "predict/learn/learnable.h"
#include "predict/signature.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kTrailLength = 8;
constexpr std::size_t kMaxTrails = 1024;
// What is kept while the store refuses.
constexpr std::size_t kMaxNews = 10'000;
// Whoever pauses for longer begins something else.
constexpr auto kSequencePause = std::chrono::minutes(5);

std::int64_t UnixMs(WallTime at) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

std::int32_t DayOf(WallTime at) {
  return static_cast<std::int32_t>(
      std::chrono::duration_cast<std::chrono::days>(at.time_since_epoch()).count());
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

json::object TemplateOf(const RecordedStep& step) {
  const auto workflow = WorkflowFrom({.id = "step", .workflow = "step", .steps = {step}});
  return workflow ? workflow->ToJson() : json::object();
}

TenantModel::TenantModel(PredictorOptions options, PredictMeter& meter)
    : meter_(meter), predictor_(options) {
}

void TenantModel::Load(const std::vector<store::ContextRow>& contexts,
                       std::vector<store::KnownAction> actions) {
  predictor_.Load(contexts);
  for (store::KnownAction& action : actions) {
    const std::uint64_t symbol = action.symbol;
    actions_.insert_or_assign(symbol, std::move(action));
  }
}

void TenantModel::Note(const std::string& session, const LearntStep& done) {
  if (!IsLearnable(done.step.spec)) return;
  const SignedAction action{.spec = done.step.spec,
                            .element = done.step.element ? &*done.step.element : nullptr};
  store::SeenAction seen{.signature = SignatureOf(action),
                         .page = PagePattern(done.step.url_before),
                         .by = done.step.by,
                         .succeeded = done.succeeded,
                         .at_ms = UnixMs(done.at)};
  seen.symbol = SymbolOf(seen.signature);
  seen.action = TemplateOf(done.step);
  if (trails_.size() >= kMaxTrails && !trails_.contains(session)) trails_.erase(trails_.begin());
  Trail& trail = trails_[session];
  if (done.at - trail.last > kSequencePause) Close(trail);
  if (done.succeeded) Learn(trail, seen.page.empty() ? 0 : SymbolOf(seen.page), seen.symbol, done);
  Remember(seen);
  news_.actions.push_back(std::move(seen));
  KeepNewest(news_.actions, kMaxNews);
}

void TenantModel::Learn(Trail& trail, std::uint64_t page, std::uint64_t symbol,
                        const LearntStep& done) {
  if (done.step.by != store::DoneBy::kPrediction) {
    Judge(trail, page, symbol);
    predictor_.Observe(trail.symbols, page, symbol, done.step.by, DayOf(done.at));
    NoteTransition(trail, symbol, done.step.by);
  }
  trail.symbols.push_back(symbol);
  KeepNewest(trail.symbols, kTrailLength);
  trail.last = done.at;
  trail.by = done.step.by;
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
}

void TenantModel::Close(Trail& trail) {
  if (!trail.symbols.empty() && trail.by != store::DoneBy::kPrediction) {
    predictor_.Observe(trail.symbols, 0, kBoundary, trail.by, DayOf(trail.last));
    NoteTransition(trail, kBoundary, trail.by);
  }
  trail.symbols.clear();
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
  return std::exchange(news_, {});
}

void TenantModel::GiveBack(store::LearntBatch batch) {
  PutBefore(batch.actions, news_.actions);
  PutBefore(batch.transitions, news_.transitions);
  news_.contexts = std::move(batch.contexts);
}

}  // namespace falconer::predict
