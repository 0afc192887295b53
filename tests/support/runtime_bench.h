#pragma once
// RuntimeBench: a whole runtime over a real browser, with its store and ledger in a folder. Its
// parts can be made anew over the same folder, as after a crash.

#include <memory>
#include <string>

#include "engine/runtime.h"
#include "kernel/gates/domain_gate.h"
#include "model/contract/result.h"
#include "store/sqlite_store.h"
#include "tests/support/control_kit.h"
#include "tests/support/test_browser.h"

namespace falconer::test {

class RuntimeBench {
 public:
  // `data` must outlive the bench. `owner` names the incarnation of the program.
  // `vision` looks for targets that are not found, `watch` is told of turns; null for nobody.
  RuntimeBench(BrowserFixture& t, const std::filesystem::path& data, std::string owner = "test:1",
               engine::VisionGate* vision = nullptr, engine::TurnWatch* watch = nullptr);
  ~RuntimeBench();
  RuntimeBench(const RuntimeBench&) = delete;
  RuntimeBench& operator=(const RuntimeBench&) = delete;

  // Sends a contract given as JSON text; the answer as text, "" when there was none.
  Task<std::string> Send(std::string contract, std::string tenant = "acme",
                         CancelToken cancel = {});
  // The same, read.
  Task<model::ActionExecutionResult> Execute(std::string contract, std::string tenant = "acme",
                                             CancelToken cancel = {});
  Task<void> Stop();

  engine::Runtime& runtime();
  ControlKit& control();
  kernel::LeaseKeeper& leases();
  ledger::Ledger& ledger();
  // Where the files of a workflow of acme are.
  std::filesystem::path ArtifactsOf(const std::string& workflow);

 private:
  struct Parts;
  BrowserFixture& t_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace falconer::test
