#include "app/predict/start_page.h"

#include <utility>

#include "base/random.h"
#include "model/contract/result.h"

namespace falconer::app {

Task<Result<void>> OpenStartPage(PredictWork* work, std::string session, std::string url) {
  if (url.empty()) co_return Result<void>();
  json::object contract{{"workflow_id", std::move(session)},
                        {"run_id", "cli-" + RandomHex(6)},
                        {"action_spec", {{"action_type", "navigate"}, {"url", url}}}};
  CO_TRY_ASSIGN(const auto bytes,
                co_await work->rooms.runtime->Execute(work->program.NewCall(), work->caller(),
                                                      std::move(contract)));
  CO_TRY_ASSIGN(const json::value value, ParseJson(*bytes));
  CO_TRY_ASSIGN(const auto result, model::ActionExecutionResult::FromJson(value));
  if (result.success) co_return Result<void>();
  if (!result.failure) co_return Fail(ErrorCode::kExecutionError, "the address was not opened");
  co_return Fail(result.failure->code, result.failure->message);
}

}  // namespace falconer::app
