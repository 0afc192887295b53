#include "predict/act/session_page.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/approvals/approval_desk.h"
#include "engine/control/foreseen_risk.h"
#include "model/default_port.h"
#include "model/url.h"

namespace falconer::predict {
namespace {

model::ActionExecutionResult NotRecorded(const Error& error) {
  model::ActionExecutionResult result;
  result.failure = model::ActionFailure::Of(error);
  return result;
}

}  // namespace

SessionPage::SessionPage(engine::Runtime& runtime, engine::Caller caller, WorkflowId session,
                         Renew renew)
    : runtime_(runtime),
      caller_(std::move(caller)),
      key_{.tenant = caller_.tenant, .workflow = std::move(session)},
      renew_(std::move(renew)) {
}

Result<engine::Caller> SessionPage::CallerNow() const {
  return renew_ ? renew_() : caller_;
}

std::string SessionPage::Url() const {
  return runtime_.SessionAside(key_)->PageUrl(TabId());
}

Task<Result<std::vector<engine::ProbeFinding>>> SessionPage::Probe(
    CallContext ctx, std::vector<engine::ProbedTarget> targets) {
  CO_TRY_ASSIGN(engine::Caller caller, CallerNow());
  engine::Look look(runtime_, std::move(caller));
  co_return co_await look.Probe(std::move(ctx), key_.workflow, std::move(targets));
}

Task<Result<std::vector<engine::SeenElement>>> SessionPage::Elements(CallContext ctx) {
  CO_TRY_ASSIGN(engine::Caller caller, CallerNow());
  engine::Look look(runtime_, std::move(caller));
  co_return co_await look.Elements(std::move(ctx), key_.workflow, kMostElements);
}

Task<model::ActionExecutionResult> SessionPage::Execute(CallContext ctx,
                                                        model::ActionContract contract) {
  auto caller = CallerNow();
  if (!caller) co_return NotRecorded(caller.error());
  const auto answer =
      co_await runtime_.Execute(std::move(ctx), *std::move(caller), contract.ToJson());
  if (!answer) co_return NotRecorded(answer.error());
  const auto value = ParseJson(**answer);
  if (!value) co_return NotRecorded(value.error());
  auto result = model::ActionExecutionResult::FromJson(*value);
  co_return result ? *std::move(result) : NotRecorded(result.error());
}

model::CapabilitySet SessionPage::NeedsOf(const model::ActionSpec& spec,
                                          const model::Fingerprint* element) const {
  return engine::ForeseenNeeds(spec, element, Url());
}

void SessionPage::Warm(const std::string& origin) {
  const auto session = runtime_.SessionAside(key_);
  if (!session->kit) return;
  const auto& door = session->kit->session->options().egress;
  const model::UrlParts parts = model::SplitUrl(origin);
  const auto port = parts.port.empty() ? std::optional(model::DefaultPort(parts.scheme))
                                       : ParseWhole<std::uint16_t>(parts.port);
  if (door && port) door->Warm(session->kit->session->id(), parts.host, *port);
}

bool SessionPage::IsAsking() const {
  const auto pending = runtime_.parts().control.approvals.Pending();
  return std::ranges::any_of(pending, [this](const model::ApprovalRequest& request) {
    return request.tenant == key_.tenant && request.workflow == key_.workflow;
  });
}

Subscription SessionPage::OnAsking(std::function<void(bool is_asking)> tell) {
  return runtime_.parts().control.approvals.on_changed().Subscribe(
      [this, tell = std::move(tell)] { tell(IsAsking()); });
}

}  // namespace falconer::predict
