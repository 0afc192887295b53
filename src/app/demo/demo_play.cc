#include "app/demo/demo_play.h"

#include <fmt/format.h>
#include <utility>

#include "app/demo/enter_key.h"
#include "app/demo/state_view.h"
#include "base/file.h"
#include "base/random.h"
#include "ledger/verifier.h"
#include "model/evidence.h"

namespace falconer::app {
namespace {

// The order, action by action, as any caller would send it.
constexpr std::string_view kOrder[] = {
    R"({"action_type":"fill","selector":"label=\"Full name\"","text":"Ada Lovelace"})",
    R"({"action_type":"fill","selector":"label=\"E-mail\"","text":"ada@example.org"})",
    R"({"action_type":"select","selector":"label=Roast","select_values":[{"label":"Yirgacheffe, light"}]})",
    R"({"action_type":"click","selector":"role=button[name=\"One bag more\"]"})",
    R"({"action_type":"click","selector":"role=button[name=\"One bag more\"]"})",
    R"({"action_type":"check","selector":"label=\"Wrap it as a gift\""})",
};
constexpr std::string_view kPlaceOrder =
    R"({"action_type":"click","selector":"role=button[name=\"Place order\"]"})";
// The contract is fulfilled when the page confirms the order; the wait is armed before the click.
constexpr std::string_view kConfirmed = R"({
    "wait_conditions":[{"kind":"selector","selector":"#confirmation","state":"visible"}],
    "expected_postconditions":[
      {"rule_type":"text_state","selector":"#confirmation","expected":"Ada Lovelace","mode":"contains"},
      {"rule_type":"text_state","selector":"#confirmation","expected":"3 bags of Yirgacheffe, light","mode":"contains"}]})";

constexpr std::string_view kPicture = "confirmation.png";
constexpr std::string_view kWorkflow = "demo";

// What was done to what, for the step's line.
std::string WhatWasDone(const model::ActionSpec& spec, const json::object& outcome) {
  const auto part = [&outcome](std::string_view name) {
    const json::value* found = outcome.if_contains(name);
    return found != nullptr && found->is_object() ? found->get_object() : json::object();
  };
  if (const json::object navigation = part("navigation"); !TextAt(navigation, "url").empty()) {
    const json::value* status = navigation.if_contains("status");
    return fmt::format("{}  ({})", TextAt(navigation, "url"),
                       status != nullptr ? json::serialize(*status) : "-");
  }
  std::string what = spec.url.value_or("");
  if (const json::object element = part("element"); !element.empty())
    what = fmt::format("{} \"{}\"", TextAt(element, "role"), TextAt(element, "name"));
  if (spec.text) what += fmt::format("  <- \"{}\"", spec.text->value);
  for (const model::SelectValue& value : spec.select_values)
    what += fmt::format("  <- \"{}\"", value.label.value_or(value.value.value_or("")));
  return what;
}

std::string StateSummary(const model::StructuredState& state) {
  return fmt::format("elements: {}, texts: {}, forms: {}", state.elements.size(),
                     state.texts.size(), state.forms.size());
}

}  // namespace

DemoPlay::DemoPlay(Program& program, DemoReport& report, Options options)
    : program_(program),
      report_(report),
      options_(std::move(options)),
      site_(program.executor(), program.clock()),
      run_("demo-" + RandomHex(4)) {
}

browser::SessionKey DemoPlay::key() const {
  return {.tenant = host_->local_caller().tenant, .workflow = WorkflowId(std::string(kWorkflow))};
}

Task<Result<void>> DemoPlay::Run() {
  CO_TRY(site_.Start());
  auto played = co_await PlayWithHost();
  co_await site_.Stop(program_.NewCleanup());
  co_return played;
}

Task<Result<void>> DemoPlay::PlayWithHost() {
  Settings settings = options_.settings;
  settings.policy.allow_domains.emplace_back("127.0.0.1");
  CO_TRY_ASSIGN(host_, RuntimeHost::Open(program_, {.settings = std::move(settings)}));
  auto played = co_await PlayScene(program_.NewCall());
  session_.reset();
  co_await host_->Stop(program_.NewCleanup());
  co_return played;
}

Task<Result<void>> DemoPlay::PlayScene(CallContext ctx) {
  CO_TRY(co_await Start(ctx));
  CO_TRY(co_await Show(
      ctx, json::serialize(json::object{{"action_type", "navigate"}, {"url", site_.url()}})));
  report_.BeginStep();
  CO_TRY(co_await Observe(ctx));
  report_.EndStep("state", StateSummary(state_));
  CO_TRY(co_await Enter(ctx));
  CO_TRY(co_await PlaceOrder(ctx));
  CO_TRY(co_await ReadResult(ctx));
  CO_TRY(co_await TakePicture(ctx));
  CO_TRY(co_await CheckRecord(ctx));
  ShowResult();
  if (options_.stays_open) CO_TRY(co_await StayOpen(ctx));
  co_return Result<void>();
}

Task<Result<void>> DemoPlay::Start(CallContext ctx) {
  report_.BeginStep();
  host_->WarmUp();
  CO_TRY_ASSIGN(const std::string product, co_await host_->BrowserReady(ctx));
  report_.EndStep("start", product);
  report_.Note("browser", json::value(product));

  report_.BeginStep();
  CO_TRY_ASSIGN(const auto session, co_await host_->runtime().SessionFor(ctx, key()));
  CO_TRY(*session->lease);
  CO_TRY_ASSIGN(const auto kit, co_await host_->runtime().KitOf(ctx, session));
  session_ = kit->session;
  const browser::Viewport& viewport = session_->options().viewport;
  report_.EndStep("session", fmt::format("isolated, {} x {}", viewport.width, viewport.height));
  co_return Result<void>();
}

Task<Result<model::ActionExecutionResult>> DemoPlay::Do(CallContext ctx, std::string action,
                                                        json::object more) {
  CO_TRY_ASSIGN(auto spec, ParseJson(action));
  json::object contract = std::move(more);
  contract["workflow_id"] = kWorkflow;
  contract["run_id"] = std::string_view(run_);
  contract["step_index"] = ++step_;
  contract["agent_id"] = "demo";
  contract["action_spec"] = std::move(spec);
  CO_TRY_ASSIGN(const auto bytes,
                co_await host_->runtime().Execute(ctx, host_->local_caller(), std::move(contract)));
  CO_TRY_ASSIGN(const auto value, ParseJson(*bytes));
  CO_TRY_ASSIGN(auto result, model::ActionExecutionResult::FromJson(value));
  if (result.success) co_return result;
  co_return Fail(Error(result.failure->code, result.failure->message, result.failure->details));
}

Task<Result<void>> DemoPlay::Show(CallContext ctx, std::string action) {
  report_.BeginStep();
  CO_TRY_ASSIGN(const auto result, co_await Do(std::move(ctx), action));
  CO_TRY_ASSIGN(const auto value, ParseJson(action));
  CO_TRY_ASSIGN(const auto spec, model::ActionSpec::FromJson(value));
  report_.EndStep(model::ActionName(spec.type),
                  WhatWasDone(spec, result.outcome.value_or(json::object())));
  co_return Result<void>();
}

Task<Result<void>> DemoPlay::Observe(CallContext ctx) {
  engine::Look look(host_->runtime(), host_->local_caller());
  CO_TRY_ASSIGN(state_, co_await look.State(std::move(ctx), key().workflow, {}));
  co_return Result<void>();
}

Task<Result<void>> DemoPlay::Enter(CallContext ctx) {
  for (const std::string_view action : kOrder) CO_TRY(co_await Show(ctx, std::string(action)));
  co_return Result<void>();
}

// The page says what it received: that the order is complete is checked, not assumed.
Task<Result<void>> DemoPlay::PlaceOrder(CallContext ctx) {
  CO_TRY_ASSIGN(auto confirmed, ParseJsonObject(kConfirmed));
  report_.BeginStep();
  CO_TRY_ASSIGN(const auto result,
                co_await Do(ctx, std::string(kPlaceOrder), std::move(confirmed)));
  const std::size_t held = result.verification ? result.verification->outcomes.size() : 0;
  report_.EndStep(
      "click",
      fmt::format("button \"Place order\", waited for what it brings: {} checks hold", held));
  report_.BeginStep();
  if (!result.state_delta) co_return Result<void>();
  CO_TRY_ASSIGN(const auto delta, model::StateDelta::FromJson(*result.state_delta));
  report_.EndStep("delta", DeltaLine(delta));
  report_.Note("delta", delta.ToModelJson());
  co_return Result<void>();
}

Task<Result<std::string>> DemoPlay::ReadText(CallContext ctx, std::string selector) {
  const json::object action{{"action_type", "extract"}, {"selector", selector}};
  CO_TRY_ASSIGN(const auto result, co_await Do(std::move(ctx), json::serialize(action)));
  const json::value* read = result.outcome ? result.outcome->if_contains("extracted") : nullptr;
  const json::object* found = read != nullptr ? read->if_object() : nullptr;
  if (found == nullptr || TextAt(*found, "text").empty()) {
    co_return Fail(ErrorCode::kPostconditionFailed, "extract answered no text for " + selector);
  }
  co_return TextAt(*found, "text");
}

Task<Result<void>> DemoPlay::ReadResult(CallContext ctx) {
  report_.BeginStep();
  CO_TRY_ASSIGN(const std::string number, co_await ReadText(ctx, "#order-number"));
  report_.EndStep("extract", fmt::format("order {} confirmed", number));
  report_.Note("order_number", json::value(number));
  co_return co_await Observe(std::move(ctx));
}

Task<Result<void>> DemoPlay::TakePicture(CallContext ctx) {
  report_.BeginStep();
  CO_TRY_ASSIGN(const auto result, co_await Do(ctx, R"({"action_type":"screenshot"})"));
  if (result.artifacts.empty()) {
    co_return Fail(ErrorCode::kPostconditionFailed, "no picture was kept");
  }
  const model::ResultArtifact& kept = result.artifacts.front();
  const browser::ArtifactOwner owner{.tenant = key().tenant, .workflow = key().workflow};
  CO_TRY_ASSIGN(
      const std::string bytes,
      host_->artifacts().Read(owner, kept.artifact_id, 0, static_cast<std::size_t>(kept.bytes)));
  // Artifacts are named by their content; a person looks for a name that stays.
  const auto picture = options_.folder / kPicture;
  CO_TRY(WriteFileAtomic(picture, bytes));
  report_.EndStep("screenshot", fmt::format("{}, {} KiB", kept.mime, kept.bytes / 1024));
  report_.Note("screenshot", json::value(picture.string()));
  co_return Result<void>();
}

// Everything above is on record; whoever has the public key can check that nothing was changed.
Task<Result<void>> DemoPlay::CheckRecord(CallContext ctx) {
  report_.BeginStep();
  CO_TRY(ctx.StillWanted("the record"));
  CO_TRY_ASSIGN(const auto report, host_->VerifyLedger());
  if (!report.is_clean()) {
    co_return Fail(ErrorCode::kLedgerDamaged, json::serialize(report.ToJson()));
  }
  report_.EndStep("ledger",
                  fmt::format("{} records, chain and signatures verified", report.records));
  report_.Note("ledger_records", json::value(report.records));
  co_return Result<void>();
}

void DemoPlay::ShowResult() {
  const json::object shown = state_.ToModelJson();
  report_.Note("state", shown);
  report_.Say();
  report_.Say(fmt::format("What a model reads of the page now ({}):", SizeLine(shown)));
  for (const std::string& line : StateLines(state_)) report_.Say("    " + line);
  report_.Say();
  report_.Say("Screenshot: " + (options_.folder / kPicture).string());
}

Task<Result<void>> DemoPlay::StayOpen(CallContext ctx) {
  report_.Say();
  report_.Say("The browser stays open. Press Enter to end.");
  LinkedCancelSource gone(ctx.cancel());
  const auto watch = session_->OnClosed([&gone](const Error& reason) { gone.Cancel(reason); });
  co_return co_await WaitForEnter(ctx.WithCancel(gone.token()));
}

}  // namespace falconer::app
