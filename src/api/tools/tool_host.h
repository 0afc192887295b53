#pragma once
// ToolHost: where the tools get the runtime from. A server answers its protocol before anything is
// opened; what cannot be opened is told to whoever calls a tool, and the server goes on.

#include "api/tools/answer_budget.h"
#include "engine/runtime.h"
#include "policy/injection/quarantine.h"
#include "policy/redaction/redactor.h"

namespace falconer::api {

struct ControlPanel;

struct ToolRooms {
  engine::Runtime* runtime = nullptr;
  engine::Caller caller;
  // What answers go through; null for nothing.
  const policy::Redactor* redactor = nullptr;
  const policy::Quarantine* quarantine = nullptr;
  // What operators look at and change; null where there is none.
  const ControlPanel* panel = nullptr;
};

class ToolHost {
 public:
  virtual ~ToolHost() = default;

  // The rooms, opened when they are first asked for; they stay until the host goes. Fails as
  // opening them does; whoever asks again makes it try again.
  virtual Result<ToolRooms> Rooms() = 0;
  // How much a model is shown of an action: AnswerBudget::Of the caller's quota as it is now.
  virtual Task<AnswerBudget> Budget() = 0;
};

}  // namespace falconer::api
