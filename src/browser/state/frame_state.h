#pragma once
// One frame's part of a state: read from its page, then joined into the tab's.

#include <memory>
#include <optional>

#include "browser/frames/frame.h"
#include "browser/frames/quad_map.h"
#include "model/state/projection.h"
#include "model/state/state.h"

namespace falconer::browser {

// What the script in one frame answered.
struct FrameReading {
  std::shared_ptr<Frame> frame;
  // From shares of a child frame's viewport to pixels of the tab's; absent when it has no place.
  std::optional<QuadMap> place;
  bool is_in_view = true;
  std::optional<model::FrameProjection> answer;
};

// Takes address, title, scroll, viewport and focus from the main frame's answer.
void TakePage(const model::FrameProjection& answer, model::StructuredState& state);

// Adds an answered reading to the state: elements, texts, forms and errors with the frame's id,
// places in the tab's coordinates, and no more elements than `most_elements`.
void JoinReading(FrameReading reading, std::size_t most_elements, model::StructuredState& state);

}  // namespace falconer::browser
