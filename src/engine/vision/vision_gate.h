#pragma once
// VisionGate: who looks at a picture of the page for a target that could not be found by its names,
// when the contract escalates to that (vision_fallback). Implemented above the engine.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "model/geometry.h"

namespace falconer::engine {

// An element that may be meant, as it is marked in the picture.
struct VisionCandidate {
  int number = 1;
  std::string ref;
  std::string role;
  std::string name;
  model::Rect box;  // in CSS pixels of the viewport
};

// The view without marks: `scale` of its pixels for each CSS pixel.
struct PlainView {
  std::string png;
  double scale = 1;
};

struct VisionQuestion {
  // What is looked for, in the words of the contract.
  std::string wanted;
  // The texts by which the target was named, for who reads words.
  std::vector<std::string> names;
  std::vector<VisionCandidate> candidates;
  // The view with a numbered box around each candidate: at most 768 by 512 pixels.
  std::string marked_png;
  // Takes the view anew at that scale. Valid while the question is.
  std::function<Task<Result<PlainView>>(double scale)> take_view;
};

struct VisionChoice {
  // Of a candidate; 0 for none of them.
  int number = 0;
  // A place in the viewport instead, where words were found that belong to none of them.
  std::optional<model::Point> point = std::nullopt;
  // For the record: who looked, what was asked, what was answered.
  std::string by;
  std::string prompt;
  std::string response;
};

class VisionGate {
 public:
  virtual ~VisionGate() = default;
  // Fails as looking does; that nothing was found is a choice. The gate must outlive the call.
  virtual Task<Result<VisionChoice>> Choose(CallContext ctx, VisionQuestion question) = 0;
};

}  // namespace falconer::engine
