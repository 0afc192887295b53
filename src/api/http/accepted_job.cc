#include "api/http/accepted_job.h"

#include <utility>

#include "api/http/idempotency_key.h"
#include "api/http/problem.h"
#include "model/url.h"
#include "policy/redaction/finding.h"

namespace falconer::api {
namespace {

constexpr std::size_t kLongestSecretName = 257;

// Jobs are kept on disk as they are: what opens doors is not among it.
Result<void> RefuseSecrets(const policy::Redactor* redactor, json::object input) {
  if (redactor == nullptr) return {};
  const policy::RedactionTally tally = redactor->RedactJson(policy::Surface::kLedger, input);
  for (const policy::FindingTraits& row : policy::AllFindingKinds()) {
    const bool opens_doors = row.payload == policy::PayloadClass::kCredential ||
                             row.payload == policy::PayloadClass::kPayment;
    if (!opens_doors || row.confidence != policy::Confidence::kCertain || tally[row.kind] == 0)
      continue;
    return Fail(ErrorCode::kInvalidArgument,
                "input: holds a secret (" + std::string(row.name) +
                    "); jobs are kept on disk and name secrets by reference only");
  }
  return {};
}

// The member, which is taken out; nothing when it is not there.
Result<std::string> TakeText(json::object& body, std::string_view key, std::size_t longest) {
  const json::value* value = body.if_contains(key);
  if (value == nullptr || value->is_null()) {
    body.erase(key);
    return std::string();
  }
  if (!value->is_string() || value->get_string().empty() || value->get_string().size() > longest) {
    return Fail(ErrorCode::kInvalidArgument, "body." + std::string(key) +
                                                 ": expected a text of 1 to " +
                                                 std::to_string(longest) + " characters");
  }
  std::string text(value->get_string());
  body.erase(key);
  return text;
}

net::HttpResponse Accepted(const store::JobRecord& job) {
  net::HttpResponse response = JsonResponse(
      202, json::object{{"job", job.id}, {"status", NameIn(store::kJobStates, job.state)}});
  response.headers.Set("Location", "/v1/jobs/" + job.id);
  return response;
}

}  // namespace

Result<agent::JobWish> JobWishOf(RestContext& context, const RouteCall& call, std::string type,
                                 json::object body) {
  agent::JobWish wish{.type = std::move(type)};
  TRY_ASSIGN(wish.callback.url, TakeText(body, "callback_url", model::kMaxUrlLength));
  TRY_ASSIGN(wish.callback.secret, TakeText(body, "callback_secret", kLongestSecretName));
  TRY_ASSIGN(const auto key, IdempotencyKey(call.request));
  wish.idempotency_key = key.value_or("");
  TRY_ASSIGN(const ToolRooms rooms, context.Rooms());
  TRY(RefuseSecrets(rooms.redactor, body));
  wish.input = std::move(body);
  return wish;
}

Result<agent::JobWish> JobWishFrom(RestContext& context, const RouteCall& call, std::string type) {
  TRY_ASSIGN(json::value body, call.Body());
  if (!body.is_object()) {
    return Fail(ErrorCode::kInvalidArgument,
                "body: expected object, got " + std::string(JsonTypeName(body)));
  }
  return JobWishOf(context, call, std::move(type), std::move(body.get_object()));
}

Task<Result<net::HttpResponse>> SubmittedJob(RestContext* context, agent::JobWish wish) {
  // A task may name the session that it is done in.
  wish.workflow = TextAt(wish.input, "session");
  CO_TRY_ASSIGN(const store::JobRecord job, co_await context->jobs.Submit(std::move(wish)));
  co_return Accepted(job);
}

Task<Result<net::HttpResponse>> BegunJob(RestContext* context, agent::JobWish wish,
                                         agent::JobQueue::JobWork work) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  if (rooms.redactor != nullptr) rooms.redactor->RedactJson(policy::Surface::kLedger, wish.input);
  CO_TRY_ASSIGN(const store::JobRecord job,
                co_await context->jobs.Begin(std::move(wish), std::move(work)));
  co_return Accepted(job);
}

}  // namespace falconer::api
