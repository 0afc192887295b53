#pragma once
// What is answered to who sent work that goes on after the answer.

#include <string>

#include "api/http/rest_context.h"

namespace falconer::api {

// 202 with the job's id and where to look for it. Fails as JobBook::Begin.
Result<net::HttpResponse> AcceptedJob(RestContext& context, std::string kind,
                                      JobBook::JobWork work);

}  // namespace falconer::api
