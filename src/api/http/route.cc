#include "api/http/route.h"

namespace falconer::api {

Result<json::value> RouteCall::Body() const {
  auto body = ParseJson(request.body);
  if (body) return body;
  return Fail(Error(ErrorCode::kInvalidArgument, body.error().message()).In("body"));
}

}  // namespace falconer::api
