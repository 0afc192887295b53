#include "api/http/accepted_job.h"

#include <utility>

#include "api/http/problem.h"

namespace falconer::api {

Result<net::HttpResponse> AcceptedJob(RestContext& context, std::string kind,
                                      JobBook::JobWork work) {
  TRY_ASSIGN(const std::string job, context.jobs.Begin(std::move(kind), std::move(work)));
  net::HttpResponse response = JsonResponse(202, json::object{{"job", job}, {"status", "running"}});
  response.headers.Set("Location", "/v1/jobs/" + job);
  return response;
}

}  // namespace falconer::api
