// What the tenant may use, what it uses now, and which sites are left alone.

#include <algorithm>
#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/aside.h"
#include "base/units.h"

namespace falconer::api {
namespace {

constexpr RoleSet kReadingQuotas = {Role::kAgent, Role::kViewer, Role::kOperator};

struct QuotaNumbers {
  model::TenantQuota limits;
  store::QuotaUse use;
  std::uint64_t artifact_bytes = 0;
};

using Quota = model::TenantQuota;

// Limits that something is counted against; the others are of each answer.
struct CountedRow {
  std::uint64_t Quota::* member;
  std::uint64_t (*used)(const QuotaNumbers& numbers);
  // How long something counts; zero for as long as it is there.
  std::chrono::milliseconds window;
};

constexpr CountedRow kCounted[] = {
    {&Quota::max_concurrent_sessions, [](const QuotaNumbers& n) { return n.use.sessions; }, {}},
    {&Quota::max_actions_per_minute,
     [](const QuotaNumbers& n) { return n.use.actions_last_minute; }, store::kActionWindow},
    {&Quota::max_artifact_bytes, [](const QuotaNumbers& n) { return n.artifact_bytes; }, {}},
};

json::object QuotaJson(const model::QuotaRow& row, const QuotaNumbers& numbers,
                       const Quota& defaults) {
  const std::uint64_t limit = numbers.limits.*row.member;
  json::object out{{"name", row.name},
                   {"limit", limit == 0 ? json::value() : json::value(limit)},
                   {"own", limit != defaults.*row.member}};
  const auto* const counted = std::ranges::find(kCounted, row.member, &CountedRow::member);
  if (counted == std::end(kCounted)) {
    out["per"] = "answer";
    return out;
  }
  out["used"] = counted->used(numbers);
  if (counted->window.count() > 0) {
    out["window_ms"] = counted->window.count();
    out["resets_in_ms"] = numbers.use.oldest_leaves.count();
  }
  return out;
}

json::array LeasesJson(const ToolRooms& rooms) {
  json::array list;
  for (const kernel::HeldLease& held : rooms.runtime->parts().leases.List()) {
    if (held.lease.key.tenant != rooms.caller.tenant) continue;
    list.push_back(json::object{{"session", held.lease.key.workflow.value()},
                                {"session_id", held.session.value()},
                                {"epoch", held.lease.epoch},
                                {"expires_at", IsoTime(held.lease.expires)}});
  }
  return list;
}

Task<Result<json::object>> BreakersJson(const ControlPanel* panel, TenantId tenant) {
  const store::BreakerLimits& limits = panel->breaker_limits;
  CO_TRY_ASSIGN(const auto rows, co_await panel->store.ListCircuits(
                                     {.tenant = std::move(tenant), .window = limits.window}));
  json::array circuits;
  for (const store::ListedCircuit& row : rows) circuits.push_back(row.ToJson());
  co_return json::object{{"threshold", limits.threshold},
                         {"window_ms", limits.window.count()},
                         {"open_for_ms", limits.open_for.count()},
                         {"circuits", std::move(circuits)}};
}

Task<Result<QuotaNumbers>> NumbersOf(CallContext ctx, const ControlPanel* panel,
                                     const ToolRooms* rooms) {
  const TenantId tenant = rooms->caller.tenant;
  QuotaNumbers numbers;
  CO_TRY_ASSIGN(numbers.limits, co_await panel->store.GetQuota(tenant, panel->default_quota));
  CO_TRY_ASSIGN(numbers.use, co_await panel->store.GetUse(tenant));
  // Counting files may take a while; nobody else waits for it.
  CO_TRY_ASSIGN(numbers.artifact_bytes,
                co_await Aside(std::move(ctx), [artifacts = &rooms->runtime->parts().artifacts,
                                                tenant] { return artifacts->UsedBytes(tenant); }));
  co_return numbers;
}

Task<Result<net::HttpResponse>> GetQuotas(RestContext* context, CallContext ctx, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  CO_TRY_ASSIGN(const QuotaNumbers numbers, co_await NumbersOf(std::move(ctx), panel, &rooms));
  CO_TRY_ASSIGN(json::object breakers, co_await BreakersJson(panel, rooms.caller.tenant));
  json::array quotas;
  for (const model::QuotaRow& row : model::kQuotaRows)
    quotas.push_back(QuotaJson(row, numbers, panel->default_quota));
  co_return JsonResponse(200, json::object{{"tenant", rooms.caller.tenant.value()},
                                           {"quotas", std::move(quotas)},
                                           {"actions_last_hour", numbers.use.actions_last_hour},
                                           {"breakers", std::move(breakers)},
                                           {"leases", LeasesJson(rooms)}});
}

}  // namespace

std::vector<Route> QuotaRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/v1/quotas",
           .tag = "quotas",
           .summary = "Limits and what is used of them, circuits of sites, leases held here.",
           .roles = kReadingQuotas,
           .handler = Handle<GetQuotas>(context)}};
}

}  // namespace falconer::api
