#include "app/predict/predicted_run_command.h"

#include <utility>

#include "api/tools/predict_wishes.h"
#include "app/predict/given_values.h"
#include "app/predict/predict_errand.h"
#include "app/predict/start_page.h"
#include "app/predict/workflow_view.h"
#include "base/file.h"

namespace falconer::app {
namespace {

Result<std::optional<predict::PredictProfile>> ProfileOf(const Arguments& arguments) {
  if (arguments.profile.empty()) return std::optional<predict::PredictProfile>();
  const auto profile = ValueIn(predict::kPredictProfiles, arguments.profile);
  if (profile) return profile;
  return Fail(ErrorCode::kInvalidArgument,
              "--profile: there are aggressive, balanced and conservative");
}

Result<std::optional<int>> IterationsOf(const Arguments& arguments) {
  if (arguments.max_steps.empty()) return std::optional<int>();
  TRY_ASSIGN(const std::uint64_t most,
             NumberOf("--max-steps", arguments.max_steps, 1,
                      static_cast<std::uint64_t>(api::kRunIterations.max)));
  return std::optional<int>(static_cast<int>(most));
}

Result<predict::RunWish> RunWishOf(const Arguments& arguments,
                                   const std::string& fallback_session) {
  predict::RunWish wish{.workflow = arguments.act,
                        .session = arguments.session.empty() ? fallback_session : arguments.session,
                        .dry_run = arguments.is_dry,
                        .may_ask_model = !arguments.bars_model};
  TRY_ASSIGN(wish.profile, ProfileOf(arguments));
  TRY_ASSIGN(wish.max_iterations, IterationsOf(arguments));
  TRY_ASSIGN(wish.values, GivenValues(arguments.parameters));
  return wish;
}

// The steps are printed as they end; the answer is what it came to.
Task<Result<json::object>> RunAndReport(PredictWork* work, predict::RunWish wish) {
  if (work->is_text())
    wish.news = [work](const json::object& step) { PrintRunStep(work->terminal, step); };
  wish.renew = [work] { return api::CallerOf(work->open()); };
  CO_TRY_ASSIGN(json::object result,
                co_await work->desk.Run(work->program.NewCall(), work->caller(), std::move(wish)));
  if (!work->arguments.out.empty())
    CO_TRY(WriteFileAtomic(work->arguments.out, json::serialize(result) + "\n"));
  co_return result;
}

Task<Result<json::object>> RunFreely(PredictWork* work) {
  CO_TRY_ASSIGN(auto wish, RunWishOf(work->arguments, "predict"));
  CO_TRY(co_await OpenStartPage(work, wish.session, work->arguments.url));
  co_return co_await RunAndReport(work, std::move(wish));
}

Task<Result<json::object>> RunNamed(PredictWork* work) {
  CO_TRY_ASSIGN(auto wish, RunWishOf(work->arguments, work->arguments.act));
  co_return co_await RunAndReport(work, std::move(wish));
}

void PrintRun(const json::object& answer, Terminal& terminal) {
  PrintRunEnd(terminal, answer);
}

int CodeOfRun(const json::object& answer) {
  const std::string outcome = TextAt(answer, "outcome");
  if (outcome == "completed") return kExitOk;
  return outcome == "asks" || outcome == "refused" ? kExitAsks : kExitFailed;
}

PredictErrand RunErrandOf(Task<Result<json::object>> (*work)(PredictWork* work)) {
  return {.work = work, .print = PrintRun, .code = CodeOfRun, .browser = BrowserStart::kAtOnce};
}

// The session is watched in a window of its own.
Settings VisibleIfAsked(const Arguments& arguments, Settings settings) {
  if (!arguments.is_visible) return settings;
  settings.browser.full = true;
  settings.browser.headless = false;
  return settings;
}

}  // namespace

int RunPredictRun(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, RunErrandOf(RunFreely), VisibleIfAsked);
}

int RunActReplay(const Arguments& arguments, Terminal& terminal) {
  return RunPredictErrand(arguments, terminal, RunErrandOf(RunNamed), VisibleIfAsked);
}

}  // namespace falconer::app
