#pragma once
// JobRecord: work that goes on after whoever sent it was answered, as the store keeps it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::store {

enum class JobState : std::uint8_t { kQueued, kRunning, kEnded, kFailed, kCancelled };

inline constexpr EnumName<JobState> kJobStates[] = {
    {JobState::kQueued, "queued"}, {JobState::kRunning, "running"},     {JobState::kEnded, "ended"},
    {JobState::kFailed, "failed"}, {JobState::kCancelled, "cancelled"},
};

constexpr bool IsOver(JobState state) {
  return state != JobState::kQueued && state != JobState::kRunning;
}

enum class CallbackState : std::uint8_t {
  kNone,     // nobody wants one
  kArmed,    // once the job is over
  kWaiting,  // to be delivered at its time
  kDelivered,
  kFailed,
};

inline constexpr EnumName<CallbackState> kCallbackStates[] = {
    {CallbackState::kNone, "none"},       {CallbackState::kArmed, "armed"},
    {CallbackState::kWaiting, "waiting"}, {CallbackState::kDelivered, "delivered"},
    {CallbackState::kFailed, "failed"},
};

struct CallbackTry {
  WallTime at;
  int status = 0;       // of the answer; 0 when there was none
  std::string problem;  // "" when it arrived
};

struct JobCallback {
  std::string url;
  // What it is signed with: a secret's name, or NAME:FIELD. Never a value.
  std::string secret;
  CallbackState state = CallbackState::kNone;
  std::vector<CallbackTry> tries = {};
  WallTime next = {};
};

// What came of a job.
struct JobOutcome {
  JobState state = JobState::kEnded;
  // Of a job that ended: as JSON; "" when it is in a file because it is large.
  std::string result = {};
  // Of the result, and of what was kept on the way to it.
  std::uint64_t bytes = 0;
  std::optional<Error> problem = std::nullopt;
  // Ids of files that it made.
  std::vector<std::string> artifacts = {};
};

struct JobRecord {
  std::string id;  // later ones sort later
  TenantId tenant;
  std::string type;
  json::object input;
  std::string workflow = {};
  std::string idempotency_key = {};
  JobState state = JobState::kQueued;
  int attempts = 0;
  // Who runs it, by which right, and until when without being heard of.
  std::string owner = {};
  std::uint64_t epoch = 0;
  WallTime lease_until = {};
  WallTime created = {};
  WallTime started = {};
  WallTime ended = {};
  // Why somebody wants it to end; "" when nobody does.
  std::string cancel_reason = {};
  JobOutcome outcome = {};
  JobCallback callback = {};
};

// Something that a job told on its way.
struct JobNewsRow {
  std::uint64_t seq = 0;
  json::object news;
};

}  // namespace falconer::store
