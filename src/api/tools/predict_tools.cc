#include "api/tools/predict_tools.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "api/tools/input_schema.h"
#include "api/tools/predict_wishes.h"
#include "api/tools/predict_words.h"

namespace falconer::api {
namespace {

using enum Need;

// The run has a time of its own (predict.workflow_timeout).
constexpr auto kPredictedRunTime = std::chrono::hours(24);
constexpr auto kIntentTime = std::chrono::minutes(3);
constexpr std::string_view kCompleted = "completed";

enum class RecordStep : std::uint8_t { kBegin, kEnd, kForget };
constexpr EnumName<RecordStep> kRecordSteps[] = {
    {RecordStep::kBegin, "begin"}, {RecordStep::kEnd, "end"}, {RecordStep::kForget, "forget"}};

// What a model is shown: the lines, within its budget.
ToolAnswer LearntAnswer(std::string head, const std::string& lines, json::object structured) {
  ToolAnswer answer{.text = std::move(head) + "\n", .structured = std::move(structured)};
  answer.page_at = answer.text.size();
  answer.text = CutToBudget(answer.text + lines, kAnswerTokens - kMarkTokens);
  return answer;
}

const json::array& ListAt(const json::object& object, std::string_view key) {
  static const json::array none;
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_array() ? value->get_array() : none;
}

template <std::string (*Line)(const json::object&)>
std::string LinesOf(const json::array& list) {
  std::string lines;
  for (const json::value& one : list)
    if (one.is_object()) lines += Line(one.get_object()) + "\n";
  return lines;
}

Task<Result<ToolAnswer>> PredictNext(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto question, ReadArguments(call, [](JsonReader& in) {
                  return predict::NextQuestion{
                      .session = ReadSession(in),
                      .workflow = in.OptionalString("workflow").value_or(""),
                      .values = ReadParameterValues(in),
                      .most = static_cast<std::size_t>(
                          in.OptionalInteger("k", kPredictionCounts).value_or(5))};
                }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  question.session = context->WorkflowOf(question.session).value();
  CO_TRY_ASSIGN(json::object next,
                co_await desk->Next(std::move(ctx), rooms.caller, std::move(question)));
  context->guard().Clean(next);
  const json::array& predictions = ListAt(next, "predictions");
  const std::string lines = LinesOf<PredictionLine>(predictions);
  std::string head = fmt::format("ok {} predictions, {}", predictions.size(), PlanLine(next));
  co_return LearntAnswer(std::move(head), lines, std::move(next));
}

std::string WorkflowText(const json::object& line) {
  std::vector<std::string> parameters;
  for (const json::value& name : ListAt(line, "parameters"))
    if (name.is_string()) parameters.emplace_back(name.get_string());
  return fmt::format("{} v{}: {} steps; parameters {}", TextAt(line, "name"),
                     json::serialize(line.at("version")), json::serialize(line.at("steps")),
                     parameters.empty() ? "none" : fmt::format("{}", fmt::join(parameters, ", ")));
}

Task<Result<ToolAnswer>> ListLearnedWorkflows(CallContext, ToolContext* context, ToolCall call) {
  struct Nothing {};
  CO_TRY(ReadArguments(call, [](JsonReader&) { return Nothing{}; }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  CO_TRY_ASSIGN(const auto workflows, co_await desk->Workflows(rooms.caller.tenant));
  json::array list;
  for (const predict::LearnedWorkflow& one : workflows) list.push_back(WorkflowLine(one));
  json::object answer{{"workflows", std::move(list)}};
  context->guard().Clean(answer);
  const std::string lines = LinesOf<WorkflowText>(ListAt(answer, "workflows"));
  co_return LearntAnswer(fmt::format("ok {} workflows", workflows.size()), lines,
                         std::move(answer));
}

// One that stopped to ask has not failed: what it asks is the answer.
bool IsRunFailure(const json::object& result) {
  const std::string outcome = TextAt(result, "outcome");
  return outcome != kCompleted && outcome != "asks";
}

ToolAnswer RunAnswer(json::object result) {
  const std::string end = RunEndLine(result);
  const std::string steps = LinesOf<RunStepLine>(ListAt(result, "steps"));
  const bool is_failure = IsRunFailure(result);
  std::string head = fmt::format("{} {}, {} steps", is_failure ? "error" : "ok",
                                 TextAt(result, "outcome"), ListAt(result, "steps").size());
  ToolAnswer answer = LearntAnswer(std::move(head), end + "\n" + steps, std::move(result));
  answer.is_error = is_failure;
  return answer;
}

predict::RunWish ReadToolRun(JsonReader& in) {
  const std::string session = ReadSession(in);
  predict::RunWish wish = ReadNamedRunWish(in);
  wish.session = session;
  return wish;
}

Task<Result<ToolAnswer>> RunLearnedWorkflow(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto wish, ReadArguments(call, ReadToolRun));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  wish.session = context->WorkflowOf(wish.session).value();
  wish.news = [context, report = call.report](const json::object& step) {
    json::object told = step;
    context->guard().Clean(told);
    report(RunStepLine(told));
  };
  wish.renew = [context] { return CallerOf(context->Rooms()); };
  CO_TRY_ASSIGN(json::object result,
                co_await desk->Run(std::move(ctx), rooms.caller, std::move(wish)));
  context->guard().Clean(result);
  co_return RunAnswer(std::move(result));
}

struct RecordArguments {
  RecordStep step = RecordStep::kBegin;
  predict::RecordWish wish;
};

RecordArguments ReadRecordArguments(JsonReader& in) {
  const std::string session = ReadSession(in);
  RecordArguments args{.step = in.Enum("step", kRecordSteps), .wish = ReadRecordWish(in)};
  args.wish.session = session;
  return args;
}

// By the names that the caller knows it by.
Result<std::string> OpenRecordingOf(const predict::PredictDesk& desk, const TenantId& tenant,
                                    const predict::RecordWish& wish) {
  for (const predict::OpenRecording& one : desk.Recordings(tenant))
    if (one.workflow == wish.workflow && one.session == wish.session) return one.id;
  return Fail(ErrorCode::kNotFound, "the session is not recorded for a workflow of that name");
}

Task<Result<ToolAnswer>> EndedRecording(CallContext ctx, ToolContext* context, ToolRooms rooms,
                                        std::string id) {
  CO_TRY_ASSIGN(const auto workflow,
                co_await rooms.predict->EndRecording(std::move(ctx), rooms.caller, std::move(id)));
  json::object line = WorkflowLine(workflow);
  context->guard().Clean(line);
  const std::string text = WorkflowText(line);
  co_return LearntAnswer("ok learnt", text, std::move(line));
}

Task<Result<ToolAnswer>> RecordLearnedWorkflow(CallContext ctx, ToolContext* context,
                                               ToolCall call) {
  CO_TRY_ASSIGN(auto args, ReadArguments(call, ReadRecordArguments));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  args.wish.session = context->WorkflowOf(args.wish.session).value();
  if (args.step == RecordStep::kBegin) {
    CO_TRY_ASSIGN(const auto begun, co_await desk->BeginRecording(std::move(ctx), rooms.caller,
                                                                  std::move(args.wish)));
    co_return ToolAnswer{.text = "ok recording " + begun.id, .structured = RecordingJson(begun)};
  }
  CO_TRY_ASSIGN(std::string id, OpenRecordingOf(*desk, rooms.caller.tenant, args.wish));
  if (args.step == RecordStep::kEnd)
    co_return co_await EndedRecording(std::move(ctx), context, rooms, std::move(id));
  CO_TRY(desk->DropRecording(rooms.caller, id));
  co_return ToolAnswer{.text = "ok forgotten"};
}

Task<Result<ToolAnswer>> DoIntent(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto wish, ReadArguments(call, [](JsonReader& in) {
                  return predict::IntentWish{
                      .session = ReadSession(in),
                      .instruction = in.String("instruction", kInstructionSizes),
                      .dry_run = in.OptionalBool("dry_run").value_or(false)};
                }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(predict::PredictDesk * desk, PredictDeskOf(rooms));
  wish.session = context->WorkflowOf(wish.session).value();
  CO_TRY_ASSIGN(json::object result,
                co_await desk->DoIntent(std::move(ctx), rooms.caller, std::move(wish)));
  context->guard().Clean(result);
  const bool is_done = IsTrueAt(result, "success");
  std::string head = fmt::format("{} {}", is_done ? "ok" : "not done", TextAt(result, "mode"));
  const std::string lines = TextAt(result, "reason");
  ToolAnswer answer = LearntAnswer(std::move(head), lines, std::move(result));
  answer.is_error = !is_done;
  co_return answer;
}

}  // namespace

std::vector<ToolRow> PredictTools() {
  using enum agent::SideEffect;
  const json::object parameters = ObjectSchema("texts by the names that list_workflows tells");
  constexpr std::string_view kProfileNames[] = {"aggressive", "balanced", "conservative"};
  constexpr std::string_view kStepNames[] = {"begin", "end", "forget"};
  return {
      {{"predict_next", "What comes next", "What was mostly done next, where the session is now.",
        kPredictGroup, kRead,
        InputSchema({{"workflow", TextSchema("only its steps")},
                     {"parameters", parameters},
                     {"k", WholeSchema()}})},
       PredictNext,
       Looking(model::Capability::kRead)},
      {{"list_workflows", "Learned workflows", "The workflows that were learnt.", kPredictGroup,
        kRead, PlainSchema({})},
       ListLearnedWorkflows,
       Looking(std::nullopt)},
      {{"run_workflow", "Run a workflow", "Do a learned workflow; it stops and asks when unsure.",
        kPredictGroup, kDestroy,
        InputSchema({{"workflow", TextSchema(), kRequired},
                     {"parameters", parameters},
                     {"profile", ChoiceSchema(kProfileNames)},
                     {"dry_run", FlagSchema()},
                     {"ask_model", FlagSchema()},
                     {"max_iterations", WholeSchema()}})},
       RunLearnedWorkflow,
       Acting(std::nullopt, kPredictedRunTime),
       TaskUse::kMay},
      {{"record_workflow", "Record a workflow",
        "Learn a workflow from what is done in the session from begin to end.", kPredictGroup,
        kWrite,
        InputSchema({{"workflow", TextSchema(), kRequired},
                     {"step", ChoiceSchema(kStepNames), kRequired}})},
       RecordLearnedWorkflow,
       Acting(std::nullopt)},
      {{"do_intent", "Do what words say", "Do one thing on the page that an instruction says.",
        kPredictGroup, kDestroy,
        InputSchema({{"instruction", TextSchema(), kRequired}, {"dry_run", FlagSchema()}})},
       DoIntent,
       Acting(std::nullopt, kIntentTime)},
  };
}

}  // namespace falconer::api
