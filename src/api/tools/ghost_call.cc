#include "api/tools/ghost_call.h"

#include <utility>

#include "api/tools/page_lines.h"

namespace falconer::api {

Result<agent::GhostReader> MakeGhostReader(OpenRooms open, ViewGuard& guard) {
  TRY_ASSIGN(const ToolRooms rooms, open());
  if (rooms.ghost == nullptr) return Fail(ErrorCode::kUnsupported, "this server reads no pictures");
  return agent::GhostReader(
      {.runtime = rooms.runtime,
       .caller = [open = std::move(open)]() -> Result<engine::Caller> {
         TRY_ASSIGN(ToolRooms now, open());
         return std::move(now.caller);
       },
       .clean = [&guard](std::string_view line) { return CleanLine(line, guard); }},
      *rooms.ghost);
}

}  // namespace falconer::api
