#include "app/demo/demo_actor.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "app/demo/fill_in.h"
#include "app/demo/step_words.h"
#include "base/random.h"

namespace falconer::app {
namespace {

// Refusals that speak of policy; anything else went wrong otherwise.
constexpr ErrorCode kPolicyRefusals[] = {ErrorCode::kSecurityDomainBlock, ErrorCode::kPolicyDenied};

constexpr auto kLookAgain = std::chrono::milliseconds(300);

Error FailureError(const model::ActionFailure& failure) {
  return {failure.code, failure.message, failure.details};
}

}  // namespace

DemoActor::DemoActor(Rooms rooms, const DemoStage& stage, DemoReport& report, Duration pause)
    : rooms_(std::move(rooms)),
      stage_(stage),
      report_(report),
      pause_(pause),
      run_("demo-" + RandomHex(4)) {
}

// Nobody is in the agent's way while he drives himself.
Task<Result<void>> DemoActor::UntilHandedBack(CallContext ctx) {
  CO_TRY_ASSIGN(const api::ToolRooms rooms, rooms_());
  const browser::SessionKey key{.tenant = rooms.caller.tenant,
                                .workflow = WorkflowId(std::string(kWorkflow))};
  if (rooms.runtime->CheckNotTaken(key)) co_return Result<void>();
  report_.Say("  A person has taken over; the agent goes on when the session is handed back.");
  while (!rooms.runtime->CheckNotTaken(key)) {
    Alarm never(ctx.executor(), ctx.clock());
    static_cast<void>(co_await ctx.WithTimeout(kLookAgain).Wait(&never, "the hand-back"));
    CO_TRY(ctx.StillWanted("the next step"));
  }
  co_return Result<void>();
}

Task<Result<void>> DemoActor::BeginStep(CallContext ctx) {
  if (pause_ > Duration::zero()) {
    Alarm never(ctx.executor(), ctx.clock());
    static_cast<void>(co_await ctx.WithTimeout(pause_).Wait(&never, "the pause"));
    CO_TRY(ctx.StillWanted("the next step"));
    CO_TRY(co_await UntilHandedBack(ctx));
  }
  report_.BeginStep();
  co_return Result<void>();
}

Result<json::object> DemoActor::Contract(std::string_view text) {
  TRY_ASSIGN(json::object contract,
             ParseJsonObject(FillIn(text, {{"shop", stage_.site().Url("")},
                                           {"collector", stage_.collector().origin()}})));
  contract["workflow_id"] = kWorkflow;
  contract["run_id"] = std::string_view(run_);
  contract["step_index"] = ++step_;
  contract["agent_id"] = "demo";
  return contract;
}

Task<Result<model::ActionExecutionResult>> DemoActor::Send(CallContext ctx, json::object contract) {
  CO_TRY_ASSIGN(const api::ToolRooms rooms, rooms_());
  CO_TRY_ASSIGN(const auto bytes,
                co_await rooms.runtime->Execute(ctx, rooms.caller, std::move(contract)));
  CO_TRY_ASSIGN(const auto value, ParseJson(*bytes));
  co_return model::ActionExecutionResult::FromJson(value);
}

Task<Result<model::ActionExecutionResult>> DemoActor::Do(CallContext ctx, json::object contract) {
  CO_TRY_ASSIGN(auto result, co_await Send(std::move(ctx), std::move(contract)));
  if (!result.success) co_return Fail(FailureError(*result.failure));
  co_return result;
}

Task<Result<void>> DemoActor::Show(CallContext ctx, std::string_view contract,
                                   std::string_view remark) {
  CO_TRY(co_await BeginStep(ctx));
  CO_TRY_ASSIGN(json::object made, Contract(contract));
  CO_TRY_ASSIGN(const auto spec, model::ActionSpec::FromJson(made.at("action_spec")));
  CO_TRY_ASSIGN(const auto result, co_await Do(std::move(ctx), std::move(made)));
  report_.EndStep(model::ActionName(spec.type),
                  fmt::format("{}{}", StepWords(spec, result), remark));
  co_return Result<void>();
}

Task<Result<model::ActionFailure>> DemoActor::ShowRefusal(CallContext ctx,
                                                          std::string_view contract,
                                                          std::string what) {
  CO_TRY(co_await BeginStep(ctx));
  CO_TRY_ASSIGN(json::object made, Contract(contract));
  CO_TRY_ASSIGN(const auto result, co_await Send(std::move(ctx), std::move(made)));
  if (result.success)
    co_return Fail(ErrorCode::kPostconditionFailed, fmt::format("{} was not refused", what));
  const model::ActionFailure& failure = *result.failure;
  if (std::ranges::find(kPolicyRefusals, failure.code) == std::end(kPolicyRefusals))
    co_return Fail(FailureError(failure));
  const std::string denial = TextAt(failure.details, "denial_id");
  report_.EndStep("REFUSED", fmt::format("{}: {}{}{}", what, TraitsOf(failure.code).name,
                                         denial.empty() ? "" : ", denial ", denial));
  co_return failure;
}

Task<Result<std::string>> DemoActor::ReadText(CallContext ctx, std::string_view contract) {
  CO_TRY_ASSIGN(json::object made, Contract(contract));
  CO_TRY_ASSIGN(const auto result, co_await Do(std::move(ctx), std::move(made)));
  const json::value* read = result.outcome ? result.outcome->if_contains("extracted") : nullptr;
  const json::object* found = read != nullptr ? read->if_object() : nullptr;
  if (found == nullptr || TextAt(*found, "text").empty())
    co_return Fail(ErrorCode::kPostconditionFailed, "extract answered no text");
  co_return TextAt(*found, "text");
}

Task<Result<std::string>> DemoActor::TakePicture(CallContext ctx, std::string_view contract) {
  CO_TRY_ASSIGN(json::object made, Contract(contract));
  CO_TRY_ASSIGN(const auto result, co_await Do(std::move(ctx), std::move(made)));
  if (result.artifacts.empty())
    co_return Fail(ErrorCode::kPostconditionFailed, "no picture was kept");
  const model::ResultArtifact& kept = result.artifacts.front();
  CO_TRY_ASSIGN(const api::ToolRooms rooms, rooms_());
  const browser::ArtifactOwner owner{.tenant = rooms.caller.tenant,
                                     .workflow = WorkflowId(std::string(kWorkflow))};
  co_return rooms.runtime->parts().artifacts.Read(owner, kept.artifact_id, 0,
                                                  static_cast<std::size_t>(kept.bytes));
}

}  // namespace falconer::app
