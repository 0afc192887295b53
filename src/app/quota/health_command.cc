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

Task<Result<json::object>> HealthWork(ControlDesk* desk, const Arguments* /*arguments*/) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  CO_TRY_ASSIGN(const auto circuits, co_await store->CountCircuits());
  CO_TRY_ASSIGN(const std::uint64_t sessions, co_await store->CountSessions());
  CO_TRY_ASSIGN(const auto pauses, co_await store->ListPauses());
  co_return json::object{{"status", NameIn(model::kHealths, model::HealthOf(circuits.open))},
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
    terminal.Print(fmt::format("{} is paused since {} by {}: {}",
                               tenant.empty() ? "everything" : "tenant " + tenant,
                               TextAt(row, "since"), TextAt(row, "by"), TextAt(row, "reason")));
  }
}

}  // namespace

int RunHealth(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &HealthWork, &PrintHealth);
}

}  // namespace falconer::app
