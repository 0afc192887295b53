#include "api/tools/predict_wishes.h"

#include <chrono>
#include <utility>

#include "base/units.h"

namespace falconer::api {
namespace {

constexpr Bounds<std::size_t> kWorkflowNames = {1, 64};

std::optional<std::string> ParameterText(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_number() || value.is_bool()) return json::serialize(value);
  return std::nullopt;
}

}  // namespace

Result<predict::PredictDesk*> PredictDeskOf(const ToolRooms& rooms) {
  if (rooms.predict != nullptr) return rooms.predict;
  return Fail(ErrorCode::kUnsupported, "nothing is learnt or predicted here");
}

Result<engine::Caller> CallerOf(Result<ToolRooms> rooms) {
  if (!rooms) return Fail(rooms.error());
  return std::move(rooms->caller);
}

predict::ParameterValues ReadParameterValues(JsonReader& in) {
  predict::ParameterValues values;
  const auto given = in.OptionalRawObject("parameters");
  if (!given) return values;
  if (given->size() > predict::kMaxWorkflowParameters) {
    in.Reject("parameters",
              "at most " + std::to_string(predict::kMaxWorkflowParameters) + " can be given");
    return values;
  }
  for (const auto& [name, value] : *given) {
    auto text = ParameterText(value);
    if (!text || text->size() > kLongestParameter) {
      in.Reject("parameters", std::string(name) + " must be a text of at most " +
                                  std::to_string(kLongestParameter) + " bytes");
      return {};
    }
    values.emplace(name, *std::move(text));
  }
  return values;
}

predict::RunWish ReadRunWish(JsonReader& in, std::string workflow) {
  predict::RunWish wish{.workflow = std::move(workflow), .session = {}};
  wish.session = wish.workflow.empty()
                     ? in.String("session", kSessionNames)
                     : in.OptionalString("session", kSessionNames).value_or(wish.workflow);
  wish.values = ReadParameterValues(in);
  wish.profile = in.OptionalEnum("profile", predict::kPredictProfiles);
  wish.dry_run = in.OptionalBool("dry_run").value_or(false);
  wish.may_ask_model = in.OptionalBool("ask_model").value_or(true);
  if (const auto most = in.OptionalInteger("max_iterations", kRunIterations))
    wish.max_iterations = static_cast<int>(*most);
  return wish;
}

predict::RunWish ReadNamedRunWish(JsonReader& in) {
  std::string workflow = in.String("workflow", kWorkflowNames);
  return ReadRunWish(in, std::move(workflow));
}

predict::RecordWish ReadRecordWish(JsonReader& in) {
  predict::RecordWish wish{.workflow = in.String("workflow", kWorkflowNames), .session = {}};
  wish.session = in.OptionalString("session", kSessionNames).value_or(wish.workflow);
  return wish;
}

predict::IntentWish ReadIntentWish(JsonReader& in) {
  return {.session = in.String("session", kSessionNames),
          .instruction = in.String("instruction", kInstructionSizes),
          .environment = in.OptionalString("environment", kEnvironmentSizes).value_or(""),
          .dry_run = in.OptionalBool("dry_run").value_or(false)};
}

json::object ShownRunWish(const predict::RunWish& wish) {
  json::array names;
  for (const auto& [name, value] : wish.values) names.emplace_back(name);
  json::object shown{{"workflow", wish.workflow},
                     {"session", wish.session},
                     {"parameters", std::move(names)},
                     {"dry_run", wish.dry_run}};
  if (wish.profile) shown["profile"] = NameIn(predict::kPredictProfiles, *wish.profile);
  if (wish.max_iterations) shown["max_iterations"] = *wish.max_iterations;
  return shown;
}

json::object RecordingJson(const predict::OpenRecording& recording) {
  const std::chrono::system_clock::time_point began{std::chrono::milliseconds(recording.began_ms)};
  return {{"id", recording.id},
          {"workflow", recording.workflow},
          {"session", recording.session},
          {"steps", recording.steps},
          {"began_at", IsoTime(began)}};
}

json::object WorkflowLine(const predict::LearnedWorkflow& workflow) {
  json::array parameters;
  for (const predict::WorkflowParameter& one : workflow.parameters)
    parameters.emplace_back(one.name);
  return {{"name", workflow.name},          {"version", workflow.version},
          {"about", workflow.about},        {"recordings", workflow.recordings},
          {"steps", workflow.steps.size()}, {"parameters", std::move(parameters)}};
}

}  // namespace falconer::api
