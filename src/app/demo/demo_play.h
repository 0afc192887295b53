#pragma once
// DemoPlay: the demo from start to end, for `falconer demo`: opens the stage, a runtime and a
// browser, plays the story, and shows what is left to see.

#include <filesystem>
#include <memory>

#include "app/demo/demo_report.h"
#include "app/demo/demo_stage.h"
#include "app/demo/demo_story.h"
#include "app/host/runtime_host.h"

namespace falconer::app {

class DemoPlay {
 public:
  struct Options {
    // What the runtime is made from; where it may go is the stage's word.
    Settings settings;
    // Where the screenshot is kept.
    std::filesystem::path folder;
    bool stays_open = false;
  };

  // `program` and `report` must outlive the play.
  DemoPlay(Program& program, DemoReport& report, Options options);

  // Plays from start to end; the browser and the shop are gone when it returns. Fails as the step
  // that failed.
  Task<Result<void>> Run();

 private:
  Task<Result<void>> PlayWithHost();
  Task<Result<void>> PlayStory(CallContext ctx);
  Task<Result<void>> Start(CallContext ctx);
  Task<Result<void>> StayOpen(CallContext ctx);
  void ShowResult(const model::StructuredState& state);
  api::ToolRooms Rooms();

  Program& program_;
  DemoReport& report_;
  Options options_;
  DemoStage stage_;
  std::unique_ptr<RuntimeHost> host_;
  std::shared_ptr<browser::Session> session_;
};

}  // namespace falconer::app
