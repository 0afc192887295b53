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
      began(clock.WallNow()),
      stamper(id, std::string(kPipelineVersion), clock),
      bus(clock, stamper, decisions),
      turns(stamper, bus, decisions),
      fence(clock) {
  const auto opened = fence.Open(SessionScope(id), std::nullopt);
  CHECK(opened, "a new fence takes its first scope");
}

std::string WorkflowSession::PageUrl(const TabId& tab) const {
  if (!kit) return "";
  const auto found = kit->driver.navigator().TabFor(tab);
  // The browser's own page for what could not be opened is nobody's.
  return found && !(*found)->url().starts_with("chrome-error:") ? (*found)->url() : "";
}

std::string WorkflowSession::OpenQuestion(const TabId& tab) const {
  if (!kit) return "";
  const auto found = kit->driver.navigator().TabFor(tab);
  if (!found) return "";
  const auto& dialog = (*found)->dialogs().open();
  return dialog ? dialog->message : "";
}

}  // namespace falconer::engine
