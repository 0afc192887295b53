#pragma once
// DemoPlay: the demo's scene. A browser opens the order form, reads it, fills it in, places the
// order, waits for the confirmation, and reads what changed.

#include <filesystem>
#include <memory>
#include <string>

#include "app/demo/demo_report.h"
#include "app/demo/demo_site.h"
#include "app/wiring.h"
#include "browser/state/delta_state_tracker.h"
#include "browser/waits/wait_manager.h"

namespace falconer::app {

class DemoPlay {
 public:
  struct Options {
    // Started, unless `attach_url` names one that runs already.
    browser::BrowserConfig browser;
    std::string attach_url;
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
  Task<Result<void>> StartBrowser(CallContext ctx);
  Task<Result<void>> PlayScene(CallContext ctx);
  Task<Result<void>> Enter(CallContext ctx);
  Task<Result<void>> PlaceOrder(CallContext ctx);
  Task<Result<void>> ReadResult(CallContext ctx);
  Task<Result<void>> TakePicture(CallContext ctx);
  Task<Result<void>> StayOpen(CallContext ctx);

  Task<Result<model::ActionOutcome>> Do(CallContext ctx, std::string action);
  Task<Result<std::string>> ReadText(CallContext ctx, std::string selector);
  // Reads the page's state and what changed since the last one.
  Task<Result<model::StateDelta>> Observe(CallContext ctx);
  const model::StructuredState& state() const { return *tracker_.Last(tab_); }
  void ShowResult();

  Program& program_;
  DemoReport& report_;
  Options options_;
  DemoSite site_;
  std::unique_ptr<browser::Browser> browser_;
  std::shared_ptr<browser::Session> session_;
  std::unique_ptr<browser::Driver> driver_;
  TabId tab_;
  browser::DeltaStateTracker tracker_{{}};
};

}  // namespace falconer::app
