#pragma once
// A picture of the view with a numbered box around each candidate, drawn into the picture: the page
// is not touched.

#include <span>
#include <string>

#include "browser/tabs/tab.h"
#include "engine/vision/vision_gate.h"

namespace falconer::engine {

inline constexpr double kMarkedWidth = 768;
inline constexpr double kMarkedHeight = 512;

// The view at most as large as `width` by `height` pixels, or at exactly the scale, with secrets
// painted over. Fails as taking pictures does.
Task<Result<PlainView>> TakeView(CallContext ctx, std::shared_ptr<browser::Tab> tab, double scale);
// The scale at which a view of the tab has the size of a marked picture.
double MarkedScale(const browser::Tab& tab);

// The boxes and their numbers in it, as PNG. kInvalidArgument when it is no picture.
Result<std::string> DrawMarks(const PlainView& view, std::span<const VisionCandidate> candidates);

}  // namespace falconer::engine
