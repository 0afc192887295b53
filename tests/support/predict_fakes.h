#pragma once
// For tests of runs by prediction: a page made of elements and what each of them leads to, and
// something that was learnt.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "predict/act/acting_page.h"
#include "predict/act/learnt_next.h"
#include "predict/signature.h"
#include "store/workflow_store.h"

namespace falconer::test {

// One element, found by its selectors.
struct FakeElement {
  std::vector<std::string> selectors;
  model::Fingerprint fingerprint = {};
  bool is_usable = true;
};

class FakePage final : public predict::ActingPage {
 public:
  using Elements_ = std::vector<FakeElement>;

  // The pages, by their addresses.
  std::map<std::string, Elements_> pages;
  std::string url = "https://shop.example/";
  // What a step does besides succeeding, by its intent; and how it fails.
  std::map<std::string, std::function<void()>> effects;
  std::map<std::string, Error> failures;
  // Steps that change nothing.
  std::vector<std::string> idle;
  std::vector<model::ActionContract> sent;
  std::function<void()> on_wait;
  model::CapabilitySet needs;
  // What more is needed on elements, by their names.
  std::map<std::string, model::CapabilitySet> needs_of;
  int probes = 0;
  std::vector<std::string> warmed;
  std::function<void(bool)> asking;

  std::string Url() const override { return url; }

  Task<Result<std::vector<engine::ProbeFinding>>> Probe(
      CallContext /*ctx*/, std::vector<engine::ProbedTarget> targets) override {
    ++probes;
    std::vector<engine::ProbeFinding> findings;
    for (const engine::ProbedTarget& target : targets) findings.push_back(Find(target));
    co_return findings;
  }

  Task<Result<std::vector<engine::SeenElement>>> Elements(CallContext /*ctx*/) override {
    std::vector<engine::SeenElement> seen;
    for (const FakeElement& one : pages[url]) {
      seen.push_back({.ref = "d1e" + std::to_string(seen.size()), .fingerprint = one.fingerprint});
      seen.back().fingerprint.selectors = one.selectors;
    }
    co_return seen;
  }

  Task<model::ActionExecutionResult> Execute(CallContext ctx,
                                             model::ActionContract contract) override {
    const std::string number = std::to_string(sent.size());
    model::ActionExecutionResult result;
    result.action_id = ActionId("act_" + number);
    result.turn_id = TurnId("turn_" + number);
    result.pre_state_id = state_;
    sent.push_back(contract);
    if (const auto wanted = ctx.StillWanted("the action"); !wanted)
      co_return Failed(result, wanted.error());
    if (contract.action_spec.type == model::ActionType::kWaitOnly) {
      if (on_wait) on_wait();
      co_return Failed(result, {ErrorCode::kWaitTimeout, "nothing came"});
    }
    if (const auto failure = failures.find(contract.intent); failure != failures.end())
      co_return Failed(result, failure->second);
    if (const auto effect = effects.find(contract.intent); effect != effects.end())
      effect->second();
    const bool is_idle = std::ranges::find(idle, contract.intent) != idle.end();
    if (!is_idle) state_ = "s_" + number;
    result.success = true;
    result.post_state_id = state_;
    co_return result;
  }

  model::CapabilitySet NeedsOf(const model::ActionSpec& spec,
                               const model::Fingerprint* element) const override {
    const auto more = element == nullptr ? needs_of.end() : needs_of.find(element->name);
    const model::CapabilitySet own = more == needs_of.end() ? model::CapabilitySet{} : more->second;
    return needs | own | model::CapabilitySet{spec.traits().capability};
  }

  void Warm(const std::string& origin) override { warmed.push_back(origin); }

  Subscription OnAsking(std::function<void(bool is_asking)> tell) override {
    asking = std::move(tell);
    return Subscription([this] { asking = nullptr; });
  }

  // Intents of what was done, but for waits.
  std::vector<std::string> Done() const {
    std::vector<std::string> done;
    for (const auto& contract : sent) {
      if (contract.action_spec.type != model::ActionType::kWaitOnly)
        done.push_back(contract.intent);
    }
    return done;
  }

 private:
  static model::ActionExecutionResult Failed(model::ActionExecutionResult result,
                                             const Error& why) {
    result.failure = model::ActionFailure::Of(why);
    return result;
  }

  engine::ProbeFinding Find(const engine::ProbedTarget& target) {
    for (const std::string& selector : target.selectors) {
      engine::ProbeFinding finding{.selector = selector};
      const Elements_& elements = pages[url];
      for (std::size_t i = 0; i < elements.size(); ++i) {
        if (std::ranges::find(elements[i].selectors, selector) == elements[i].selectors.end())
          continue;
        ++finding.matches;
        finding.ref = "d1e" + std::to_string(i);
        finding.is_usable = elements[i].is_usable;
      }
      if (finding.matches == 0) continue;
      if (finding.matches > 1) finding.is_usable = false;
      return finding;
    }
    return {};
  }

  std::string state_ = "s_begin";
};

// What follows on what, as a test has written it down: by the last symbol of the history.
class FakeLearnt final : public predict::LearntNext {
 public:
  std::map<std::uint64_t, std::vector<predict::Prediction>> after;
  std::map<std::uint64_t, predict::WorkflowStep> steps;

  void Say(std::uint64_t last, std::uint64_t next, double confidence, double seen = 10) {
    after[last].push_back({.symbol = next,
                           .confidence = confidence,
                           .probability = confidence,
                           .order = 1,
                           .seen = seen,
                           .source = "first_order"});
  }

  std::vector<predict::Prediction> Predict(
      const predict::PredictQuestion& question) const override {
    const std::uint64_t last = question.history.empty() ? 0 : question.history.back();
    const auto found = after.find(last);
    std::vector<predict::Prediction> out;
    if (found == after.end()) return out;
    for (const predict::Prediction& one : found->second) {
      const bool is_possible =
          question.possible.empty() ||
          std::ranges::find(question.possible, one.symbol) != question.possible.end();
      if (is_possible && out.size() < question.most) out.push_back(one);
    }
    return out;
  }
  std::optional<predict::WorkflowStep> StepOf(std::uint64_t symbol) const override {
    const auto found = steps.find(symbol);
    return found == steps.end() ? std::nullopt : std::optional(found->second);
  }
  std::uint64_t PageOf(const std::string& url) const override {
    return url.empty() ? 0 : predict::SymbolOf(url);
  }
};

class FakeMemory final : public predict::RunMemory {
 public:
  std::vector<predict::HealedStep> healed;
  std::vector<predict::AdvisedStep> advised;

  void OnHealed(const predict::HealedStep& step) override { healed.push_back(step); }
  void OnAdvised(const predict::AdvisedStep& step) override { advised.push_back(step); }
};

// Keeps intents, and nothing else.
class FakeIntents final : public store::WorkflowStore {
 public:
  std::map<std::string, store::IntentDocument> intents;
  bool refuses = false;

  Task<Result<void>> PutIntent(TenantId /*tenant*/, store::IntentDocument intent,
                               std::size_t /*most*/) override {
    if (refuses) co_return Fail(ErrorCode::kIoError, "the store is not there");
    intents[intent.key] = std::move(intent);
    co_return Result<void>();
  }
  Task<Result<std::optional<store::IntentDocument>>> FindIntent(TenantId /*tenant*/,
                                                                std::string key) override {
    const auto found = intents.find(key);
    co_return found == intents.end() ? std::nullopt : std::optional(found->second);
  }
  Task<Result<void>> DropIntent(TenantId /*tenant*/, std::string key) override {
    intents.erase(key);
    co_return Result<void>();
  }

  Task<Result<void>> PutWorkflow(TenantId, store::WorkflowDocument) override {
    co_return Fail(ErrorCode::kUnsupported, "intents only");
  }
  Task<Result<std::optional<store::WorkflowDocument>>> FindWorkflow(TenantId,
                                                                    std::string) override {
    co_return Fail(ErrorCode::kUnsupported, "intents only");
  }
  Task<Result<std::vector<store::WorkflowDocument>>> ListWorkflows(TenantId) override {
    co_return Fail(ErrorCode::kUnsupported, "intents only");
  }
  Task<Result<void>> DropWorkflow(TenantId, std::string) override {
    co_return Fail(ErrorCode::kUnsupported, "intents only");
  }
  Task<Result<void>> PutRecording(TenantId, store::RecordingDocument, std::size_t) override {
    co_return Fail(ErrorCode::kUnsupported, "intents only");
  }
  Task<Result<std::vector<store::RecordingDocument>>> ListRecordings(TenantId,
                                                                     std::string) override {
    co_return Fail(ErrorCode::kUnsupported, "intents only");
  }
};

}  // namespace falconer::test
