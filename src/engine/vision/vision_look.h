#pragma once
// Looks at the page for a target that its names did not find: the elements that may be meant are
// marked in a picture, and a VisionGate chooses among them.

#include <string>

#include "browser/tabs/tab.h"
#include "engine/vision/vision_gate.h"
#include "model/action/target.h"
#include "model/contract/contract.h"
#include "model/state/state.h"

namespace falconer::engine {

// How sure a choice is taken to be, whoever made it.
inline constexpr double kVisionConfidence = 0.6;

struct VisionLook {
  // Nothing when none of the elements is it.
  std::optional<model::Target> target = std::nullopt;
  std::string marked_png;
  // What was shown, asked and answered: enough to judge the choice later.
  json::object evidence;
};

// What is to be looked at; all must outlive the look.
struct VisionScene {
  std::shared_ptr<browser::Tab> tab;
  const model::ActionContract* contract = nullptr;
  const model::StructuredState* state = nullptr;
  VisionGate* gate = nullptr;
};

// Whether an action that failed so has not found its target.
bool IsUnbound(ErrorCode code);

// Fails as taking the picture and the gate do, and with kTargetBindFailed for a choice that was not
// offered.
Task<Result<VisionLook>> LookForTarget(CallContext ctx, VisionScene scene);

}  // namespace falconer::engine
