// What a contract brought about: waited for, read, collected and judged.

#include <utility>

#include "engine/contract_run.h"
#include "engine/run_failures.h"
#include "model/contract/rule_judge.h"

namespace falconer::engine {
namespace {

using std::chrono::milliseconds;

// How long an effect that nobody described is looked for.
constexpr auto kEffectTime = milliseconds(400);
// How long requests that the act set off may take to be part of what it brought about.
constexpr auto kNetworkTime = milliseconds(1500);

model::ResultArtifact ArtifactOf(const browser::Download& download) {
  return {.artifact_id = download.id,
          .name = download.name,
          .mime = "",
          .bytes = static_cast<std::int64_t>(download.received),
          .sha256 = download.sha256};
}

model::ResultArtifact ArtifactOf(const model::ArtifactEvidence& artifact) {
  return {.artifact_id = artifact.path,
          .name = artifact.path,
          .mime = artifact.mime,
          .bytes = static_cast<std::int64_t>(artifact.bytes),
          .sha256 = artifact.sha256};
}

}  // namespace

Task<Result<void>> ContractRun::AwaitWaits(CallContext ctx) {
  LinkedCancelSource over(ctx.cancel());
  over.Follow(input_.refused);
  const CallContext bounded = ctx.WithTimeout(contract().timeout.wait).WithCancel(over.token());
  for (const auto& wait : std::exchange(armed_, {})) {
    CO_TRY_ASSIGN(const auto outcome, co_await wait->Wait(bounded));
    result_.wait_outcomes.push_back(outcome.ToJson());
    if (!outcome.satisfied) co_return Fail(NotComeTrue(outcome));
  }
  co_return Result<void>();
}

// Nobody asked for these: how they ended is told, and decides nothing.
Task<void> ContractRun::AwaitDerived(CallContext ctx) {
  const CallContext bounded = ctx.WithTimeout(kEffectTime);
  auto changed = std::exchange(changed_, std::nullopt);
  for (const auto& wait : std::exchange(derived_, {})) {
    if (changed) wait->Notice(*std::exchange(changed, std::nullopt));
    const auto outcome = co_await wait->Wait(bounded);
    if (outcome) result_.wait_outcomes.push_back(outcome->ToJson());
    changed_ = wait->TakeReading();
  }
}

// Answers to requests that the act set off are part of what it brought about.
Task<void> ContractRun::SettleNetwork(CallContext ctx) {
  if (tab_->phase() != browser::TabPhase::kLive || tab_->dialogs().open()) co_return;
  const bool is_quiet = tab_->network().last_seq() == facts_.MarksOf(tab_->id()).network;
  if (is_quiet) co_return;
  // What is answered may change the page again.
  changed_.reset();
  if (tab_->network().in_flight() == 0) co_return;
  const auto settled = co_await tab_->changes().Until(
      ctx.WithTimeout(kNetworkTime),
      [this] { return tab_->network().in_flight() == 0 || tab_->dialogs().open(); },
      "requests to be answered");
  if (!settled) result_.metadata["requests_under_way"] = tab_->network().in_flight();
}

Task<Result<void>> ContractRun::CheckEffects(CallContext ctx) {
  Enter(Phase::kWait);
  CO_TRY(co_await AwaitWaits(ctx));
  co_await AwaitDerived(ctx);
  co_await SettleNetwork(ctx);
  Enter(Phase::kVerify);
  const CallContext bounded = ctx.WithTimeout(contract().timeout.verify);
  CO_TRY(co_await ReadAfter(bounded));
  CO_TRY(CollectArtifacts());
  const auto report = co_await Verify(bounded, &rules_);
  CO_TRY(ctx.StillWanted("the verdict"));
  result_.verification = report;
  if (report.passed) co_return Result<void>();
  co_return Fail(NotAsExpected(ErrorCode::kPostconditionFailed, report));
}

Task<Result<void>> ContractRun::ReadAfter(CallContext ctx) {
  if (!tab_ || tab_->phase() != browser::TabPhase::kLive || !WantsState()) co_return Result<void>();
  CO_TRY(co_await ReadState(std::move(ctx), &after_, std::exchange(changed_, std::nullopt)));
  facts_.after = &*after_;
  co_return Result<void>();
}

Result<void> ContractRun::CollectArtifacts() {
  using browser::ArtifactKind;
  facts_.artifacts.clear();
  for (const browser::Download& download : kit_.session->downloads().Since(downloads_before_)) {
    if (download.state != browser::DownloadState::kCompleted) continue;
    TRY(Collect({ArtifactKind::kDownload, download.path.filename(), download.name},
                ArtifactOf(download)));
  }
  if (shown_)
    TRY(Collect({ArtifactKind::kCapture, shown_->path, shown_->path}, ArtifactOf(*shown_)));
  // A download that the action itself brought is among those above.
  if (!outcome_ || !outcome_->artifact || !outcome_->downloads.empty()) return {};
  const std::string file = outcome_->artifact->path;
  return Collect({ArtifactKind::kCapture, file, file}, ArtifactOf(*outcome_->artifact));
}

Result<void> ContractRun::Collect(const LeftFile& left, model::ResultArtifact as_left) {
  if (const auto known = kept_.find(left.file); known != kept_.end()) {
    facts_.artifacts.push_back(known->second);
    return {};
  }
  if (input_.keep) {
    TRY_ASSIGN(as_left, input_.keep(left));
  }
  kept_.emplace(left.file, as_left);
  facts_.artifacts.push_back(std::move(as_left));
  return {};
}

Task<model::VerificationReport> ContractRun::Verify(
    CallContext ctx, const std::vector<model::VerificationRule>* rules) {
  std::vector<model::RuleOutcome> outcomes;
  for (const model::VerificationRule& rule : *rules) {
    const json::value seen = co_await observer_.Observe(ctx, tab_, &rule);
    outcomes.push_back(model::Judge(rule, seen));
  }
  co_return model::VerificationReport::Of(std::move(outcomes));
}

Task<model::VerificationReport> ContractRun::Look(CallContext ctx) {
  const json::object over{{"unobservable", "the action is over"}};
  const auto tab = kit_.driver.navigator().TabFor(contract().action_spec.tab_id);
  if (tab) tab_ = *tab;
  const bool is_readable = tab && co_await ReadAfter(ctx);
  std::vector<model::RuleOutcome> outcomes;
  for (const model::VerificationRule& rule : rules_) {
    const bool can_see = is_readable && rule.use() == model::RuleUse::kAnyTime;
    const json::value seen = can_see ? co_await observer_.Observe(ctx, tab_, &rule) : over;
    outcomes.push_back(model::Judge(rule, seen));
  }
  co_return model::VerificationReport::Of(std::move(outcomes));
}

}  // namespace falconer::engine
