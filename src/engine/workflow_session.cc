#include "engine/workflow_session.h"

#include <utility>

#include "base/check.h"
#include "engine/pipeline.h"
#include "engine/turn_fence.h"

namespace falconer::engine {

WorkflowSession::WorkflowSession(browser::SessionKey session_key, SessionId session_id,
                                 const Clock& clock)
    : key(std::move(session_key)),
      id(std::move(session_id)),
      stamper(id, std::string(kPipelineVersion), clock),
      bus(clock, stamper, decisions),
      turns(stamper, bus, decisions),
      fence(clock) {
  const auto opened = fence.Open(SessionScope(id), std::nullopt);
  CHECK(opened, "a new fence takes its first scope");
}

}  // namespace falconer::engine
