#include "api/tools/ledger_trace.h"

#include "base/log.h"

namespace falconer::api {

void LedgerTrace::Note(const agent::ToolStep& step) {
  const auto rooms = host_.Rooms();
  if (!rooms) {
    LOG(warn, "step.lost", {"run", step.run_id}, {"tool", step.tool_name},
        {"why", rooms.error().message()});
    return;
  }
  rooms->runtime->NoteStep(rooms->caller, step.run_id, step.ToJson());
}

}  // namespace falconer::api
