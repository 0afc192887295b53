// Numbers for those who watch.

#include <chrono>

#include "api/http/accepted_media.h"
#include "api/http/metrics_text.h"
#include "api/http/predict_metrics.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/predict_wishes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kWatching = {Role::kViewer, Role::kOperator};
constexpr double kMsInSecond = 1000;
constexpr std::string_view kMetricsMedia = "text/plain";
constexpr std::string_view kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

double SecondsOf(Duration time) {
  return std::chrono::duration<double>(time).count();
}

void AddApprovals(const engine::ApprovalMeter& meter, MetricsText& out) {
  const std::pair<std::string_view, std::int64_t> ends[] = {{"approved", meter.approved},
                                                            {"denied", meter.denied},
                                                            {"expired", meter.expired},
                                                            {"void", meter.voided}};
  out.One("falconer_executor_approvals_pending", "gauge", "Questions that wait for people.",
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

std::string Label(std::string_view name, std::string_view value) {
  return std::string(name) + "=\"" + std::string(value) + "\"";
}

void AddTurns(const engine::TurnMeter& meter, MetricsText& out) {
  constexpr std::string_view kRequests = "falconer_executor_requests_total";
  out.Begin(kRequests, "counter", "Contracts, by action and what came of them.");
  for (const auto& [name, count] : meter.ends()) {
    out.Sample(kRequests, Label("action", name.first) + "," + Label("status", name.second),
               static_cast<double>(count));
  }
  constexpr std::string_view kFailures = "falconer_executor_failures_total";
  out.Begin(kFailures, "counter", "Contracts that failed or were refused, by code.");
  for (const auto& [code, count] : meter.failures())
    out.Sample(kFailures, Label("code", code), static_cast<double>(count));
  constexpr std::string_view kTook = "falconer_executor_duration_seconds";
  out.Begin(kTook, "histogram", "From a contract to what came of it, by action.");
  for (const auto& [action, took] : meter.took())
    out.Histogram(kTook, Label("action", action), took);
  constexpr std::string_view kPhase = "falconer_turn_phase_seconds";
  out.Begin(kPhase, "histogram", "The phases of turns.");
  for (const auto& [phase, took] : meter.phases())
    out.Histogram(kPhase, Label("phase", phase), took);
}

void AddExport(const engine::ExportMeter& meter, MetricsText& out) {
  out.One("falconer_durable_export_spans_total", "counter", "Spans that a collector took.",
          static_cast<double>(meter.exported));
  out.One("falconer_durable_export_retries_total", "counter", "Exports that were tried again.",
          static_cast<double>(meter.retries));
  out.One("falconer_durable_export_failures_total", "counter",
          "Spans that were given up after every try, or refused.",
          static_cast<double>(meter.failures));
  out.One("falconer_durable_export_drops_total", "counter",
          "Spans for which there was no room in the queue.", static_cast<double>(meter.dropped));
  out.One("falconer_durable_export_queue_depth", "gauge", "Spans that wait to be exported.",
          static_cast<double>(meter.queue_depth));
  out.One("falconer_durable_export_lag_ms", "gauge", "How long the oldest of them has waited.",
          static_cast<double>(meter.lag.count()));
}

// One gauge or counter by one label.
struct LabelledValue {
  std::string_view label;
  std::uint64_t value;
};

void AddFamily(std::string_view name, std::string_view type, std::string_view help,
               std::string_view label, std::initializer_list<LabelledValue> values,
               MetricsText& out) {
  out.Begin(name, type, help);
  for (const LabelledValue& one : values)
    out.Sample(name, Label(label, one.label), static_cast<double>(one.value));
}

void AddCancels(const engine::TurnMeter& meter, MetricsText& out) {
  constexpr std::string_view kCancel = "falconer_cancel_latency_ms";
  out.Begin(kCancel, "histogram", "From when a running turn is called off until it is sealed.");
  out.Histogram(kCancel, "", meter.cancels(), kMsInSecond);
  const auto total = static_cast<double>(meter.total());
  out.One("falconer_shed_rate", "gauge", "Share of contracts refused because too much ran.",
          total == 0 ? 0 : static_cast<double>(meter.shed()) / total);
}

void AddFlow(const engine::Runtime& runtime, const engine::TurnMeter& meter, MetricsText& out) {
  const engine::FlowNumbers flow = runtime.Flow();
  AddFamily("falconer_drops_total", "counter", "What did not fit: events, and contracts.", "queue",
            {{"events", flow.data_lost + flow.telemetry_lost}, {"actions", meter.shed()}}, out);
  AddFamily("falconer_edge_drops_total", "counter", "Events that a listener did not get.", "lane",
            {{"data", flow.data_lost}, {"telemetry", flow.telemetry_lost}}, out);
  constexpr std::string_view kEdge = "falconer_edge_queue_depth";
  out.Begin(kEdge, "gauge", "Events that listeners have yet to read.");
  for (const EnumName<model::Lane>& lane : model::kLanes)
    out.Sample(kEdge, Label("lane", lane.name),
               static_cast<double>(flow.depth[static_cast<std::size_t>(lane.value)]));
}

void AddSessions(const engine::RuntimeParts& parts, MetricsText& out) {
  const browser::AcquireMeter& meter = parts.sessions.meter();
  out.One("falconer_warm_pool_size", "gauge", "Browsers that run.",
          static_cast<double>(parts.sessions.Browsers().size()));
  constexpr std::string_view kAcquire = "falconer_warm_pool_acquire_seconds";
  out.Begin(kAcquire, "histogram", "Until a workflow had its session.");
  out.Histogram(kAcquire, "", meter.took);
  AddFamily("falconer_warm_pool_requests_total", "counter", "How workflows got their sessions.",
            "result", {{"warm", meter.warm}, {"opened", meter.opened}, {"failed", meter.failed}},
            out);
}

void AddLeases(const kernel::LeaseKeeper& leases, MetricsText& out) {
  out.One("falconer_leases_held", "gauge", "Workflows that this program drives.",
          static_cast<double>(leases.held()));
  out.One("falconer_leases_lost_total", "counter", "Leases that were lost while they were held.",
          static_cast<double>(leases.lost()));
}

// How far the disk is behind those who wait for it.
void AddStores(const engine::RuntimeParts& parts, const ControlPanel* panel, MetricsText& out) {
  const ledger::LedgerLag lag = parts.ledger.lag();
  const store::StoreQueues queues = panel != nullptr ? panel->store.queues() : store::StoreQueues();
  AddFamily("falconer_queue_depth", "gauge", "What waits, by what it waits for.", "queue",
            {{"actions", parts.load.queued()},
             {"sessions", parts.sessions.waiting()},
             {"ledger", lag.waiting},
             {"store_write", queues.writing},
             {"store_read", queues.reading}},
            out);
  out.One("falconer_ledger_lag_ms", "gauge", "How long the oldest record waits to be durable.",
          SecondsOf(lag.oldest) * kMsInSecond);
  constexpr std::string_view kAppend = "falconer_ledger_append_seconds";
  out.Begin(kAppend, "histogram", "Until a record was durable.");
  out.Histogram(kAppend, "", lag.took);
}

// Programs that ask for JSON are told the counters of the prediction loop.
Result<net::HttpResponse> PredictNumbers(const ToolRooms& rooms) {
  TRY_ASSIGN(const predict::PredictDesk* desk, PredictDeskOf(rooms));
  return JsonResponse(200, desk->Numbers());
}

Task<Result<net::HttpResponse>> GetMetrics(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  if (PrefersMedia(call.request, kJsonMedia, kMetricsMedia)) co_return PredictNumbers(rooms);
  const engine::RuntimeParts& parts = rooms.runtime->parts();
  MetricsText out;
  AddApprovals(parts.control.approvals.meter(), out);
  AddTurns(rooms.runtime->meter(), out);
  AddCancels(rooms.runtime->meter(), out);
  AddFlow(*rooms.runtime, rooms.runtime->meter(), out);
  AddSessions(parts, out);
  AddLeases(parts.leases, out);
  AddStores(parts, rooms.panel, out);
  out.One("falconer_sessions_open", "gauge", "Sessions that have a browser.",
          static_cast<double>(parts.sessions.List().size()));
  out.One("falconer_actions_running", "gauge", "Actions under way.",
          static_cast<double>(parts.load.running()));
  out.One("falconer_actions_waiting", "gauge", "Calls that wait for the action before them.",
          static_cast<double>(parts.load.queued()));
  if (parts.spans != nullptr) AddExport(parts.spans->meter(), out);
  if (rooms.predict != nullptr) AddPredictions(rooms.predict->Numbers(), out);
  co_return net::TextResponse(200, std::string(kMetricsType), out.text());
}

}  // namespace

std::vector<Route> MetricsRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/metrics",
           .tag = "metrics",
           .summary = "Numbers in the form that Prometheus reads; for who prefers application/json "
                      "those of the prediction loop.",
           .roles = kWatching,
           .handler = Handle<GetMetrics>(context),
           .media = kMetricsMedia}};
}

}  // namespace falconer::api
