#pragma once
// ScriptedProvider: a model that says what a test has written down, and remembers what it was
// asked.

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "agent/providers/provider.h"

namespace falconer::test {

class ScriptedProvider final : public agent::Provider {
 public:
  using Step = Result<agent::ProviderAnswer>;

  explicit ScriptedProvider(std::string name) : name_(std::move(name)) {}

  // What it says next; when nothing is left it fails with kProviderError.
  void Then(Step step) { steps_.push_back(std::move(step)); }
  void ThenSay(std::string text) {
    Then(agent::ProviderAnswer{.action = agent::Respond{std::move(text)}});
  }
  void ThenCall(std::vector<agent::ToolCall> calls) {
    Then(agent::ProviderAnswer{.action = agent::ToolCalls{.calls = std::move(calls)},
                               .end = agent::AnswerEnd::kToolCalls});
  }
  void Lacks(Error what) { lack_ = std::move(what); }
  // Called each time it is asked, before it answers.
  void OnAsk(std::function<void()> hook) { hook_ = std::move(hook); }
  const std::vector<agent::ChatRequest>& asked() const { return asked_; }

  const std::string& name() const override { return name_; }
  Result<void> Fits(const agent::ChatRequest& /*request*/) const override {
    if (lack_) return Fail(*lack_);
    return {};
  }
  Task<Result<agent::ProviderAnswer>> Ask(CallContext ctx, agent::ChatRequest request,
                                          agent::DeltaSink sink) override {
    asked_.push_back(std::move(request));
    if (hook_) hook_();
    CO_TRY(ctx.StillWanted("answer"));
    if (steps_.empty()) co_return Fail(ErrorCode::kProviderError, "nothing more is written down");
    Step step = std::move(steps_.front());
    steps_.pop_front();
    if (step) step->provider = name_;
    const auto* said = step ? std::get_if<agent::Respond>(&step->action) : nullptr;
    if (said != nullptr && sink) sink(agent::TextDelta{said->text});
    co_return step;
  }

 private:
  std::string name_;
  std::deque<Step> steps_;
  std::optional<Error> lack_;
  std::function<void()> hook_;
  std::vector<agent::ChatRequest> asked_;
};

}  // namespace falconer::test
