#pragma once
// DemoPlay: the demo's scene. An agent opens the order form, reads it, fills it in, places the
// order, and reads what changed: each action a contract that is admitted, carried out, verified and
// recorded. At the end the record is checked.

#include <filesystem>
#include <memory>
#include <string>

#include "app/demo/demo_report.h"
#include "app/demo/demo_site.h"
#include "app/host/runtime_host.h"
#include "engine/look.h"
#include "model/contract/result.h"

namespace falconer::app {

class DemoPlay {
 public:
  struct Options {
    // What the runtime is made from. The demo's own site is added to the hosts that are allowed.
    Settings settings;
    // Where the screenshot is kept.
    std::filesystem::path folder;
    bool stays_open = false;
  };

  // `program` and `report` must outlive the play.
  DemoPlay(Program& program, DemoReport& report, Options options);

  // Plays from start to end; the browser and the site are gone when it returns. Fails as the step
  // that failed.
  Task<Result<void>> Run();

 private:
  Task<Result<void>> PlayWithHost();
  Task<Result<void>> Start(CallContext ctx);
  Task<Result<void>> PlayScene(CallContext ctx);
  Task<Result<void>> Enter(CallContext ctx);
  Task<Result<void>> PlaceOrder(CallContext ctx);
  Task<Result<void>> ReadResult(CallContext ctx);
  Task<Result<void>> TakePicture(CallContext ctx);
  Task<Result<void>> CheckRecord(CallContext ctx);
  Task<Result<void>> StayOpen(CallContext ctx);

  // Carries out one action as a contract of its own; `more` holds further members of it.
  Task<Result<model::ActionExecutionResult>> Do(CallContext ctx, std::string action,
                                                json::object more = {});
  // The same, and tells it as a step.
  Task<Result<void>> Show(CallContext ctx, std::string action);
  Task<Result<std::string>> ReadText(CallContext ctx, std::string selector);
  Task<Result<void>> Observe(CallContext ctx);
  void ShowResult();
  browser::SessionKey key() const;

  Program& program_;
  DemoReport& report_;
  Options options_;
  DemoSite site_;
  std::unique_ptr<RuntimeHost> host_;
  std::shared_ptr<browser::Session> session_;
  std::string run_;
  int step_ = 0;
  model::StructuredState state_;
};

}  // namespace falconer::app
