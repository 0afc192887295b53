#include "api/http/predict_route.h"

#include <algorithm>
#include <utility>

namespace falconer::api {

Route PredictRoute(PredictRow row) {
  return {.method = row.method,
          .pattern = row.pattern,
          .tag = "predict",
          .summary = row.summary,
          .roles = row.roles,
          .handler = std::move(row.handler),
          .query = std::move(row.query),
          .body = row.body};
}

Result<void> OpenSessionNamed(const ToolRooms& rooms, const std::string& name) {
  const auto sessions = rooms.runtime->parts().sessions.List();
  const browser::SessionKey key = SessionNamed(rooms, name);
  if (std::ranges::find(sessions, key, &browser::SessionInfo::key) != sessions.end()) return {};
  return Fail(ErrorCode::kNotFound, "there is no session " + name);
}

}  // namespace falconer::api
