#pragma once
// A job as the server tells it.

#include "api/http/rest_context.h"

namespace falconer::api {

// {"job", "kind", "status", "attempts", "began_at", "started_at"?, "ended_at"?, "workflow"?,
// "callback"?, "result_bytes"?, "problem"?, "artifacts"?}.
json::object PlainJobJson(const store::JobRecord& job);
// And its "input", masked, and "waits_for": the approvals.
json::object JobJson(RestContext& context, const store::JobRecord& job);
// With its "news", and its "result" if there is one. Fails as JobQueue::ResultOf.
Task<Result<json::object>> WholeJobJson(RestContext* context, CallContext ctx, agent::JobView view);

}  // namespace falconer::api
