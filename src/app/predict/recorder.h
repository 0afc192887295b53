#pragma once
// Recorder: one recording from the command line, from its first word to its workflow.

#include <string>

#include "app/predict/predict_errand.h"

namespace falconer::app {

// What the words of the command line say about it.
struct RecordPlan {
  std::string workflow;
  std::string session;
  std::string url;  // opened first, as its first step; "" for none

  static RecordPlan Of(const Arguments& arguments);
};

// A session that is recorded is in somebody's hands, however long they rest.
Settings RecordSettings(Settings settings);

// Begins it, and answers its id. A recording whose address cannot be opened is dropped again.
Task<Result<std::string>> BeginRecord(PredictWork* work, RecordPlan plan);
// Until the person presses Enter or interrupts the program: both save.
Task<void> UntilRecorded(CallContext ctx);
// Ends it: {"workflow","confidence"}.
Task<Result<json::object>> EndRecord(PredictWork* work, std::string id);

}  // namespace falconer::app
