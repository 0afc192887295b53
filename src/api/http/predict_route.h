#pragma once
// What the routes about learning and predicting share.

#include <string>
#include <string_view>
#include <vector>

#include "api/http/rest_context.h"

namespace falconer::api {

struct PredictRow {
  std::string_view method;
  std::string_view pattern;
  std::string_view summary;
  RoleSet roles;
  RouteHandler handler;
  std::string_view body = {};
  std::vector<QueryRow> query = {};
};

Route PredictRoute(PredictRow row);

// kNotFound for a session that is not open: asking what comes next opens none.
Result<void> OpenSessionNamed(const ToolRooms& rooms, const std::string& name);

}  // namespace falconer::api
