#include "predict/act/intent_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/log.h"
#include "predict/act/effect_seen.h"
#include "predict/act/healer.h"
#include "predict/signature.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kTextName = "text";

// What another element must say of what was asked for, to be tried where the best cannot be used.
constexpr double kFallbackText = 0.8;

// Nothing left for the page: the next one may be tried.
constexpr ErrorCode kUntouched[] = {
    ErrorCode::kElementNotFound,    ErrorCode::kElementAmbiguous,  ErrorCode::kTargetBindFailed,
    ErrorCode::kStaleRef,           ErrorCode::kElementNotVisible, ErrorCode::kElementNotEnabled,
    ErrorCode::kElementNotEditable, ErrorCode::kElementObscured,   ErrorCode::kElementDetached,
};

bool IsUntouched(const IntentReport& report) {
  return report.error &&
         std::ranges::find(kUntouched, report.error->code()) != std::end(kUntouched);
}

json::object TargetJson(const model::Fingerprint& element) {
  json::object out{{"role", element.role}, {"name", element.name}};
  if (!element.item.empty()) out["item"] = element.item;
  return out;
}

// What was done is done: that it is not known the next time is no failure of it.
void NoteLost(const Result<void>& kept) {
  if (!kept) LOG(warn, "predict.intent_lost", {"why", Describe(kept.error())});
}

// What is chosen is named by its label.
void PutText(json::object& spec, model::ActionType action) {
  const std::string text = "{" + std::string(kTextName) + "}";
  if (action == model::ActionType::kSelect) {
    spec["select_values"] = json::array{json::object{{"label", text}}};
  } else {
    spec["text"] = text;
  }
}

}  // namespace

json::object IntentReport::ToJson() const {
  json::object out{{"mode", NameIn(kIntentModes, mode)},
                   {"success", success},
                   {"verified", is_verified},
                   {"reason", reason},
                   {"candidates", candidates},
                   {"tries", tries},
                   {"took_ms", std::chrono::duration<double, std::milli>(took).count()}};
  if (!target.empty()) out["target"] = target;
  if (!action.empty()) out["action_id"] = action.value();
  if (!turn.empty()) out["turn_id"] = turn.value();
  if (error) out["error"] = error->ToJson();
  return out;
}

ParameterValues IntentRun::Values() const {
  if (!words_.text) return {};
  return {{std::string(kTextName), *words_.text}};
}

Task<Result<IntentReport>> IntentRun::Go(CallContext ctx) {
  ctx_ = ctx;
  const TimePoint began = ctx.clock().Now();
  CO_TRY_ASSIGN(words_, ParseIntent(order_.instruction));
  ++rooms_.numbers.intents;
  const std::vector<std::string> typed =
      words_.text ? std::vector{*words_.text} : std::vector<std::string>();
  key_ = IntentKey(
      words_, {.page = PagePattern(rooms_.page.Url(), typed), .environment = order_.environment});
  if (NeedsElement()) {
    CO_TRY_ASSIGN(seen_, co_await rooms_.page.Elements(ctx));
  }
  // Where nothing is looked for, nothing is gained by knowing it.
  std::optional<IntentReport> cached;
  if (NeedsElement()) {
    CO_TRY_ASSIGN(cached, co_await TryCache());
  }
  IntentReport report;
  if (cached) {
    report = *std::move(cached);
  } else {
    CO_TRY_ASSIGN(report, co_await Perceive());
  }
  report.took = ctx.clock().Now() - began;
  co_return report;
}

Task<Result<bool>> IntentRun::StillHolds(const CachedIntent* known, const WorkflowStep* bound) {
  if (known->elements_hash != ElementsHash(seen_)) co_return false;
  if (SelectorsOf(*bound).empty()) co_return true;
  CO_TRY_ASSIGN(const auto found, co_await rooms_.page.Probe(*ctx_, {ProbedOf(*bound)}));
  co_return found.size() == 1 && found.front().is_usable;
}

Task<Result<std::optional<IntentReport>>> IntentRun::TryCache() {
  CO_TRY_ASSIGN(auto known, co_await rooms_.cache.Find(order_.tenant, key_));
  if (!known) co_return std::nullopt;
  auto bound = Bind(known->step, Values());
  bool holds = bound.has_value();
  if (holds) {
    CO_TRY_ASSIGN(holds, co_await StillHolds(&*known, &*bound));
  }
  if (!holds) {
    CO_TRY(co_await rooms_.cache.Drop(order_.tenant, key_));
    co_return std::nullopt;
  }
  CO_TRY_ASSIGN(IntentReport report, co_await Carry(known->step, IntentMode::kCache));
  if (report.success) ++rooms_.numbers.intents_from_cache;
  const bool is_off = order_.mode == RunMode::kAct && (!report.success || !report.is_verified);
  if (is_off) NoteLost(co_await rooms_.cache.Drop(order_.tenant, key_));
  if (IsUntouched(report)) co_return std::nullopt;
  report.reason = "known";
  co_return std::optional(std::move(report));
}

Task<Result<IntentReport>> IntentRun::Perceive() {
  if (!NeedsElement()) {
    CO_TRY_ASSIGN(IntentReport report,
                  co_await Carry(StepOn({}, nullptr), IntentMode::kPerception));
    report.reason = "said";
    co_return report;
  }
  Ranking ranking = RankByWords(words_.target, words_.roles, seen_);
  if (ranking.is_clear) co_return co_await TryAll(std::move(ranking));
  co_return IntentReport{
      .mode = IntentMode::kExploration,
      .reason = ranking.reason,
      .candidates = CandidatesNow(ranking),
      .error = Error(ErrorCode::kNoCandidates, "it is not clear which element is meant")};
}

json::array IntentRun::CandidatesNow(const Ranking& ranking) const {
  json::array out = CandidatesOf(ranking);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto& selectors = ranking.best[i].element.fingerprint.selectors;
    out[i].get_object()["method"] = model::ActionName(words_.action);
    if (!selectors.empty()) out[i].get_object()["selector"] = selectors.front();
  }
  return out;
}

Task<Result<IntentReport>> IntentRun::TryAll(Ranking ranking) {
  IntentReport report;
  int tries = 0;
  for (std::size_t i = 0; i < ranking.best.size() && i <= kIntentFallbacks; ++i) {
    const RankedElement& one = ranking.best[i];
    const model::Fingerprint& element = one.element.fingerprint;
    const bool is_good = i == 0 || one.parts.text >= kFallbackText;
    if (!is_good || element.selectors.empty()) continue;
    const WorkflowStep step = StepOn(element.selectors, &element);
    CO_TRY_ASSIGN(report, co_await Carry(step, IntentMode::kPerception));
    report.tries = ++tries;
    report.target = TargetJson(element);
    if (IsUntouched(report)) continue;
    NoteLost(co_await KeepIfVerified(step, one.score, &report));
    break;
  }
  report.candidates = CandidatesNow(ranking);
  report.reason = ranking.reason;
  if (tries == 0) report.error = Error(ErrorCode::kNoCandidates, "no selector names the element");
  co_return report;
}

WorkflowStep IntentRun::StepOn(const std::vector<std::string>& selectors,
                               const model::Fingerprint* element) {
  json::object spec{{"action_type", model::ActionName(words_.action)}};
  if (!words_.url.empty()) spec["url"] = TemplateLiteral(words_.url);
  if (!words_.key.empty()) spec["key"] = TemplateLiteral(words_.key);
  if (words_.text) PutText(spec, words_.action);
  WorkflowStep step{.id = "intent", .intent = std::string(model::ActionName(words_.action))};
  step.contract["action_spec"] = std::move(spec);
  if (element == nullptr) return step;
  step.element = *element;
  step.intent += fmt::format(" {} \"{}\"", element->role, element->name);
  std::vector<std::string> literal;
  for (const std::string& selector : selectors) literal.push_back(TemplateLiteral(selector));
  return WithSelectors(std::move(step), literal);
}

Task<Result<IntentReport>> IntentRun::Carry(WorkflowStep step, IntentMode mode) {
  IntentReport report{.mode = mode};
  if (step.element) report.target = TargetJson(*step.element);
  CO_TRY_ASSIGN(WorkflowStep bound, Bind(step, Values()));
  if (order_.mode == RunMode::kDryRun) {
    report.success = true;
    co_return report;
  }
  const StepPlace place{.session = order_.session,
                        .run = order_.run,
                        .index = contracts_++,
                        .by = ChosenBy::kCaller,
                        .told = {{"mode", NameIn(kIntentModes, mode)}}};
  CO_TRY_ASSIGN(auto contract, ContractOf(bound, place));
  const auto result = co_await rooms_.page.Execute(*ctx_, std::move(contract));
  report.tries = 1;
  report.success = result.success;
  report.is_verified = result.success && HadEffect(result);
  report.action = result.action_id;
  report.turn = result.turn_id;
  if (result.failure)
    report.error = Error(result.failure->code, result.failure->message, result.failure->details);
  co_return report;
}

// What cannot be named without what was typed is not kept.
Task<Result<void>> IntentRun::KeepIfVerified(WorkflowStep step, double score,
                                             const IntentReport* report) {
  if (!report->is_verified) co_return Result<void>();
  const model::Fingerprint element = *step.element;
  step.element = NamedFingerprint(element, Values());
  const auto kept = KeptSelectors(element.selectors, step, Values());
  if (kept.empty()) co_return Result<void>();
  step = WithSelectors(std::move(step), kept);
  step.intent = fmt::format("{} {} \"{}\"", model::ActionName(words_.action), element.role,
                            step.element->name);
  co_return co_await rooms_.cache.Put(order_.tenant, key_,
                                      {.step = std::move(step),
                                       .elements_hash = ElementsHash(seen_),
                                       .turn = report->turn.value(),
                                       .ranker = std::string(kRankerVersion),
                                       .score = score});
}

}  // namespace falconer::predict
