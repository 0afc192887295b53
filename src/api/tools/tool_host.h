#pragma once
// ToolHost: where the tools get the runtime from. A server answers its protocol before anything is
// opened; what cannot be opened is told to whoever calls a tool, and the server goes on.

#include "api/tools/answer_budget.h"
#include "engine/runtime.h"
#include "policy/injection/quarantine.h"
#include "policy/redaction/redactor.h"

namespace falconer::agent {
class CrawlDesk;
class NodeTools;
struct GhostSetup;
}  // namespace falconer::agent

namespace falconer::predict {
class PredictDesk;
}  // namespace falconer::predict

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
  // What pages are read from their pictures with; null for nothing.
  const agent::GhostSetup* ghost = nullptr;
  // What crawls share; null where nothing is crawled.
  agent::CrawlDesk* crawls = nullptr;
  // What is learnt, and acts by it; null where nothing is.
  predict::PredictDesk* predict = nullptr;
};

class ToolHost {
 public:
  virtual ~ToolHost() = default;

  // The rooms, opened when they are first asked for; they stay until the host goes. Fails as
  // opening them does; whoever asks again makes it try again.
  virtual Result<ToolRooms> Rooms() = 0;
  // How much a model is shown of an action: AnswerBudget::Of the caller's quota as it is now.
  virtual Task<AnswerBudget> Budget() = 0;
  // The tools of others; null for none. They stay until the host goes.
  virtual agent::NodeTools* Nodes() { return nullptr; }
};

}  // namespace falconer::api
