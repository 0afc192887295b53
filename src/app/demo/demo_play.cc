#include "app/demo/demo_play.h"

#include <fmt/format.h>
#include <utility>

#include "app/demo/enter_key.h"
#include "app/demo/state_view.h"

namespace falconer::app {
namespace {

constexpr std::string_view kName = "Ada Lovelace";
constexpr std::string_view kRoast = "Yirgacheffe, light";

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
constexpr std::string_view kConfirmation =
    R"({"kind":"selector","selector":"#confirmation","state":"visible"})";

constexpr std::string_view kPicture = "confirmation.png";

// What was done to what, for the step's line.
std::string WhatWasDone(const model::ActionSpec& spec, const model::ActionOutcome& outcome) {
  if (outcome.navigation && outcome.navigation->committed) {
    return fmt::format("{}  ({})", outcome.navigation->url, outcome.navigation->status);
  }
  std::string what = spec.url.value_or("");
  if (outcome.element)
    what = fmt::format("{} \"{}\"", outcome.element->role, outcome.element->name);
  if (spec.text) what += fmt::format("  <- \"{}\"", spec.text->value);
  for (const model::SelectValue& value : spec.select_values) {
    what += fmt::format("  <- \"{}\"", value.label.value_or(value.value.value_or("")));
  }
  return what;
}

Result<model::ActionSpec> ParseAction(std::string_view text) {
  TRY_ASSIGN(const json::value value, ParseJson(text));
  return model::ActionSpec::FromJson(value);
}

Result<model::WaitCondition> ParseWait(std::string_view text) {
  TRY_ASSIGN(const json::value value, ParseJson(text));
  return model::WaitCondition::FromJson(value);
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
      site_(program.executor(), program.clock()) {
}

Task<Result<void>> DemoPlay::Run() {
  CO_TRY(site_.Start());
  auto played = co_await PlayScene(program_.NewCall());
  if (browser_) co_await browser_->Close(program_.NewCleanup());
  co_await site_.Stop(program_.NewCleanup());
  co_return played;
}

Task<Result<void>> DemoPlay::PlayScene(CallContext ctx) {
  CO_TRY(co_await StartBrowser(ctx));
  CO_TRY(co_await Do(
      ctx, json::serialize(json::object{{"action_type", "navigate"}, {"url", site_.url()}})));
  report_.BeginStep();
  CO_TRY(co_await Observe(ctx));
  report_.EndStep("state", StateSummary(state()));
  CO_TRY(co_await Enter(ctx));
  CO_TRY(co_await PlaceOrder(ctx));
  CO_TRY(co_await ReadResult(ctx));
  CO_TRY(co_await TakePicture(ctx));
  ShowResult();
  if (options_.stays_open) CO_TRY(co_await StayOpen(ctx));
  co_return Result<void>();
}

Task<Result<void>> DemoPlay::StartBrowser(CallContext ctx) {
  const Settings& settings = program_.settings();
  report_.BeginStep();
  CO_TRY_ASSIGN(browser_, co_await OpenBrowser(ctx, options_.browser, options_.attach_url,
                                               BrowserLimitsFrom(settings)));
  report_.EndStep("start", browser_->product());
  report_.Note("browser", json::value(browser_->product()));

  auto session_options = SessionOptionsFrom(settings);
  session_options.artifacts = options_.folder;
  report_.BeginStep();
  CO_TRY_ASSIGN(session_, co_await browser_->NewSession(ctx, SessionId("demo"), session_options));
  driver_ = std::make_unique<browser::Driver>(*session_, DriverLimitsFrom(settings));
  report_.EndStep("session", fmt::format("isolated, {} x {}", session_options.viewport.width,
                                         session_options.viewport.height));
  co_return Result<void>();
}

Task<Result<model::ActionOutcome>> DemoPlay::Do(CallContext ctx, std::string action) {
  CO_TRY_ASSIGN(const auto spec, ParseAction(action));
  report_.BeginStep();
  CO_TRY_ASSIGN(auto outcome, co_await driver_->Perform(ctx, spec));
  report_.EndStep(model::ActionName(spec.type), WhatWasDone(spec, outcome));
  co_return outcome;
}

Task<Result<model::StateDelta>> DemoPlay::Observe(CallContext ctx) {
  CO_TRY_ASSIGN(const auto tab, session_->tabs().Active());
  browser::StructuredStateExtractor extractor(*session_);
  CO_TRY_ASSIGN(auto read, co_await extractor.Read(
                               ctx, tab, {.limits = StateLimitsFrom(program_.settings())}));
  tab_ = tab->id();
  co_return tracker_.Track(tab_, std::move(read));
}

Task<Result<void>> DemoPlay::Enter(CallContext ctx) {
  for (const std::string_view action : kOrder) CO_TRY(co_await Do(ctx, std::string(action)));
  co_return Result<void>();
}

// The wait is armed before the click: a confirmation that comes at once is not missed.
Task<Result<void>> DemoPlay::PlaceOrder(CallContext ctx) {
  CO_TRY_ASSIGN(const auto tab, session_->tabs().Active());
  CO_TRY_ASSIGN(auto condition, ParseWait(kConfirmation));
  browser::WaitManager waits(*session_, driver_->navigator());
  CO_TRY_ASSIGN(const auto armed, co_await waits.Arm(ctx, tab, std::move(condition)));
  CO_TRY(co_await Do(ctx, std::string(kPlaceOrder)));
  report_.BeginStep();
  CO_TRY_ASSIGN(const auto outcome,
                co_await armed->Wait(ctx.WithTimeout(program_.settings().timeouts.general)));
  if (!outcome.satisfied) {
    co_return Fail(
        outcome.error.value_or(Error(ErrorCode::kWaitTimeout, "the confirmation did not appear")));
  }
  report_.EndStep("wait", "the confirmation is visible");
  co_return Result<void>();
}

Task<Result<std::string>> DemoPlay::ReadText(CallContext ctx, std::string selector) {
  const json::object action{{"action_type", "extract"}, {"selector", selector}};
  CO_TRY_ASSIGN(const auto spec, model::ActionSpec::FromJson(action));
  CO_TRY_ASSIGN(const auto outcome, co_await driver_->Perform(ctx, spec));
  const json::object* read = outcome.extracted ? outcome.extracted->if_object() : nullptr;
  const json::value* text = read != nullptr ? read->if_contains("text") : nullptr;
  if (text == nullptr || !text->is_string()) {
    co_return Fail(ErrorCode::kPostconditionFailed, "extract answered no text for " + selector);
  }
  co_return std::string(text->get_string());
}

// The page says what it received: that the order is complete is checked, not assumed.
Task<Result<void>> DemoPlay::ReadResult(CallContext ctx) {
  report_.BeginStep();
  CO_TRY_ASSIGN(const std::string text, co_await ReadText(ctx, "#confirmation"));
  CO_TRY_ASSIGN(const std::string number, co_await ReadText(ctx, "#order-number"));
  if (!text.contains(kName) || !text.contains(kRoast) || !text.contains("3 bags")) {
    co_return Fail(ErrorCode::kPostconditionFailed,
                   "the confirmation is not of this order: " + text);
  }
  report_.EndStep("extract", fmt::format("order {} confirmed", number));
  report_.Note("order_number", json::value(number));

  report_.BeginStep();
  CO_TRY_ASSIGN(const auto delta, co_await Observe(ctx));
  report_.EndStep("delta", DeltaLine(delta));
  report_.Note("delta", delta.ToModelJson());
  co_return Result<void>();
}

Task<Result<void>> DemoPlay::TakePicture(CallContext ctx) {
  CO_TRY_ASSIGN(const auto spec, ParseAction(R"({"action_type":"screenshot"})"));
  report_.BeginStep();
  CO_TRY_ASSIGN(const auto outcome, co_await driver_->Perform(ctx, spec));
  if (!outcome.artifact) co_return Fail(ErrorCode::kPostconditionFailed, "no picture was kept");
  // Artifacts are named by their content; a person looks for a name that stays.
  const auto picture = options_.folder / kPicture;
  std::error_code failed;
  const auto kept = options_.folder / outcome.artifact->path;
  std::filesystem::rename(kept, picture, failed);
  if (failed) {
    std::error_code ignored;
    std::filesystem::remove(kept, ignored);
    co_return Fail(ErrorCode::kIoError, picture.string() + ": " + failed.message());
  }
  report_.EndStep("screenshot", fmt::format("{}, {} KiB", outcome.artifact->mime,
                                            outcome.artifact->bytes / 1024));
  report_.Note("screenshot", json::value(picture.string()));
  co_return Result<void>();
}

void DemoPlay::ShowResult() {
  const json::object shown = state().ToModelJson();
  report_.Note("state", shown);
  report_.Say();
  report_.Say(fmt::format("What a model reads of the page now ({}):", SizeLine(shown)));
  for (const std::string& line : StateLines(state())) report_.Say("    " + line);
  report_.Say();
  report_.Say("Screenshot: " + (options_.folder / kPicture).string());
}

Task<Result<void>> DemoPlay::StayOpen(CallContext ctx) {
  report_.Say();
  report_.Say(fmt::format("{} stays open. Press Enter to end.", browser_->product()));
  LinkedCancelSource gone(ctx.cancel());
  const auto watch = browser_->OnGone([&gone](const Error& reason) { gone.Cancel(reason); });
  co_return co_await WaitForEnter(ctx.WithCancel(gone.token()));
}

}  // namespace falconer::app
