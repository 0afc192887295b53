#include "engine/contract_run.h"

#include <algorithm>
#include <utility>

#include "browser/context/artifact_folder.h"
#include "engine/attempt_rules.h"
#include "engine/run_failures.h"
#include "engine/vision/vision_look.h"

namespace falconer::engine {
namespace {

using std::chrono::milliseconds;

// How long a page that is to be left is looked at first.
constexpr auto kLeavingTime = milliseconds(2000);

constexpr model::ActionType kLeaving[] = {
    model::ActionType::kNavigate, model::ActionType::kReload,   model::ActionType::kGoBack,
    model::ActionType::kNewTab,   model::ActionType::kCloseTab, model::ActionType::kSwitchTab,
};

bool LeavesThePage(model::ActionType type) {
  return std::ranges::find(kLeaving, type) != std::end(kLeaving);
}

milliseconds Since(TimePoint start, TimePoint now) {
  return std::chrono::duration_cast<milliseconds>(now - start);
}

}  // namespace

ContractRun::ContractRun(DriveKit& kit, const EngineInput& input)
    : kit_(kit),
      input_(input),
      egress_(*kit.session),
      egress_before_(egress_.Mark()),
      observer_(*kit.session, kit.driver.navigator(), facts_, input.reveal),
      rules_(RulesAfter()) {
}

std::vector<model::VerificationRule> ContractRun::RulesAfter() const {
  std::vector<model::VerificationRule> rules = contract().expected_postconditions;
  rules.insert(rules.end(), contract().verification_rules.begin(),
               contract().verification_rules.end());
  rules.insert(rules.end(), input_.guards.rules.begin(), input_.guards.rules.end());
  return rules;
}

Task<std::optional<Error>> ContractRun::Go(CallContext ctx) {
  clock_ = &ctx.clock();
  phase_start_ = clock_->Now();
  Result<void> done = co_await Begin(ctx);
  if (done) done = co_await CheckPreconditions(ctx);
  if (done) done = contract().dry_run ? co_await TryDry(ctx) : co_await Attempts(ctx);
  // Of an action that failed before it asked.
  static_cast<void>(co_await HasLooked());
  Enter(Phase::kProject);
  // What the page shows belongs to the evidence of a failure too, if there is time to look.
  if (!done && !after_ && ctx.StillWanted("the state")) {
    static_cast<void>(co_await ReadAfter(ctx.WithTimeout(contract().timeout.verify)));
    const auto collected = CollectArtifacts();
    if (!collected) result_.metadata["artifacts_lost"] = collected.error().message();
  }
  Enter(Phase::kProject);
  if (done) co_return std::nullopt;
  co_return done.error();
}

Task<Result<void>> ContractRun::Begin(CallContext ctx) {
  CO_TRY(kit_.session->Alive());
  CO_TRY_ASSIGN(tab_, kit_.driver.navigator().TabFor(contract().action_spec.tab_id));
  CO_TRY(co_await tab_->Ready(ctx.WithTimeout(contract().timeout.bind)));
  downloads_before_ = kit_.session->downloads().last_seq();
  if (tab_->phase() != browser::TabPhase::kLive) co_return Result<void>();
  if (!CanLookMeanwhile()) co_return co_await LookBefore(std::move(ctx));
  looking_ = std::make_unique<TaskScope>(ctx.executor());
  looking_->Spawn("look", LookMeanwhile(this, std::move(ctx)));
  co_return Result<void>();
}

// The page is asked first and answers in order: it is seen as it was before its target was
// prepared.
bool ContractRun::CanLookMeanwhile() const {
  const bool asks_late = browser::Driver::AsksWhenReady(contract().action_spec.type);
  return asks_late && contract().preconditions.empty() && !contract().dry_run;
}

Task<void> ContractRun::LookMeanwhile(ContractRun* self, CallContext ctx) {
  self->looked_ = co_await self->LookBefore(std::move(ctx));
}

Task<Result<void>> ContractRun::HasLooked() {
  if (looking_) co_await looking_->Join();
  co_return looked_;
}

bool ContractRun::WantsState() const {
  return kit_.looks == StateLooks::kAlways || !contract().preconditions.empty() ||
         !contract().expected_postconditions.empty() || !contract().verification_rules.empty();
}

Task<Result<void>> ContractRun::LookBefore(CallContext ctx) {
  const CallContext short_time = ctx.WithTimeout(contract().timeout.bind);
  if (!WantsState()) co_return co_await observer_.Begin(short_time, tab_, &rules_);
  const bool leaves = LeavesThePage(contract().action_spec.type);
  const auto read =
      co_await ReadState(leaves ? ctx.WithTimeout(kLeavingTime) : short_time, &before_);
  // A page that is stuck must not keep anybody from leaving it.
  if (!read && leaves) co_return Result<void>();
  CO_TRY(read);
  result_.pre_state_id = before_->state_id;
  facts_.before = &*before_;
  co_return co_await observer_.Begin(short_time, tab_, &rules_);
}

Task<Result<void>> ContractRun::ReadState(CallContext ctx,
                                          std::optional<model::StructuredState>* into,
                                          std::optional<browser::PageReading> just_read) {
  CO_TRY_ASSIGN(auto reading,
                co_await kit_.extractor.ReadMarked(
                    std::move(ctx), tab_, {.limits = kit_.state_limits}, std::move(just_read)));
  seen_ = std::move(reading.mark);
  CO_TRY(kit_.tracker.Track(tab_->id(), std::move(reading.state)));
  *into = *kit_.tracker.Last(tab_->id());
  co_return Result<void>();
}

Task<Result<void>> ContractRun::CheckPreconditions(CallContext ctx) {
  if (contract().preconditions.empty()) co_return Result<void>();
  Enter(Phase::kPrecondition);
  facts_.after = facts_.before;
  const auto report =
      co_await Verify(ctx.WithTimeout(contract().timeout.verify), &contract().preconditions);
  facts_.after = nullptr;
  if (report.passed) {
    // Kept apart: the verification is about what the action brought about.
    result_.metadata["preconditions"] = report.ToJson();
    co_return Result<void>();
  }
  result_.verification = report;
  co_return Fail(NotAsExpected(ErrorCode::kPreconditionFailed, report));
}

// Everything short of acting: the target must be there, once.
Task<Result<void>> ContractRun::TryDry(CallContext ctx) {
  Enter(Phase::kBind);
  const auto& target = contract().action_spec.target;
  if (target && !target->point) {
    const CallContext short_time = ctx.WithTimeout(contract().timeout.bind);
    browser::Navigator& navigator = kit_.driver.navigator();
    CO_TRY_ASSIGN(const auto bound, co_await navigator.Bind(short_time, tab_, *target));
    CO_TRY_ASSIGN(const auto found, co_await navigator.Query(short_time, bound, 1));
    result_.metadata["target"] = found;
    if (found.at("count") == 0)
      co_return Fail(ErrorCode::kElementNotFound, "the target matches no element");
  }
  result_.metadata["dry_run"] = true;
  co_return Result<void>();
}

Task<Result<void>> ContractRun::Attempts(CallContext ctx) {
  for (int n = 1;; ++n) {
    const milliseconds pause = contract().retry.BackoffBefore(n);
    if (pause > milliseconds(0)) {
      Alarm never(ctx.executor(), ctx.clock());
      const auto rested = co_await ctx.WithTimeout(pause).Wait(&never, "the pause");
      if (!rested) CO_TRY(ctx.StillWanted("another attempt"));
    }
    const TimePoint start = ctx.clock().Now();
    Enter(phase_);
    attempt_ = n;
    const auto done = co_await Attempt(ctx, n);
    NoteAttempt(n, start, done, pause);
    if (done) co_return done;
    if (MayTryAgain(done.error(), n) && ctx.StillWanted("another attempt")) continue;
    Escalate(done.error(), n);
    const bool rebinds = result_.escalation->mode == model::EscalationMode::kRetryRebind;
    if (rebinds && !may_have_acted_) co_return co_await Rebind(ctx);
    if (MayLook(done.error())) co_return co_await LookForTarget(ctx, done.error());
    co_return done;
  }
}

void ContractRun::NoteAttempt(int n, TimePoint start, const Result<void>& done,
                              milliseconds pause) {
  const auto cause = done ? std::nullopt : std::optional(done.error().code());
  const TimePoint now = clock_->Now();
  result_.attempts.push_back({.n = n,
                              .cause = cause,
                              .phase = done ? std::nullopt : std::optional(phase_),
                              .waited = Since(start, now),
                              .backoff = pause});
  // What still goes on of its last phase is no longer a part of it.
  Enter(phase_);
  attempt_ = 0;
  if (input_.timeline == nullptr) return;
  input_.timeline->Note(
      {.name = TurnTimeline::kAttempt, .begin = start, .end = now, .attempt = n, .failure = cause});
}

bool ContractRun::MayTryAgain(const Error& failure, int n) const {
  if (!ShouldAct() && !CanProve(contract())) return false;
  return n < contract().retry.max_attempts && IsRetryable(contract().retry, failure.code());
}

void ContractRun::Escalate(const Error& failure, int attempts) {
  const bool is_exhausted =
      attempts >= contract().retry.max_attempts && IsRetryable(contract().retry, failure.code());
  const model::EscalationPolicy& policy = contract().escalation;
  result_.escalation = model::EscalationRecord{
      .mode = is_exhausted ? policy.on_exhausted_retries : policy.on_non_retryable,
      .reason = is_exhausted ? "retries_exhausted" : "not_retryable"};
}

// Each further name of the target gets a try of its own.
Task<Result<void>> ContractRun::Rebind(CallContext ctx) {
  Result<void> last = Fail(ErrorCode::kNoCandidates, "the target has no other names to try");
  if (!contract().action_spec.target) co_return last;
  for (const model::NamedSelector& candidate : contract().action_spec.target->candidates) {
    model::ActionSpec spec = contract().action_spec;
    spec.target->eid.clear();
    spec.target->selector = candidate;
    spec.target->candidates.clear();
    last = co_await Act(ctx, std::move(spec));
    if (last) last = co_await CheckEffects(ctx);
    if (last || may_have_acted_) co_return last;
  }
  co_return last;
}

bool ContractRun::MayLook(const Error& failure) const {
  return result_.escalation->mode == model::EscalationMode::kVisionFallback &&
         input_.vision != nullptr && !may_have_acted_ && IsUnbound(failure.code());
}

// What is chosen is met like any other target: everything that is asked about elements is asked.
Task<Result<void>> ContractRun::LookForTarget(CallContext ctx, Error unbound) {
  CO_TRY(co_await HasLooked());
  std::optional<model::StructuredState> now;
  CO_TRY(co_await ReadState(ctx.WithTimeout(contract().timeout.bind), &now));
  const auto look = co_await engine::LookForTarget(
      ctx, {.tab = tab_, .contract = &contract(), .state = &*now, .gate = input_.vision});
  if (!look) {
    result_.metadata["vision"] = {{"failure", look.error().ToJson()}};
    co_return Fail(std::move(unbound));
  }
  result_.metadata["vision"] = look->evidence;
  CO_TRY_ASSIGN(shown_, browser::ArtifactFolder(kit_.session->options().artifacts)
                            .Save(look->marked_png, "png", "image/png"));
  if (!look->target) co_return Fail(std::move(unbound));
  model::ActionSpec spec = contract().action_spec;
  spec.target = look->target;
  CO_TRY(co_await Act(ctx, std::move(spec)));
  co_return co_await CheckEffects(ctx);
}

// An attempt after one that may have reached the page only looks again.
bool ContractRun::ShouldAct() const {
  return !may_have_acted_ || RepeatingOf(contract().action_spec.type) == Repeating::kHarmless;
}

Task<Result<void>> ContractRun::Attempt(CallContext ctx, int n) {
  // What an earlier attempt saw is not what this one brings about.
  after_.reset();
  changed_.reset();
  facts_.after = nullptr;
  result_.verification.reset();
  if (n > 1) seen_ = {};
  if (n == 1 || ShouldAct()) {
    CO_TRY(co_await Act(ctx, contract().action_spec));
  } else if (armed_.empty()) {
    CO_TRY(co_await Arm(ctx.WithTimeout(contract().timeout.bind)));
  }
  co_return co_await CheckEffects(ctx);
}

Task<Result<void>> ContractRun::Arm(CallContext ctx) {
  armed_.clear();
  derived_.clear();
  if (tab_->phase() != browser::TabPhase::kLive) co_return Result<void>();
  for (const model::WaitCondition& wait : contract().wait_conditions) {
    CO_TRY_ASSIGN(auto armed, co_await kit_.waits.Arm(ctx, tab_, wait, seen_));
    armed_.push_back(std::move(armed));
  }
  for (const model::WaitCondition& wait : input_.guards.waits) {
    CO_TRY_ASSIGN(auto armed, co_await kit_.waits.Arm(ctx, tab_, wait, seen_));
    derived_.push_back(std::move(armed));
  }
  co_return Result<void>();
}

Task<Result<browser::PageMark>> ContractRun::BeforeInput(CallContext ctx) {
  CO_TRY(co_await HasLooked());
  Enter(Phase::kBind);
  CO_TRY(co_await Arm(ctx.WithTimeout(contract().timeout.bind)));
  if (input_.before_attempt) CO_TRY(co_await input_.before_attempt());
  if (!is_announced_) {
    CO_TRY(co_await input_.before_effect());
    is_announced_ = true;
  }
  Enter(Phase::kExecute);
  // A secret is asked for after this: nothing leaves before it is there.
  const auto& text = contract().action_spec.text;
  may_leave_ = may_leave_ || !text || !text->is_secret();
  co_return seen_;
}

Task<Result<std::string>> ContractRun::Reveal(CallContext ctx, browser::SecretUse use) {
  if (!input_.reveal) co_return Fail(ErrorCode::kUnsupported, "there are no secrets here");
  CO_TRY_ASSIGN(std::string value, co_await input_.reveal(std::move(ctx), std::move(use),
                                                          policy::SecretPurpose::kTyping));
  may_leave_ = true;
  co_return value;
}

Task<Result<void>> ContractRun::Act(CallContext ctx, model::ActionSpec spec) {
  Enter(Phase::kExecute);
  may_leave_ = false;
  const milliseconds limit = contract().timeout.execute;
  spec.timeout = spec.timeout ? std::min(*spec.timeout, limit) : limit;
  auto done = co_await kit_.driver.Perform(
      ctx, std::move(spec), contract().timeout.bind,
      {.before = [this, ctx] { return BeforeInput(ctx); },
       .changed = [this](browser::PageReading reading) { changed_ = std::move(reading); },
       .meets = input_.meets,
       .known_by = input_.known_by,
       .reveal = [this, ctx](const browser::SecretUse& use) { return Reveal(ctx, use); }});
  if (!done) {
    changed_.reset();
    const Reached reached = ReachedOf(contract().action_spec.type, done.error().code());
    may_have_acted_ = may_have_acted_ || (may_leave_ && reached == Reached::kMayHave);
    co_return std::unexpected(done.error());
  }
  may_have_acted_ = true;
  outcome_ = *std::move(done);
  if (contract().action_spec.tab_id.empty()) {
    // The action may have opened, switched or closed tabs.
    if (auto active = kit_.session->tabs().Active()) tab_ = *std::move(active);
  }
  co_return Result<void>();
}

void ContractRun::Enter(Phase phase) {
  const TimePoint now = clock_->Now();
  times_[phase_] += now - phase_start_;
  if (input_.timeline != nullptr && now > phase_start_) {
    input_.timeline->Note({.name = NameIn(model::kAttemptPhases, phase_),
                           .begin = phase_start_,
                           .end = now,
                           .of = TurnTimeline::Of::kAttempt,
                           .attempt = attempt_});
  }
  phase_start_ = now;
  phase_ = phase;
}

model::ActionExecutionResult ContractRun::TakeResult(const std::optional<Error>& failure) {
  result_.success = !failure;
  if (failure) result_.failure = model::ActionFailure::Of(*failure);
  if (failure && !ShouldAct()) {
    result_.metadata[kMayHaveActed] = true;
    // Whatever the code allows: doing it again might do it twice.
    result_.failure->retryable = false;
  }
  if (after_) result_.post_state_id = after_->state_id;
  if (before_ && after_) result_.state_delta = model::Diff(&*before_, *after_).ToJson();
  if (outcome_) result_.outcome = outcome_->ToJson();
  if (tab_) {
    const auto since = facts_.MarksOf(tab_->id()).network;
    result_.network_summary = tab_->network().Summary(since).ToJson();
    if (egress_.is_kept())
      (*result_.network_summary)["egress"] = egress_.Since(egress_before_).Summary();
  }
  result_.artifacts = facts_.artifacts;
  for (const auto& [phase, took] : times_) {
    result_.timings.push_back(
        {.phase = phase, .took = std::chrono::duration_cast<std::chrono::microseconds>(took)});
  }
  if (!input_.guards.empty()) result_.metadata["guard_summary"] = input_.guards.Summary();
  return std::move(result_);
}

}  // namespace falconer::engine
