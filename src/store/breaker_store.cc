#include "store/breaker_store.h"

#include "base/units.h"

namespace falconer::store {

json::object ListedCircuit::ToJson() const {
  json::object out{{"tenant", key.tenant.value()},
                   {"domain", key.domain},
                   {"state", NameIn(kCircuitStates, state)},
                   {"failures", failures},
                   {"since", IsoTime(since)}};
  if (state == CircuitState::kOpen) out["retry_after_ms"] = retry_after.count();
  return out;
}

}  // namespace falconer::store
