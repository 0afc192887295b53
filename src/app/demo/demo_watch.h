#pragma once
// DemoWatch: the demo's story for people who watch, in a server: slowly, and with the purchase held
// until one of them decides.

#include <memory>

#include "app/demo/demo_report.h"
#include "app/demo/demo_stage.h"
#include "app/demo/demo_story.h"
#include "app/serve/serve_guest.h"
#include "app/wiring.h"
#include "base/async/task_scope.h"

namespace falconer::app {

class DemoWatch final : public ServeGuest {
 public:
  // Opens the stage; both must outlive the watch. Fails as DemoStage::Open.
  static Result<std::unique_ptr<ServeGuest>> Open(Program& program, Terminal& terminal);
  DemoWatch(const DemoWatch&) = delete;
  DemoWatch& operator=(const DemoWatch&) = delete;

  HostWishes Wishes() const override { return stage_.WishesFrom(program_.settings()); }
  // Begins to play; the program's end ends it.
  void Start(OpenRooms rooms) override;
  // The server goes on when the story is over.
  Task<Result<void>> UntilOver(CallContext ctx) override;
  // Waits until the story is over.
  Task<Result<void>> Finish() override;
  // Closes the shop.
  Task<void> Stop(CallContext ctx) override { return stage_.Stop(std::move(ctx)); }

 private:
  DemoWatch(Program& program, Terminal& terminal);
  static Task<void> Play(DemoWatch* self, DemoActor::Rooms rooms);

  Program& program_;
  DemoReport report_;
  DemoStage stage_;
  TaskScope tasks_;
};

}  // namespace falconer::app
