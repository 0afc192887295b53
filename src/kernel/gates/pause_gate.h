#pragma once
// PauseGate: did somebody order that nothing more is done? The first gate: while everything is
// paused nothing else is asked, and nothing is taken. Admission::ward is cancelled when a pause is
// ordered while the turn is under way.

#include "kernel/flow/pause_watch.h"
#include "kernel/gates/gate.h"

namespace falconer::kernel {

struct PauseFacts {
  bool is_paused = false;
  std::string of;  // the tenant; "" for everybody
  std::string reason;
  std::string by;
  std::int64_t since_ms = 0;
  std::string error;  // the name of what kept everybody from knowing

  json::object ToJson() const;
  // kInvalidArgument for what ToJson never writes.
  static Result<PauseFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts: rejects with kRuntimePaused.
Verdict DecidePause(const PauseFacts& facts);

class PauseGate final : public Gate {
 public:
  // Both must outlive this.
  PauseGate(store::PauseStore& store, PauseWatch& watch) : store_(store), watch_(watch) {}
  std::string_view name() const override { return "pause"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  store::PauseStore& store_;
  PauseWatch& watch_;
};

}  // namespace falconer::kernel
