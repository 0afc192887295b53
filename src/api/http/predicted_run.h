#pragma once
// Runs by prediction, now or as a job.

#include "api/http/rest_context.h"
#include "predict/predict_desk.h"

namespace falconer::api {

inline constexpr std::string_view kWorkflowRunJob = "workflow_run";

// Begins the run as a job at once: what its parameters say stays in this process, so that it cannot
// be taken up by another one. Fails as BegunJob.
Task<Result<net::HttpResponse>> BegunPredictedRun(RestContext* context, predict::RunWish wish,
                                                  agent::JobWish job);
// The same for a call whose body is a job of its own: "workflow" is in it.
Task<Result<net::HttpResponse>> BegunPredictedRun(RestContext* context, RouteCall call,
                                                  json::object input);

}  // namespace falconer::api
