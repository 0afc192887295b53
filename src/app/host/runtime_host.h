#pragma once
// RuntimeHost: a runtime and all the rooms it joins, made from the settings. Read the .cc from top
// to bottom: it is the diagram of the house.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/http/control_panel.h"
#include "app/wiring.h"
#include "engine/runtime.h"
#include "ledger/verifier.h"
#include "model/tenant_quota.h"

namespace falconer::agent {
class CrawlDesk;
struct GhostSetup;
}  // namespace falconer::agent

namespace falconer::predict {
class PredictDesk;
}  // namespace falconer::predict

namespace falconer::app {

class RedactionHost;

// When the first browser is started.
enum class BrowserStart : std::uint8_t { kAtOnce, kWhenNeeded };

// What a command wants otherwise than everybody.
struct HostWishes {
  // Instead of the program's.
  std::optional<Settings> settings;
  std::function<void(engine::TurnStage)> on_stage;
  // "NAME=value" lines that secrets are looked for in beside those of the environment.
  std::vector<std::string> environment;
  // By whoever opens the host for others.
  BrowserStart browser = BrowserStart::kAtOnce;
};

class RuntimeHost {
 public:
  // Opens the store and the ledger in data.dir; no browser is started. Reads and writes files on
  // the caller's thread. kInvalidSetting, kIoError, kStoreDamaged, kUnsupported. The program must
  // outlive the host.
  static Result<std::unique_ptr<RuntimeHost>> Open(Program& program, HostWishes wishes = {});
  // Stop() must have ended first.
  ~RuntimeHost();
  RuntimeHost(const RuntimeHost&) = delete;
  RuntimeHost& operator=(const RuntimeHost&) = delete;

  // Begins to start a browser, so that the first action need not wait for it.
  void WarmUp();
  // Waits until a browser runs, and says which. Fails as starting one does, and like ctx.
  Task<Result<std::string>> BrowserReady(CallContext ctx);
  // Ends what runs, closes every session and browser, lets go of every lease.
  Task<void> Stop(CallContext ctx);

  engine::Runtime& runtime();
  // What everything that leaves goes through.
  RedactionHost& redaction();
  browser::ArtifactManager& artifacts();
  // Where people are asked.
  engine::ApprovalDesk& approvals();
  // What operators look at and change.
  const api::ControlPanel& panel() const;
  // What pages are read from their pictures with.
  const agent::GhostSetup& ghost() const;
  // What crawls share.
  agent::CrawlDesk& crawls();
  // What is learnt, and done by it.
  predict::PredictDesk& predict();
  // What the tenant may use: its own limits, and those of the settings where it has none. Those of
  // the settings when the store does not answer.
  Task<model::TenantQuota> QuotaOf(TenantId tenant);
  // Checks the whole chain of the local caller's tenant. Reads files on the caller's thread.
  Result<ledger::VerifyReport> VerifyLedger() const;
  // Who acts when nobody has to prove who he is: the person who started this program.
  engine::Caller local_caller() const;

 private:
  struct Opened;
  struct Rooms;
  static Result<Opened> OpenParts(Program& program, const Settings& settings,
                                  const std::vector<std::string>& environment);
  explicit RuntimeHost(std::unique_ptr<Rooms> rooms);
  std::unique_ptr<Rooms> rooms_;
};

}  // namespace falconer::app
