#include "agent/crawl/visit_session.h"

#include <utility>

#include "base/random.h"

namespace falconer::agent {
namespace {

constexpr auto kVisitClosingTime = std::chrono::seconds(10);

// As a problem tells it.
Error VisitFailure(const model::ActionFailure& failure, CrawlHost& host) {
  json::value details = failure.details;
  host.CleanValue(details);
  if (failure.retry_after) details.get_object()["retry_after_ms"] = failure.retry_after->count();
  return {failure.code, host.CleanLine(failure.message), std::move(details.get_object())};
}

json::object VisitTimeouts(std::chrono::milliseconds most) {
  return {{"total_ms", most.count()}, {"execute_ms", most.count()}, {"wait_ms", most.count()}};
}

}  // namespace

VisitSession::VisitSession(std::shared_ptr<CrawlHost> host, engine::SessionWish wish)
    : host_(std::move(host)), wish_(wish), workflow_("crawl-" + RandomHex(8)) {
}

Task<Result<model::ActionExecutionResult>> VisitSession::Act(CallContext ctx, json::object contract,
                                                             std::chrono::milliseconds timeout) {
  CO_TRY_ASSIGN(const CrawlRooms rooms, host_->Rooms());
  rooms.runtime->Plan({.tenant = rooms.caller.tenant, .workflow = workflow_}, wish_);
  contract["workflow_id"] = workflow_.value();
  contract["step_index"] = steps_++;
  contract["timeout"] = VisitTimeouts(timeout);
  CO_TRY_ASSIGN(const auto bytes,
                co_await rooms.runtime->Execute(std::move(ctx), rooms.caller, std::move(contract)));
  CO_TRY_ASSIGN(const json::value value, ParseJson(*bytes));
  CO_TRY_ASSIGN(auto result, model::ActionExecutionResult::FromJson(value));
  if (!result.success) co_return Fail(VisitFailure(*result.failure, *host_));
  co_return result;
}

Task<void> VisitSession::Close(CallContext ctx) const {
  const auto rooms = host_->Rooms();
  if (!rooms) co_return;
  co_await rooms->runtime->Close(
      CallContext(ctx.executor(), ctx.clock()).WithTimeout(kVisitClosingTime),
      {.tenant = rooms->caller.tenant, .workflow = workflow_});
}

const json::object* OutcomePart(const model::ActionExecutionResult& result, std::string_view name) {
  const json::value* part = result.outcome ? result.outcome->if_contains(name) : nullptr;
  return part != nullptr ? part->if_object() : nullptr;
}

}  // namespace falconer::agent
