#include "app/predict/workflow_commands.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/aside.h"
#include "api/tools/predict_wishes.h"
#include "app/act/act_input.h"
#include "app/predict/given_values.h"
#include "app/predict/predict_errand.h"
#include "app/predict/text_editor.h"
#include "app/predict/workflow_view.h"
#include "base/file.h"
#include "base/text.h"
#include "model/plain_text.h"
#include "predict/workflows/workflow_plan.h"

namespace falconer::app {
namespace {

using predict::LearnedWorkflow;

Task<Result<LearnedWorkflow>> NamedWorkflow(PredictWork* work) {
  return work->desk.FindWorkflow(work->caller().tenant, work->arguments.learned);
}

Task<Result<json::object>> ListWorkflows(PredictWork* work) {
  CO_TRY_ASSIGN(const auto workflows, co_await work->desk.Workflows(work->caller().tenant));
  json::array rows;
  for (const LearnedWorkflow& one : workflows) rows.push_back(api::WorkflowLine(one));
  co_return json::object{{"workflows", std::move(rows)}};
}

void PrintWorkflowList(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("workflows").as_array();
  for (const json::value& row : rows) terminal.Print(WorkflowListLine(row.as_object()));
  if (rows.empty()) terminal.Print("no workflows yet; falconer record NAME learns one");
}

Task<Result<json::object>> ShowWorkflow(PredictWork* work) {
  CO_TRY_ASSIGN(const LearnedWorkflow workflow, co_await NamedWorkflow(work));
  CO_TRY_ASSIGN(json::object confidence,
                co_await work->desk.Confidence(work->caller().tenant, workflow.name));
  json::object answer{{"workflow", workflow.ToJson()}, {"confidence", std::move(confidence)}};
  if (work->arguments.shows_yaml) answer["yaml"] = predict::WorkflowToYaml(workflow);
  co_return answer;
}

void PrintShownWorkflow(const json::object& answer, Terminal& terminal) {
  if (answer.contains("yaml")) return terminal.PrintText(TextAt(answer, "yaml"));
  PrintWorkflow(terminal, answer.at("workflow").as_object(), answer.at("confidence").as_object());
}

Task<Result<json::object>> ExportWorkflow(PredictWork* work) {
  CO_TRY_ASSIGN(const LearnedWorkflow workflow, co_await NamedWorkflow(work));
  const std::filesystem::path& out = work->arguments.out;
  const std::string yaml = predict::WorkflowToYaml(workflow);
  json::object answer{{"name", workflow.name}, {"version", workflow.version}};
  if (out.empty()) {
    answer["yaml"] = yaml;
    co_return answer;
  }
  CO_TRY(WriteFileAtomic(out, yaml));
  answer["file"] = out.string();
  co_return answer;
}

void PrintExported(const json::object& answer, Terminal& terminal) {
  if (answer.contains("yaml")) return terminal.PrintText(TextAt(answer, "yaml"));
  terminal.Print(fmt::format("{} v{} is in {}", TextAt(answer, "name"),
                             json::serialize(answer.at("version")), TextAt(answer, "file")));
}

// YAML, or JSON by its first character.
Result<LearnedWorkflow> WorkflowIn(const std::string& text) {
  if (!Trim(text).starts_with('{')) return predict::WorkflowFromYaml(text);
  TRY_ASSIGN(const json::value value, ParseJson(text));
  return LearnedWorkflow::FromJson(value);
}

Task<Result<json::object>> PutNext(PredictWork* work, LearnedWorkflow workflow) {
  CO_TRY_ASSIGN(const LearnedWorkflow put,
                co_await work->desk.PutWorkflow(work->caller().tenant, std::move(workflow)));
  co_return json::object{{"workflow", put.ToJson()}};
}

// The version that is there now, 0 for none.
Task<Result<std::int64_t>> VersionNow(PredictWork* work, std::string name) {
  const auto known = co_await work->desk.FindWorkflow(work->caller().tenant, std::move(name));
  if (known) co_return known->version;
  if (known.error().code() == ErrorCode::kNotFound) co_return 0;
  co_return Fail(known.error());
}

// A document from elsewhere counts its versions as it likes: where there is none of that name, it
// is the first.
Task<Result<json::object>> ImportWorkflow(PredictWork* work) {
  CO_TRY_ASSIGN(const std::string text, ReadActText(work->arguments.file));
  CO_TRY_ASSIGN(LearnedWorkflow workflow, WorkflowIn(text));
  CO_TRY_ASSIGN(const std::int64_t now, co_await VersionNow(work, workflow.name));
  if (now == 0 || work->arguments.replaces) workflow.version = now;
  co_return co_await PutNext(work, std::move(workflow));
}

// What was written is not lost when it is wrong, or somebody else was quicker.
Error KeptForLater(const Error& error, const std::string& name, const std::string& text) {
  const std::filesystem::path file = name + ".yaml.rejected";
  if (!WriteFileAtomic(file, text)) return error;
  return {error.code(), fmt::format("{}; what you wrote is in {}", error.message(), file.string()),
          error.details()};
}

Task<Result<json::object>> EditWorkflow(PredictWork* work) {
  CO_TRY_ASSIGN(const LearnedWorkflow before, co_await NamedWorkflow(work));
  const std::string yaml = predict::WorkflowToYaml(before);
  CO_TRY_ASSIGN(const std::string edited,
                co_await api::Aside(work->program.NewCall(), [yaml, name = before.name] {
                  return EditText(yaml, EditorCommand(), name + ".yaml");
                }));
  if (edited == yaml) co_return json::object{{"workflow", before.ToJson()}, {"changed", false}};
  auto after = WorkflowIn(edited);
  if (after && after->name != before.name)
    after = Fail(ErrorCode::kInvalidArgument, "name: cannot be changed here; import it instead");
  if (!after) co_return Fail(KeptForLater(after.error(), before.name, edited));
  auto answer = co_await PutNext(work, *std::move(after));
  if (!answer) co_return Fail(KeptForLater(answer.error(), before.name, edited));
  (*answer)["changed"] = true;
  co_return answer;
}

void PrintPut(const json::object& answer, Terminal& terminal) {
  const json::value* changed = answer.if_contains("changed");
  if (changed != nullptr && !changed->as_bool()) return terminal.Print("nothing was changed");
  PrintWorkflow(terminal, answer.at("workflow").as_object(), {});
}

Task<Result<json::object>> PlanWorkflow(PredictWork* work) {
  const Arguments& arguments = work->arguments;
  CO_TRY_ASSIGN(const auto values, GivenValues(arguments.parameters));
  CO_TRY_ASSIGN(const LearnedWorkflow workflow, co_await NamedWorkflow(work));
  const predict::PlanWish wish{.workflow = WorkflowId(arguments.session),
                               .optional = arguments.keeps_optional
                                               ? predict::OptionalSteps::kKeep
                                               : predict::OptionalSteps::kLeaveOut};
  CO_TRY_ASSIGN(json::object plan, predict::PlanFrom(workflow, values, wish));
  co_return json::object{{"plan", std::move(plan)}};
}

// As `falconer act` takes it.
void PrintPlan(const json::object& answer, Terminal& terminal) {
  PrintJson(terminal, answer.at("plan"));
}

Task<Result<json::object>> DeleteWorkflow(PredictWork* work) {
  CO_TRY(co_await work->desk.DropWorkflow(work->caller().tenant, work->arguments.learned));
  co_return json::object{{"deleted", work->arguments.learned}};
}

void PrintDeleted(const json::object& answer, Terminal& terminal) {
  terminal.Print(model::PlainLine(TextAt(answer, "deleted") + " and its recordings are forgotten"));
}

}  // namespace

int RunWorkflowsList(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = ListWorkflows, .print = PrintWorkflowList});
}

int RunWorkflowsShow(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = ShowWorkflow, .print = PrintShownWorkflow});
}

int RunWorkflowsEdit(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = EditWorkflow, .print = PrintPut});
}

int RunWorkflowsExport(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = ExportWorkflow, .print = PrintExported});
}

int RunWorkflowsImport(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = ImportWorkflow, .print = PrintPut});
}

int RunWorkflowsPlan(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = PlanWorkflow, .print = PrintPlan});
}

int RunWorkflowsDelete(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = DeleteWorkflow, .print = PrintDeleted});
}

}  // namespace falconer::app
