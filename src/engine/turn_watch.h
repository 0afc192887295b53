#pragma once
// TurnWatch: told of each turn that has ended and is on record, with what may be learnt from it. On
// the runtime's event loop; it must not wait.

#include <optional>
#include <string>

#include "browser/session_manager.h"
#include "engine/runtime.h"
#include "model/contract/contract.h"
#include "model/contract/result.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::engine {

struct WatchedTurn {
  const Caller& caller;
  const browser::SessionKey& key;
  const model::ActionContract& contract;
  const model::ActionExecutionResult& result;
  // The element that the action met; nothing when it met none, or was not asked for.
  std::optional<model::Fingerprint> element;
  // Where the tab was before and after it.
  std::string page_before;
  std::string page_after;
};

class TurnWatch {
 public:
  virtual ~TurnWatch() = default;

  // Whether anybody wants fingerprints; asked before each turn.
  virtual bool WantsFingerprints(const browser::SessionKey& key) const = 0;
  virtual void OnTurn(const WatchedTurn& turn) = 0;
  virtual void OnSessionClosed(const browser::SessionKey& key) = 0;
};

}  // namespace falconer::engine
