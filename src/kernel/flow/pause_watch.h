#pragma once
// PauseWatch: notices a pause while work is under way, whichever process ordered it, and cancels
// that work within a fraction of a second. What has not begun asks for itself (PauseGate): so the
// watch looks only while somebody has a ward, and a process that rests stays at rest. Belongs to
// one strand.

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/async/cancel.h"
#include "base/async/task_scope.h"
#include "store/pause_store.h"

namespace falconer::kernel {

// What is said to whoever must not act, or not go on.
Error PausedError(const store::Pause& pause);

// Work that a pause of its tenant, or of everybody, cancels. One that holds nothing is never
// cancelled.
class PauseWard {
 public:
  PauseWard() = default;
  PauseWard(PauseWard&&) noexcept = default;
  PauseWard& operator=(PauseWard&& other) noexcept;
  ~PauseWard();

  // Cancelled with PausedError().
  const CancelToken& token() const { return token_; }

 private:
  friend class PauseWatch;
  struct Wards;
  PauseWard(std::shared_ptr<Wards> wards, std::uint64_t id, CancelToken token);
  void LetGo();

  std::shared_ptr<Wards> wards_;
  std::uint64_t id_ = 0;
  CancelToken token_;
};

class PauseWatch {
 public:
  // How long it takes at most until a pause is noticed, but for reading the store.
  static constexpr std::chrono::milliseconds kInterval{250};

  // Both must outlive this.
  PauseWatch(Executor executor, Clock& clock, store::PauseStore& store,
             std::chrono::milliseconds interval = kInterval);
  // Wards may outlive the watch; nothing cancels them then.
  ~PauseWatch();
  PauseWatch(const PauseWatch&) = delete;
  PauseWatch& operator=(const PauseWatch&) = delete;

  // Watches for as long as the ward is held: one per turn, which the gate takes, and one per
  // session whose pages should not go on by themselves.
  PauseWard Begin(TenantId tenant);
  // Why the tenant must not act now, as the store has it.
  Task<Result<std::optional<store::Pause>>> Find(TenantId tenant) {
    return store_.FindPause(std::move(tenant));
  }
  // Ends the watch, and waits for it.
  Task<void> Stop();

 private:
  static Task<void> Look(PauseWatch* self);
  void Apply(const std::vector<store::Pause>& pauses);

  Executor executor_;
  Clock& clock_;
  store::PauseStore& store_;
  std::chrono::milliseconds interval_;
  std::shared_ptr<PauseWard::Wards> wards_;
  // Those that the log has already.
  std::vector<store::Pause> known_;
  bool is_looking_ = false;
  CancelSource stopped_;
  TaskScope tasks_;
};

}  // namespace falconer::kernel
