#include "app/demo/demo_play.h"

#include <fmt/format.h>
#include <utility>

#include "app/demo/enter_key.h"
#include "app/demo/state_view.h"
#include "app/host/redaction_host.h"

namespace falconer::app {
namespace {

constexpr std::string_view kPicture = "confirmation.png";

}  // namespace

DemoPlay::DemoPlay(Program& program, DemoReport& report, Options options)
    : program_(program),
      report_(report),
      options_(std::move(options)),
      stage_(program.executor(), program.clock()) {
}

Task<Result<void>> DemoPlay::Run() {
  Result<void> played = stage_.Open();
  if (played) played = co_await PlayWithHost();
  co_await stage_.Stop(program_.NewCleanup());
  co_return played;
}

Task<Result<void>> DemoPlay::PlayWithHost() {
  CO_TRY_ASSIGN(host_, RuntimeHost::Open(program_, stage_.WishesFrom(options_.settings)));
  auto played = co_await PlayStory(program_.NewCall());
  session_.reset();
  co_await host_->Stop(program_.NewCleanup());
  co_return played;
}

Task<Result<void>> DemoPlay::PlayStory(CallContext ctx) {
  CO_TRY(co_await Start(ctx));
  DemoStory story(stage_, report_,
                  {.rooms = [this]() -> Result<api::ToolRooms> { return Rooms(); },
                   .picture = options_.folder / kPicture});
  CO_TRY(co_await story.Play(ctx));
  ShowResult(story.state());
  if (options_.stays_open) CO_TRY(co_await StayOpen(ctx));
  co_return Result<void>();
}

api::ToolRooms DemoPlay::Rooms() {
  RedactionHost& redaction = host_->redaction();
  return {.runtime = &host_->runtime(),
          .caller = host_->local_caller(),
          .redactor = &redaction.redactor(),
          .quarantine = redaction.quarantine()};
}

Task<Result<void>> DemoPlay::Start(CallContext ctx) {
  report_.BeginStep();
  host_->WarmUp();
  CO_TRY_ASSIGN(const std::string product, co_await host_->BrowserReady(ctx));
  report_.EndStep("start", product);
  report_.Note("browser", json::value(product));

  report_.BeginStep();
  const browser::SessionKey key{.tenant = host_->local_caller().tenant,
                                .workflow = WorkflowId(std::string(DemoActor::kWorkflow))};
  CO_TRY_ASSIGN(const auto session, co_await host_->runtime().SessionFor(ctx, key));
  CO_TRY(*session->lease);
  CO_TRY_ASSIGN(const auto kit, co_await host_->runtime().KitOf(ctx, session));
  session_ = kit->session;
  const browser::Viewport& viewport = session_->options().viewport;
  report_.EndStep("session", fmt::format("isolated, {} x {}", viewport.width, viewport.height));
  co_return Result<void>();
}

void DemoPlay::ShowResult(const model::StructuredState& state) {
  const json::object shown = state.ToModelJson();
  report_.Note("state", shown);
  report_.Say();
  report_.Say(fmt::format("What a model reads of the page now ({}):", SizeLine(shown)));
  for (const std::string& line : StateLines(state)) report_.Say("    " + line);
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
