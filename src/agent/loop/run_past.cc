#include "agent/loop/run_past.h"

#include <algorithm>
#include <utility>

#include "agent/loop/run_log.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kUnknownOutcome =
    "outcome unknown: the run was interrupted while this was carried out. Look at the page before "
    "doing it again.";

Result<void> TakeOpened(const json::object& record, RunPast& past) {
  if (!past.task.empty()) {
    ++past.times_resumed;
    past.closed.reset();
    past.result.clear();
    return {};
  }
  past.task = TextAt(record, "task");
  const json::value* config = record.if_contains("config");
  TRY_ASSIGN(past.config, RunConfig::FromJson(config == nullptr ? json::value() : *config));
  return {};
}

Result<void> TakePlanned(const json::object& record, RunPast& past) {
  TRY_ASSIGN(RunStep step, RunStep::FromJson(record.at("step")));
  for (RunCall& call : step.calls)
    if (call.status == CallStatus::kUnknown) call.text = kUnknownOutcome;
  past.used = std::max(past.used, step.at);
  past.steps.push_back(std::move(step));
  past.ends_planned = true;
  return {};
}

Result<void> TakeStep(const json::object& record, RunPast& past) {
  TRY_ASSIGN(RunStep step, RunStep::FromJson(record.at("step")));
  past.used = std::max(past.used, step.at);
  const bool was_planned = past.ends_planned && past.steps.back().step == step.step;
  if (was_planned) past.steps.pop_back();
  past.ends_planned = false;
  past.steps.push_back(std::move(step));
  return {};
}

Result<void> TakeClosed(const json::object& record, RunPast& past) {
  const json::object* result = record.at("result").if_object();
  if (result == nullptr) return Fail(ErrorCode::kLedgerDamaged, "the result is no object");
  past.result = *result;
  past.closed = ValueIn(kStopReasons, TextAt(past.result, "stop_reason"));
  const json::value* ms = past.result.if_contains("wall_time_ms");
  if (ms != nullptr && ms->is_int64())
    past.used = std::max<Duration>(past.used, std::chrono::milliseconds(ms->get_int64()));
  return {};
}

struct RecordRow {
  std::string_view event;
  std::string_view part;  // that it cannot do without
  Result<void> (*take)(const json::object& record, RunPast& past);
};

constexpr RecordRow kRecordRows[] = {
    {kRunOpened, "task", TakeOpened},
    {kRunPlanned, "step", TakePlanned},
    {kRunStep, "step", TakeStep},
    {kRunClosed, "result", TakeClosed},
};

Error Unreadable(std::string_view event, const std::string& why) {
  return {ErrorCode::kLedgerDamaged,
          "the record " + std::string(event) + " of the run cannot be read: " + why};
}

Result<void> TakeRecord(const json::object& record, RunPast& past) {
  const std::string event = TextAt(record, "event");
  for (const RecordRow& row : kRecordRows) {
    if (row.event != event) continue;
    if (!record.contains(row.part)) return Fail(Unreadable(event, "no " + std::string(row.part)));
    const auto taken = row.take(record, past);
    if (!taken) return Fail(Unreadable(event, taken.error().message()));
    return {};
  }
  return Fail(Unreadable(event, "nobody knows it"));
}

}  // namespace

Result<RunPast> ReadRunPast(const std::vector<json::object>& records) {
  if (records.empty()) return Fail(ErrorCode::kNotFound, "there is no such run on record");
  RunPast past;
  for (const json::object& record : records) TRY(TakeRecord(record, past));
  return past;
}

}  // namespace falconer::agent
