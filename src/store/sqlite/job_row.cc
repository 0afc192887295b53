#include "store/sqlite/job_row.h"

#include <utility>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

std::unexpected<Error> BadJob(const std::string& id, std::string_view what) {
  return Fail(ErrorCode::kStoreDamaged, "job " + id + ": " + std::string(what) + " makes no sense");
}

Error ErrorIn(const json::object& told) {
  const json::value* details = told.if_contains("details");
  return {ErrorCodeNamed(TextAt(told, "code")).value_or(ErrorCode::kInternalError),
          TextAt(told, "message"),
          details != nullptr && details->is_object() ? details->get_object() : json::object()};
}

CallbackTry TryIn(const json::object& told) {
  const auto number = [&told](std::string_view key) {
    const json::value* value = told.if_contains(key);
    return value != nullptr && value->is_int64() ? value->get_int64() : 0;
  };
  return {.at = FromWallMs(number("at_ms")),
          .status = static_cast<int>(number("status")),
          .problem = TextAt(told, "problem")};
}

void ReadOutcome(const json::object& told, JobOutcome& outcome) {
  if (const json::value* problem = told.if_contains("problem");
      problem != nullptr && problem->is_object())
    outcome.problem = ErrorIn(problem->get_object());
  const json::value* artifacts = told.if_contains("artifacts");
  if (artifacts == nullptr || !artifacts->is_array()) return;
  for (const json::value& one : artifacts->get_array())
    if (one.is_string()) outcome.artifacts.emplace_back(one.get_string());
}

void ReadCallback(const json::object& told, JobCallback& callback) {
  callback.url = TextAt(told, "url");
  callback.secret = TextAt(told, "secret");
  const json::value* tries = told.if_contains("tries");
  if (tries == nullptr || !tries->is_array()) return;
  for (const json::value& one : tries->get_array())
    if (one.is_object()) callback.tries.push_back(TryIn(one.get_object()));
}

}  // namespace

Result<JobRecord> JobIn(const Statement& row) {
  JobRecord job{.id = row.TextAt(0),
                .tenant = TenantId(row.TextAt(1)),
                .type = row.TextAt(2),
                .input = {},
                .workflow = row.TextAt(4),
                .idempotency_key = row.TextAt(5)};
  const auto state = ValueIn(kJobStates, row.TextAt(3));
  if (!state) return BadJob(job.id, "its state");
  job.state = job.outcome.state = *state;
  job.attempts = static_cast<int>(row.NumberAt(6));
  job.owner = row.TextAt(7);
  job.epoch = row.CountAt(8);
  job.lease_until = FromWallMs(row.NumberAt(9));
  job.created = FromWallMs(row.NumberAt(10));
  job.started = FromWallMs(row.NumberAt(11));
  job.ended = FromWallMs(row.NumberAt(12));
  job.cancel_reason = row.TextAt(13);
  job.outcome.bytes = row.CountAt(14);
  const auto callback = ValueIn(kCallbackStates, row.TextAt(15));
  if (!callback) return BadJob(job.id, "its callback");
  job.callback.state = *callback;
  job.callback.next = FromWallMs(row.NumberAt(16));
  auto input = ParseJsonObject(row.TextAt(17));
  if (!input) return BadJob(job.id, "its input");
  job.input = *std::move(input);
  job.outcome.result = row.TextAt(18);
  if (const auto told = ParseJsonObject(row.TextAt(19))) ReadOutcome(*told, job.outcome);
  if (const auto told = ParseJsonObject(row.TextAt(20))) ReadCallback(*told, job.callback);
  return job;
}

std::string OutcomeText(const JobOutcome& outcome) {
  json::object told;
  if (outcome.problem) told["problem"] = outcome.problem->ToJson();
  if (!outcome.artifacts.empty())
    told["artifacts"] = json::array(outcome.artifacts.begin(), outcome.artifacts.end());
  return json::serialize(told);
}

std::string CallbackText(const JobCallback& callback) {
  json::array tries;
  for (const CallbackTry& one : callback.tries) {
    tries.push_back(json::object{
        {"at_ms", ToWallMs(one.at)}, {"status", one.status}, {"problem", one.problem}});
  }
  return json::serialize(json::object{
      {"url", callback.url}, {"secret", callback.secret}, {"tries", std::move(tries)}});
}

}  // namespace falconer::store
