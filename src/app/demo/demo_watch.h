#pragma once
// DemoWatch: the demo's story for people who watch, in a server: slowly, and with the purchase held
// until one of them decides.

#include <memory>

#include "app/demo/demo_report.h"
#include "app/demo/demo_stage.h"
#include "app/demo/demo_story.h"
#include "app/wiring.h"
#include "base/async/task_scope.h"

namespace falconer::app {

class DemoWatch {
 public:
  // Opens the stage; both must outlive the watch. Fails as DemoStage::Open.
  static Result<std::unique_ptr<DemoWatch>> Open(Program& program, Terminal& terminal);
  DemoWatch(const DemoWatch&) = delete;
  DemoWatch& operator=(const DemoWatch&) = delete;

  // How the server's runtime must be made.
  HostWishes Wishes() const { return stage_.WishesFrom(program_.settings()); }
  // Begins to play; the program's end ends it.
  void Start(DemoActor::Rooms rooms);
  // Waits until the story is over. Before the runtime stops.
  Task<void> Join() { return tasks_.Join(); }
  // Closes the shop. After the runtime has stopped.
  Task<void> Stop(CallContext ctx) { return stage_.Stop(std::move(ctx)); }

 private:
  DemoWatch(Program& program, Terminal& terminal);
  static Task<void> Play(DemoWatch* self, DemoActor::Rooms rooms);

  Program& program_;
  DemoReport report_;
  DemoStage stage_;
  TaskScope tasks_;
};

}  // namespace falconer::app
