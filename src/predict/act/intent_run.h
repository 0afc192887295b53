#pragma once
// IntentRun: carries out one instruction in words: what was verified before, if the page is still
// the same; else what the page's elements say; and where that is not clear, it only tells what
// there is. Nothing that may have had an effect is tried again.

#include <string>

#include "predict/act/act_numbers.h"
#include "predict/act/acting_page.h"
#include "predict/act/intent_cache.h"
#include "predict/act/predicted_report.h"
#include "predict/act/ranker.h"
#include "predict/act/run_order.h"

namespace falconer::predict {

// How the answer was found.
enum class IntentMode : std::uint8_t { kCache, kPerception, kExploration };

inline constexpr EnumName<IntentMode> kIntentModes[] = {
    {IntentMode::kCache, "cache"},
    {IntentMode::kPerception, "perception"},
    {IntentMode::kExploration, "exploration"},  // NO_CANDIDATES: nothing that is clear
};

// The best, and so many others that are good enough.
inline constexpr std::size_t kIntentFallbacks = 3;

struct IntentOrder {
  TenantId tenant;
  WorkflowId session;
  RunId run;  // of this instruction alone
  std::string instruction;
  std::string environment = {};
  RunMode mode = RunMode::kAct;
};

// All must outlive the run.
struct IntentRooms {
  ActingPage& page;
  IntentCache& cache;
  ActNumbers& numbers;
};

struct IntentReport {
  IntentMode mode = IntentMode::kExploration;
  bool success = false;
  // An effect was seen; what has none is not kept.
  bool is_verified = false;
  std::string reason;
  json::array candidates;
  json::object target;  // {"role","name",...} of the one that was acted on
  ActionId action;
  TurnId turn;
  std::optional<Error> error = std::nullopt;
  int tries = 0;
  Duration took{0};

  json::object ToJson() const;
};

class IntentRun {
 public:
  IntentRun(IntentRooms rooms, IntentOrder order) : rooms_(rooms), order_(std::move(order)) {}
  IntentRun(const IntentRun&) = delete;
  IntentRun& operator=(const IntentRun&) = delete;

  // Called once. What it came to is a report; fails with kInvalidArgument for an instruction that
  // is none, and as looking at the page and the store do.
  Task<Result<IntentReport>> Go(CallContext ctx);

 private:
  // Nothing when there is none that still holds.
  Task<Result<std::optional<IntentReport>>> TryCache();
  Task<Result<IntentReport>> Perceive();
  // Tries one after the other, as long as nothing can have happened.
  Task<Result<IntentReport>> TryAll(Ranking ranking);
  Task<Result<IntentReport>> Carry(WorkflowStep step, IntentMode mode);
  Task<Result<void>> KeepIfVerified(WorkflowStep step, double score, const IntentReport* report);
  Task<Result<bool>> StillHolds(const CachedIntent* known, const WorkflowStep* bound);
  // The action on these selectors, with {text} for the text.
  WorkflowStep StepOn(const std::vector<std::string>& selectors, const model::Fingerprint* element);
  bool NeedsElement() const { return words_.url.empty() && words_.key.empty(); }
  ParameterValues Values() const;
  json::array CandidatesNow(const Ranking& ranking) const;

  IntentRooms rooms_;
  IntentOrder order_;
  std::optional<CallContext> ctx_;
  IntentWords words_;
  std::string key_;
  std::vector<engine::SeenElement> seen_;
  std::int64_t contracts_ = 0;
};

}  // namespace falconer::predict
