#pragma once
// SessionPage: the page of a workflow's session in the runtime.

#include "engine/runtime.h"
#include "predict/act/acting_page.h"

namespace falconer::predict {

// Elements of a page that are looked at; more are left out.
inline constexpr std::size_t kMostElements = 2000;

class SessionPage final : public ActingPage {
 public:
  // The caller as he is now.
  using Renew = std::function<Result<engine::Caller>()>;

  // The runtime must outlive this. Without `renew` the caller stays as he is.
  SessionPage(engine::Runtime& runtime, engine::Caller caller, WorkflowId session,
              Renew renew = {});

  std::string Url() const override;
  Task<Result<std::vector<engine::ProbeFinding>>> Probe(
      CallContext ctx, std::vector<engine::ProbedTarget> targets) override;
  Task<Result<std::vector<engine::SeenElement>>> Elements(CallContext ctx) override;
  Task<model::ActionExecutionResult> Execute(CallContext ctx,
                                             model::ActionContract contract) override;
  model::CapabilitySet NeedsOf(const model::ActionSpec& spec,
                               const model::Fingerprint* element) const override;
  void Warm(const std::string& origin) override;
  Subscription OnAsking(std::function<void(bool is_asking)> tell) override;

 private:
  bool IsAsking() const;
  Result<engine::Caller> CallerNow() const;

  engine::Runtime& runtime_;
  engine::Caller caller_;
  browser::SessionKey key_;
  Renew renew_;
};

}  // namespace falconer::predict
