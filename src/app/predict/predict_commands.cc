#include "app/predict/predict_commands.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/predict_wishes.h"
#include "api/tools/predict_words.h"
#include "app/act/act_input.h"
#include "app/predict/given_values.h"
#include "app/predict/predict_errand.h"
#include "app/predict/start_page.h"
#include "base/file.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

constexpr std::uint64_t kMostTop = 1000;
constexpr std::size_t kMostLearntBytes = std::size_t{512} << 20;

// --limit, or what the command takes for it.
Result<std::size_t> CountOf(const Arguments& arguments, std::size_t usual, std::uint64_t most) {
  if (arguments.count.empty()) return usual;
  TRY_ASSIGN(const std::uint64_t count, NumberOf("--limit", arguments.count, 1, most));
  return static_cast<std::size_t>(count);
}

std::string PredictSessionOf(const Arguments& arguments) {
  return arguments.session.empty() ? "predict" : arguments.session;
}

Task<Result<json::object>> AskNext(PredictWork* work) {
  const Arguments& arguments = work->arguments;
  predict::NextQuestion question{.session = PredictSessionOf(arguments),
                                 .workflow = arguments.learned};
  CO_TRY_ASSIGN(question.most, CountOf(arguments, question.most,
                                       static_cast<std::uint64_t>(api::kPredictionCounts.max)));
  CO_TRY_ASSIGN(question.values, GivenValues(arguments.parameters));
  CO_TRY(co_await OpenStartPage(work, question.session, arguments.url));
  co_return co_await work->desk.Next(work->program.NewCall(), work->caller(), std::move(question));
}

void PrintNext(const json::object& answer, Terminal& terminal) {
  const json::array& predictions = answer.at("predictions").as_array();
  for (const json::value& one : predictions)
    terminal.Print(model::PlainLine(api::PredictionLine(one.as_object())));
  terminal.Print(model::PlainLine(api::PlanLine(answer)));
}

Task<Result<json::object>> AskTop(PredictWork* work) {
  CO_TRY_ASSIGN(const std::size_t most, CountOf(work->arguments, 10, kMostTop));
  co_return co_await work->desk.TopTransitions(work->caller().tenant, most);
}

// Where a sequence begins or ends there is no action.
std::string EndOr(const std::string& signature, std::string_view end) {
  return signature.empty() ? std::string(end) : api::SignatureWords(signature);
}

void PrintTop(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("transitions").as_array();
  for (const json::value& value : rows) {
    const json::object& row = value.as_object();
    terminal.Print(model::PlainLine(
        fmt::format("{:>8.1f}  {:3.0f} %  {}  ->  {}", row.at("count").to_number<double>(),
                    row.at("probability").to_number<double>() * 100,
                    EndOr(TextAt(row, "from"), "(begin)"), EndOr(TextAt(row, "to"), "(end)"))));
  }
  if (rows.empty()) terminal.Print("nothing is known yet");
}

Task<Result<json::object>> ExportLearnt(PredictWork* work) {
  CO_TRY_ASSIGN(json::object learnt, co_await work->desk.Export(work->caller().tenant));
  const std::filesystem::path& out = work->arguments.out;
  if (out.empty()) co_return learnt;
  CO_TRY(WriteFileAtomic(out, json::serialize(learnt) + "\n"));
  co_return json::object{{"file", out.string()}};
}

void PrintLearnt(const json::object& answer, Terminal& terminal) {
  if (answer.contains("file")) return terminal.Print("written to " + TextAt(answer, "file"));
  PrintJson(terminal, answer);
}

// More than any node knows is no export.
Result<json::object> LearntIn(const std::filesystem::path& file) {
  TRY_ASSIGN(const std::string text, ReadActText(file, kMostLearntBytes));
  auto learnt = ParseJsonObject(text);
  if (learnt) {
    // As `export --json` prints it.
    learnt->erase("ok");
    return learnt;
  }
  return Fail(ErrorCode::kInvalidArgument, "FILE: is not what `falconer predict export` writes: " +
                                               std::string(learnt.error().message()));
}

Task<Result<json::object>> MergeLearnt(PredictWork* work) {
  CO_TRY_ASSIGN(json::object other, LearntIn(work->arguments.file));
  co_return co_await work->desk.Merge(work->caller().tenant, std::move(other));
}

void PrintMerged(const json::object& answer, Terminal& terminal) {
  terminal.Print(model::PlainLine("merged: " + json::serialize(answer)));
}

Task<Result<json::object>> ForgetLearnt(PredictWork* work) {
  CO_TRY(co_await work->desk.Forget(work->caller().tenant));
  co_return json::object{{"forgotten", work->caller().tenant.value()}};
}

void PrintForgotten(const json::object& answer, Terminal& terminal) {
  terminal.Print(model::PlainLine("what was learnt for " + TextAt(answer, "forgotten") +
                                  " is forgotten; its workflows stay (falconer workflows delete)"));
}

}  // namespace

int RunPredictNext(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal,
                          {.work = AskNext, .print = PrintNext, .browser = BrowserStart::kAtOnce});
}

int RunPredictTop(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = AskTop, .print = PrintTop});
}

int RunPredictExport(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = ExportLearnt, .print = PrintLearnt});
}

int RunPredictMerge(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = MergeLearnt, .print = PrintMerged});
}

int RunPredictForget(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, {.work = ForgetLearnt, .print = PrintForgotten});
}

}  // namespace falconer::app
