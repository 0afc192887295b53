#include "kernel/flow/breaker_book.h"

#include <utility>

#include "base/log.h"

namespace falconer::kernel {

Task<void> BreakerBook::Note(CircuitPermit permit, std::optional<store::SiteOutcome> outcome) {
  if (!permit || !outcome) co_return;
  if (*outcome == store::SiteOutcome::kUp && !permit.matters()) co_return permit.Spend();
  const auto state = co_await store_.NoteOutcome(
      {.key = permit.key(), .limits = limits_, .outcome = *outcome, .probe = permit.probe()});
  if (!state) {
    LOG(warn, "breaker.not_noted", {"domain", permit.key().domain},
        {"why", state.error().message()});
    co_return;
  }
  permit.Spend();
  if (*state == store::CircuitState::kOpen && *outcome == store::SiteOutcome::kDown) {
    LOG(warn, "breaker.open", {"tenant", permit.key().tenant.value()},
        {"domain", permit.key().domain});
  }
}

}  // namespace falconer::kernel
