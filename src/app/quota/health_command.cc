#include <algorithm>
#include <fmt/format.h>

#include "app/desk/control_desk.h"
#include "app/desk/desk_work.h"
#include "app/quota/quota_commands.h"
#include "base/units.h"
#include "model/health.h"

namespace falconer::app {
namespace {

json::array PausesAnswer(const std::vector<store::Pause>& pauses) {
  json::array out;
  for (const store::Pause& pause : pauses) {
    json::object row{{"reason", pause.reason}, {"by", pause.by}, {"since", IsoTime(pause.since)}};
    if (!pause.tenant.empty()) row["tenant"] = pause.tenant.value();
    out.push_back(std::move(row));
  }
  return out;
}

// What is paused cannot be healthy, whatever the sites do.
model::Health HealthWith(const std::vector<store::Pause>& pauses, const TenantId& tenant,
                         std::uint64_t open_circuits) {
  const auto concerns = [&](const store::Pause& pause) { return pause.concerns(tenant); };
  if (std::ranges::any_of(pauses, concerns)) return model::Health::kPaused;
  return pauses.empty() ? model::HealthOf(open_circuits) : model::Health::kPartlyPaused;
}

Task<Result<json::object>> HealthWork(ControlDesk* desk, const Arguments* /*arguments*/) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  CO_TRY_ASSIGN(const auto circuits, co_await store->CountCircuits());
  CO_TRY_ASSIGN(const std::uint64_t sessions, co_await store->CountSessions());
  CO_TRY_ASSIGN(const auto pauses, co_await store->ListPauses());
  const model::Health health = HealthWith(pauses, desk->tenant(), circuits.open);
  co_return json::object{{"status", NameIn(model::kHealths, health)},
                         {"open_circuits", circuits.open},
                         {"half_open_circuits", circuits.half_open},
                         {"active_sessions", sessions},
                         {"pauses", PausesAnswer(pauses)}};
}

void PrintHealth(const json::object& answer, Terminal& terminal) {
  terminal.Print(fmt::format("{}: {} sites are down, {} sessions are open",
                             TextAt(answer, "status"),
                             answer.at("open_circuits").to_number<std::uint64_t>(),
                             answer.at("active_sessions").to_number<std::uint64_t>()));
  for (const json::value& value : answer.at("pauses").as_array()) {
    const json::object& row = value.as_object();
    const std::string tenant = TextAt(row, "tenant");
    terminal.Print(fmt::format("{} is paused since {} by {}: {}; `falconer resume{}` ends it",
                               tenant.empty() ? "everything" : "tenant " + tenant,
                               TextAt(row, "since"), TextAt(row, "by"), TextAt(row, "reason"),
                               tenant.empty() ? "" : " --tenant " + tenant));
  }
}

}  // namespace

int RunHealth(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &HealthWork, &PrintHealth);
}

}  // namespace falconer::app
