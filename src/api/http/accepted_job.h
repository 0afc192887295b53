#pragma once
// What is answered to who sent work that goes on after the answer.

#include <string>

#include "api/http/rest_context.h"

namespace falconer::api {

// The body of a call as a job of that type: "callback_url" and "callback_secret" are the job's, the
// rest is its input. kInvalidArgument, also for an input that holds a secret: it would lie on disk.
Result<agent::JobWish> JobWishFrom(RestContext& context, const RouteCall& call, std::string type);
// The same where the input is a part of the body.
Result<agent::JobWish> JobWishOf(RestContext& context, const RouteCall& call, std::string type,
                                 json::object body);

// 202 with the job's id and where to look for it. Fails as JobQueue::Submit.
Task<Result<net::HttpResponse>> SubmittedJob(RestContext* context, agent::JobWish wish);

// The same for what only this process can do, which begins at once. What is shown of its input is
// masked. Fails as JobQueue::Begin.
Task<Result<net::HttpResponse>> BegunJob(RestContext* context, agent::JobWish wish,
                                         agent::JobQueue::JobWork work);

}  // namespace falconer::api
