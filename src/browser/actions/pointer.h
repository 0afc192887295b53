#pragma once
// PointAndAct: the part that all mouse actions share.

#include <functional>
#include <optional>
#include <string>

#include "browser/actions/action_run.h"
#include "browser/actions/input.h"

namespace falconer::browser {

struct PointerPlan {
  // What the script prepares for: "click", "hover", or "drag", whose press is let go later.
  std::string action;
  model::MouseButton button = model::MouseButton::kLeft;
  // How many clicks.
  int count = 1;
};

// Writes the mouse events for a point of the tab and gives the reply of the last one.
using PostMouse = std::function<MouseReply(model::Point at)>;

// Finds the target, waits until it can be acted on, acts, and makes sure it was hit. Tries again,
// until the deadline, while the page moves things about; every such try is noted in the outcome.
Task<Result<void>> PointAndAct(CallContext ctx, ActionRun* run, PointerPlan plan, PostMouse post);

struct PreparedPoint {
  model::Point at;  // in the tab
  // What is there, when somebody wants to know.
  std::optional<model::ElementFacts> met;
};

// Brings the target into view, has the script prepare it with these arguments, and gives the point
// of the tab to act at. In frames of other processes it waits until scrolling has come to an end.
Task<Result<PreparedPoint>> PreparePoint(CallContext ctx, ActionRun* run, BoundTarget target,
                                         json::object arguments);

}  // namespace falconer::browser
