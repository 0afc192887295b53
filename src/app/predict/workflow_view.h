#pragma once
// WorkflowView: a learned workflow, predictions and runs as people read them at a terminal. What
// pages say is in them: it cannot pass for a line of ours.

#include <string>

#include "app/terminal.h"
#include "base/json/json.h"

namespace falconer::app {

// "buy-coffee v3  7 steps, 3 recordings  needs product, full_name": a line of WorkflowLine's.
std::string WorkflowListLine(const json::object& line);
// The document of a workflow, with how sure each step is where that is known (PredictDesk's
// Confidence; empty for nothing).
void PrintWorkflow(Terminal& terminal, const json::object& document,
                   const json::object& confidence);
// A step of a run as it ends, and what the run came to.
void PrintRunStep(Terminal& terminal, const json::object& step);
void PrintRunEnd(Terminal& terminal, const json::object& result);

}  // namespace falconer::app
