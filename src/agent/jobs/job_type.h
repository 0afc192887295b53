#pragma once
// JobType: a kind of job, and how it is done.

#include <functional>
#include <memory>
#include <string>

#include "agent/jobs/job_parts.h"
#include "base/async/call_context.h"
#include "base/ids.h"
#include "base/json/json.h"

namespace falconer::agent {

// Tells how far it is. It must be called on the queue's event loop, and never waits.
using JobNews = std::function<void(json::object news)>;

struct JobInput {
  std::string id;
  TenantId tenant;
  std::string workflow;
  json::object input;
  // 1 the first time.
  int attempt = 1;
  // What it has kept; never null.
  std::shared_ptr<JobParts> parts;
};

using JobHandler =
    std::function<Task<Result<json::object>>(CallContext ctx, JobInput input, JobNews news)>;

struct JobType {
  std::string name;
  // Whether such an input makes sense; fails with kInvalidArgument, naming the field.
  std::function<Result<void>(const json::object& input)> check = nullptr;
  // Empty: such jobs are only begun (JobQueue::Begin), never sent.
  JobHandler run = nullptr;
  // Goes on with one that the program ended in the middle of. Empty: one that only reads is begun
  // again, any other fails, because nobody knows what it has done.
  JobHandler resume = nullptr;
  bool only_reads = false;
};

struct CallbackWish {
  std::string url;
  // What it is signed with, a secret's name or NAME:FIELD; "" for the one of the settings.
  std::string secret = {};
};

struct JobWish {
  std::string type;
  json::object input;
  std::string workflow = {};
  // The same one sent again is answered with the job that is there.
  std::string idempotency_key = {};
  CallbackWish callback = {};
};

}  // namespace falconer::agent
