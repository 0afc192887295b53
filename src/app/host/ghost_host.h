#pragma once
// GhostHost: what pages are read from their pictures with, made from the settings.

#include <memory>

#include "agent/ghost/ghost_reader.h"
#include "agent/ghost/marks_gate.h"
#include "base/settings/settings.h"
#include "engine/secret_desk.h"

namespace falconer::app {

class GhostHost {
 public:
  // kInvalidSetting for a provider that is not among agent.providers or does not see, for rows that
  // are wrong, and for languages that are no names. Clock and desk must outlive the host.
  static Result<std::unique_ptr<GhostHost>> Open(const Settings& settings, Clock& clock,
                                                 engine::SecretDesk& secrets);

  const agent::GhostSetup& setup() const { return setup_; }
  // Looks for targets that were not found; null where pictures are not read.
  engine::VisionGate* gate() const { return gate_.get(); }

 private:
  GhostHost() = default;

  std::unique_ptr<agent::Provider> vision_;  // null without one that sees
  agent::GhostSetup setup_;
  std::unique_ptr<agent::MarksGate> gate_;
};

}  // namespace falconer::app
