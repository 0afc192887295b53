#include "app/demo/demo_watch.h"

#include <fmt/format.h>
#include <utility>

#include "base/async/alarm.h"

namespace falconer::app {

DemoWatch::DemoWatch(Program& program, Terminal& terminal)
    : program_(program),
      report_(terminal, OutputForm::kText, program.clock()),
      stage_(program.executor(), program.clock()),
      tasks_(program.executor()) {
}

Result<std::unique_ptr<ServeGuest>> DemoWatch::Open(Program& program, Terminal& terminal) {
  std::unique_ptr<DemoWatch> watch(new DemoWatch(program, terminal));
  TRY(watch->stage_.Open());
  return watch;
}

void DemoWatch::Start(OpenRooms rooms) {
  tasks_.Spawn("demo.play", Play(this, std::move(rooms)));
}

Task<Result<void>> DemoWatch::UntilOver(CallContext ctx) {
  Alarm never(ctx.executor(), ctx.clock());
  static_cast<void>(co_await ctx.Wait(&never, "the end"));
  co_return Result<void>();
}

Task<Result<void>> DemoWatch::Finish() {
  co_await tasks_.Join();
  co_return Result<void>();
}

Task<void> DemoWatch::Play(DemoWatch* self, DemoActor::Rooms rooms) {
  DemoReport& report = self->report_;
  report.Say(fmt::format("demo: an agent visits the shop at {}, in the session {}",
                         self->stage_.site().Url("/"), DemoActor::kWorkflow));
  DemoStory story(self->stage_, report,
                  {.rooms = std::move(rooms),
                   .approver = DemoApprover::kPeople,
                   .pause = self->program_.settings().serve.demo_pause});
  const auto played = co_await story.Play(self->program_.NewCall());
  report.Say();
  if (played) {
    report.Say("demo: over; the session stays open");
  } else {
    report.Say("demo: ended: " + Describe(played.error()));
  }
}

}  // namespace falconer::app
