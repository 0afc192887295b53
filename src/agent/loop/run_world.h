#pragma once
// RunWorld: what a run has to know of people: whether somebody is asked on its behalf, and who
// drives its session. RunKit: everything a run works with. RunMaker makes one for each run.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/loop/run_config.h"
#include "agent/loop/run_log.h"
#include "agent/providers/provider.h"
#include "agent/tools/tool_box.h"
#include "base/async/subscription.h"
#include "engine/runtime.h"

namespace falconer::agent {

class RunWorld {
 public:
  virtual ~RunWorld() = default;

  // Tells, until the subscription goes, when people begin to be asked for the run (true), and when
  // nothing is asked any more (false).
  virtual Subscription OnAsking(std::function<void(bool is_asking)> tell) = 0;
  // The person who drives the session; nothing while the run may.
  virtual std::optional<std::string> Driver() const = 0;
  // Another one after each change of who drives; 0 while there is no session.
  virtual std::int64_t Epoch() const = 0;
  virtual Task<Result<void>> TakeOver(CallContext ctx, engine::DriverChange change) = 0;
  virtual Task<Result<void>> HandBack(CallContext ctx, engine::DriverChange change) = 0;
  // Fails like ctx.
  virtual Task<Result<void>> UntilHandedBack(CallContext ctx) = 0;
  // Closes the session, when it is the run's own.
  virtual Task<void> Close(CallContext ctx) = 0;
};

struct RunKit {
  Provider* provider = nullptr;  // outlives the kit
  std::unique_ptr<ToolBox> tools;
  std::unique_ptr<RunLog> log;
  std::unique_ptr<RunWorld> world;
  // How targets and answers of the tools are written.
  std::string instructions = {};
};

// What a run is told apart by.
struct RunOrder {
  RunId id;
  engine::Caller caller;
  std::string task;
  RunConfig config;  // its session has a name
  std::int64_t times_resumed = 0;
};

class RunMaker {
 public:
  virtual ~RunMaker() = default;
  // Fails as opening the rooms does, and with kInvalidSetting for providers that make no sense.
  virtual Result<std::unique_ptr<RunKit>> Make(const RunOrder& order) = 0;
  // The records of those who ask.
  virtual Result<std::unique_ptr<RunLog>> Log(const engine::Caller& caller) = 0;
};

}  // namespace falconer::agent
