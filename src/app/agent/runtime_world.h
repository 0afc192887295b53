#pragma once
// RuntimeWorld: the people around a run, as the runtime knows them: approvals that its session
// waits for, and who drives it.

#include "agent/loop/run_world.h"
#include "base/async/notifier.h"

namespace falconer::app {

class RuntimeWorld final : public agent::RunWorld {
 public:
  enum class Session : std::uint8_t { kOwn, kShared };

  // The runtime must outlive this. A session of its own is closed with the run.
  RuntimeWorld(engine::Runtime& runtime, browser::SessionKey key, Session session);

  Subscription OnAsking(std::function<void(bool is_asking)> tell) override;
  std::optional<std::string> Driver() const override;
  std::int64_t Epoch() const override;
  Task<Result<void>> TakeOver(CallContext ctx, engine::DriverChange change) override;
  Task<Result<void>> HandBack(CallContext ctx, engine::DriverChange change) override;
  Task<Result<void>> UntilHandedBack(CallContext ctx) override;
  Task<void> Close(CallContext ctx) override;

 private:
  bool IsAsking() const;

  engine::Runtime& runtime_;
  const browser::SessionKey key_;
  const Session session_;
  Notifier changes_;
};

}  // namespace falconer::app
