#include "browser/state/frame_state.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace falconer::browser {
namespace {

// Boxes are given to four digits, as the script gives them.
double Rounded(double share) {
  return std::round(share * 10'000) / 10'000;
}

// From shares of the frame's viewport to shares of the tab's.
void Place(const FrameReading& reading, const model::ViewportState& tab,
           model::ElementState& element) {
  element.in_viewport = element.in_viewport && reading.is_in_view;
  if (reading.frame->is_main()) return;
  auto& bbox = element.bbox;
  if (!reading.place || tab.width == 0 || tab.height == 0) {
    bbox = {};
    return;
  }
  const model::Rect box = reading.place->Apply(model::Rect{bbox[0], bbox[1], bbox[2], bbox[3]});
  bbox = {Rounded(box.x / tab.width), Rounded(box.y / tab.height), Rounded(box.width / tab.width),
          Rounded(box.height / tab.height)};
}

// A frame that has the focus passes it on: the element inside is what typing goes to.
std::string FocusOf(const model::FrameProjection& answer) {
  const bool is_frame = std::ranges::count(answer.frames, answer.focus, &model::FrameSlot::ref) > 0;
  return is_frame ? "" : answer.focus;
}

template <typename T>
void Append(std::vector<T>& all, std::vector<T>&& more, const std::string& fid) {
  for (T& item : more) item.fid = fid;
  std::ranges::move(more, std::back_inserter(all));
}

void Add(model::SectionBudget& sum, const model::SectionBudget& more) {
  sum.total += more.total;
  sum.omitted += more.omitted;
}

}  // namespace

void TakePage(const model::FrameProjection& answer, model::StructuredState& state) {
  state.url = answer.url;
  state.title = answer.title;
  state.phase = answer.phase;
  state.scroll = answer.scroll;
  state.viewport = answer.viewport;
  state.focus = FocusOf(answer);
}

void JoinReading(FrameReading reading, std::size_t most_elements, model::StructuredState& state) {
  model::FrameProjection& answer = *reading.answer;
  const Frame& frame = *reading.frame;
  const std::string fid = frame.is_main() ? "" : frame.fid;
  state.frames.push_back({.fid = frame.fid,
                          .parent_fid = frame.is_main() ? "" : frame.parent->fid,
                          .origin = frame.document->origin,
                          .title = answer.title,
                          .visible = reading.is_in_view,
                          .interactive_count = answer.budget.elements.total});
  if (answer.elements.size() > most_elements) {
    answer.budget.elements.omitted += answer.elements.size() - most_elements;
    answer.elements.resize(most_elements);
  }
  for (model::ElementState& element : answer.elements) Place(reading, state.viewport, element);
  if (state.focus.empty() && !frame.is_main()) state.focus = FocusOf(answer);
  Append(state.elements, std::move(answer.elements), fid);
  Append(state.texts, std::move(answer.texts), fid);
  Append(state.forms, std::move(answer.forms), fid);
  Append(state.errors, std::move(answer.errors), fid);
  Add(state.budget.elements, answer.budget.elements);
  Add(state.budget.texts, answer.budget.texts);
  Add(state.budget.forms, answer.budget.forms);
  Add(state.budget.errors, answer.budget.errors);
}

}  // namespace falconer::browser
