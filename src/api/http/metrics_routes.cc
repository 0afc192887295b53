// Numbers for those who watch.

#include <chrono>

#include "api/http/metrics_text.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kWatching = {Role::kViewer, Role::kOperator};
constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

double SecondsOf(Duration time) {
  return std::chrono::duration<double>(time).count();
}

void AddApprovals(const engine::ApprovalMeter& meter, MetricsText& out) {
  const std::pair<std::string_view, std::int64_t> ends[] = {{"approved", meter.approved},
                                                            {"denied", meter.denied},
                                                            {"expired", meter.expired},
                                                            {"void", meter.voided}};
  out.One("falconer_approvals_pending", "gauge", "Questions that wait for people.",
          static_cast<double>(meter.pending));
  out.One("falconer_approvals_asked_total", "counter", "Questions that were asked.",
          static_cast<double>(meter.asked));
  out.Begin("falconer_approvals_total", "counter", "Questions that are over, by how they ended.");
  for (const auto& [state, count] : ends) {
    out.Sample("falconer_approvals_total", "state=\"" + std::string(state) + "\"",
               static_cast<double>(count));
  }
  constexpr std::string_view kDecision = "falconer_approvals_decision_seconds";
  out.Begin(kDecision, "summary", "From a question to the answer of people.");
  out.Sample(std::string(kDecision) + "_sum", "", SecondsOf(meter.decision_time));
  out.Sample(std::string(kDecision) + "_count", "", static_cast<double>(meter.decided));
}

Task<Result<net::HttpResponse>> GetMetrics(RestContext* context) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const engine::RuntimeParts& parts = rooms.runtime->parts();
  MetricsText out;
  AddApprovals(parts.control.approvals.meter(), out);
  out.One("falconer_sessions_open", "gauge", "Sessions that have a browser.",
          static_cast<double>(parts.sessions.List().size()));
  out.One("falconer_leases_held", "gauge", "Workflows that this program drives.",
          static_cast<double>(parts.leases.held()));
  out.One("falconer_actions_running", "gauge", "Actions under way.",
          static_cast<double>(parts.load.running()));
  out.One("falconer_actions_waiting", "gauge", "Calls that wait for the action before them.",
          static_cast<double>(parts.load.queued()));
  co_return net::TextResponse(200, std::string(kMetricsType), out.text());
}

}  // namespace

std::vector<Route> MetricsRoutes(RestContext& context) {
  return {
      {.method = "GET",
       .pattern = "/metrics",
       .tag = "metrics",
       .summary = "Numbers in the form that Prometheus reads.",
       .roles = kWatching,
       .handler = [context = &context](CallContext, RouteCall) { return GetMetrics(context); }}};
}

}  // namespace falconer::api
