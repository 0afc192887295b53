#pragma once
// PauseStore: who must not act at present: everybody, or one tenant. Durable, and seen by every
// process that uses the file at its next question. Calls behave as those of ControlStore.

#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/async/task.h"
#include "base/ids.h"

namespace falconer::store {

struct Pause {
  TenantId tenant;  // empty: everybody
  std::string reason;
  std::string by;
  WallTime since;

  bool concerns(const TenantId& whom) const { return tenant.empty() || tenant == whom; }
  bool operator==(const Pause&) const = default;
};

struct PauseOrder {
  TenantId tenant;  // empty: everybody
  std::string reason;
  std::string by;
};

class PauseStore {
 public:
  virtual ~PauseStore() = default;

  // Answers the pause that is in force: one that was ordered before stays as it is.
  virtual Task<Result<Pause>> OrderPause(PauseOrder order) = 0;
  // Ends the pause of everybody (no tenant) or of one tenant; another one stays. Answers the pause
  // that ended, if there was one.
  virtual Task<Result<std::optional<Pause>>> EndPause(TenantId tenant) = 0;
  // Why the tenant must not act; the pause of everybody comes first.
  virtual Task<Result<std::optional<Pause>>> FindPause(TenantId tenant) = 0;
  virtual Task<Result<std::vector<Pause>>> ListPauses() = 0;
};

}  // namespace falconer::store
