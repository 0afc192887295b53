#pragma once
// FrameProjection: what the injected script answers to "state" for one document, read into the
// parts of a StructuredState.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "model/geometry.h"
#include "model/state/state.h"

namespace falconer::model {

// A frame element in the document.
struct FrameSlot {
  std::optional<std::size_t> index;  // in window.frames; none for a frame in a shadow root
  std::uint64_t handle = 0;          // leads to the element
  std::string ref;
  Rect rect;  // in the viewport of the document
  bool visible = false;
  bool in_viewport = false;
  std::string src_origin;
  bool operator==(const FrameSlot&) const = default;
};

struct FrameProjection {
  std::string url;
  std::string title;
  PagePhase phase = PagePhase::kComplete;
  ScrollState scroll;
  ViewportState viewport;
  std::string focus;
  std::vector<ElementState> elements;
  std::vector<TextState> texts;
  std::vector<FormState> forms;
  std::vector<ErrorState> errors;
  std::vector<FrameSlot> frames;
  BudgetState budget;  // without frames
  std::size_t nodes_visited = 0;
  std::string content_hash;

  // Strict. Fails with kProtocolError that names the field: script and program do not fit together.
  static Result<FrameProjection> FromJson(const json::value& answer);
};

}  // namespace falconer::model
