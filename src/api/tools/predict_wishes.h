#pragma once
// What callers say of recordings, predictions and runs: read in the same way wherever it comes
// from, and what of it may be kept.

#include <string>
#include <vector>

#include "api/tools/tool_host.h"
#include "base/json/json_reader.h"
#include "predict/predict_desk.h"

namespace falconer::api {

// Names that callers give to sessions.
inline constexpr Bounds<std::size_t> kSessionNames = {1, 128};
inline constexpr Bounds<std::size_t> kInstructionSizes = {1, 1024};
// The caller's own word for where an instruction is given.
inline constexpr Bounds<std::size_t> kEnvironmentSizes = {0, 128};
inline constexpr std::size_t kLongestParameter = 10'000;
inline constexpr Bounds<std::int64_t> kPredictionCounts = {1, 100};
inline constexpr Bounds<std::int64_t> kRunIterations = {1, 1000};

// kUnsupported where nothing is learnt.
Result<predict::PredictDesk*> PredictDeskOf(const ToolRooms& rooms);
// Who acts, with a token made just now. Fails as opening the rooms did.
Result<engine::Caller> CallerOf(Result<ToolRooms> rooms);

// "parameters": texts by their names; a number or a flag is taken as its text. What is wrong is
// said without what was given.
predict::ParameterValues ReadParameterValues(JsonReader& in);
// "session"?, "parameters"?, "profile"?, "dry_run"?, "ask_model"?, "max_iterations"?. The session
// of who names none is named after the workflow.
predict::RunWish ReadRunWish(JsonReader& in, std::string workflow);
// The same with the "workflow" it is about.
predict::RunWish ReadNamedRunWish(JsonReader& in);
// "workflow", "session"?.
predict::RecordWish ReadRecordWish(JsonReader& in);
// "session", "instruction", "environment"?, "dry_run"?.
predict::IntentWish ReadIntentWish(JsonReader& in);

// The wish for others to see: which parameters are given, and none of what they say.
json::object ShownRunWish(const predict::RunWish& wish);

// {"id","workflow","session","steps","began_at"}.
json::object RecordingJson(const predict::OpenRecording& recording);
// {"name","version","about","recordings","steps","parameters":[names]}: a line of a list.
json::object WorkflowLine(const predict::LearnedWorkflow& workflow);

}  // namespace falconer::api
