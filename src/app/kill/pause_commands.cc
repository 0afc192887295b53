// pause and resume.

#include <fmt/format.h>

#include "app/desk/control_desk.h"
#include "app/desk/desk_work.h"
#include "app/desk/option_values.h"
#include "app/kill/kill_commands.h"
#include "base/units.h"

namespace falconer::app {
namespace {

json::object PauseAnswer(const store::Pause& pause) {
  json::object out{{"reason", pause.reason}, {"by", pause.by}, {"since", IsoTime(pause.since)}};
  if (!pause.tenant.empty()) out["tenant"] = pause.tenant.value();
  return out;
}

std::string PausedWho(const json::object& row) {
  const std::string tenant = TextAt(row, "tenant");
  return tenant.empty() ? "everything" : "tenant " + tenant;
}

std::string ResumeCommand(const std::string& tenant) {
  return tenant.empty() ? "falconer resume" : "falconer resume --tenant " + tenant;
}

// In force before it is on record: what is wrong must stop, also when nothing can be written.
Task<Result<json::object>> PauseWork(ControlDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string reason, ReasonOf(*arguments));
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  const TenantId tenant(arguments->tenant);
  CO_TRY_ASSIGN(const store::Pause pause,
                co_await store->OrderPause({tenant, reason, OperatorName()}));
  const auto recorded =
      co_await desk->Record(tenant, "pause", {{"of", arguments->tenant}, {"reason", reason}});
  if (!recorded) {
    co_return Fail(Error(recorded.error()).In("the pause is in force, but not on record"));
  }
  co_return json::object{{"pause", PauseAnswer(pause)}};
}

void PrintPause(const json::object& answer, Terminal& terminal) {
  const json::object& pause = answer.at("pause").as_object();
  const std::string tenant = TextAt(pause, "tenant");
  terminal.Print(fmt::format("{} is paused since {} by {}: {}", PausedWho(pause),
                             TextAt(pause, "since"), TextAt(pause, "by"), TextAt(pause, "reason")));
  terminal.Print("  nothing new begins, and what has begun is broken off within a second");
  terminal.Print("  no token is revoked; `falconer kill` does that, too");
  terminal.Print(fmt::format("  `{}` ends the pause", ResumeCommand(tenant)));
}

Task<Result<json::object>> ResumeWork(ControlDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  const TenantId tenant(arguments->tenant);
  CO_TRY_ASSIGN(const auto ended, co_await store->EndPause(tenant));
  if (ended) {
    CO_TRY(co_await desk->Record(tenant, "resume",
                                 {{"of", arguments->tenant}, {"reason", ended->reason}}));
  }
  CO_TRY_ASSIGN(const auto left, co_await store->ListPauses());
  json::array still;
  for (const store::Pause& pause : left) still.push_back(PauseAnswer(pause));
  co_return json::object{{"was_paused", ended.has_value()}, {"still_paused", std::move(still)}};
}

void PrintResume(const json::object& answer, Terminal& terminal) {
  terminal.Print(IsTrueAt(answer, "was_paused")
                     ? "the pause is over; tokens that were revoked stay revoked"
                     : "there was no such pause");
  for (const json::value& row : answer.at("still_paused").as_array()) {
    const json::object& pause = row.as_object();
    terminal.Print(fmt::format("{} is still paused: {} (`{}` ends it)", PausedWho(pause),
                               TextAt(pause, "reason"), ResumeCommand(TextAt(pause, "tenant"))));
  }
}

}  // namespace

int RunPause(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &PauseWork, &PrintPause);
}

int RunResume(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &ResumeWork, &PrintResume);
}

}  // namespace falconer::app
