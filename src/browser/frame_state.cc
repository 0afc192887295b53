#include "browser/frame_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace falconer::browser {
namespace {

// The answers come from our own script: a field that is missing has its default.
class Answer {
 public:
  explicit Answer(const json::value& value) : object_(value.is_object() ? &value.get_object() : nullptr) {}
  explicit Answer(const json::object& object) : object_(&object) {}

  const json::value* Find(std::string_view key) const { return object_ == nullptr ? nullptr : object_->if_contains(key); }
  std::string Text(std::string_view key) const {
    const json::value* value = Find(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
  }
  bool Flag(std::string_view key, bool otherwise = false) const {
    const json::value* value = Find(key);
    return value != nullptr && value->is_bool() ? value->get_bool() : otherwise;
  }
  std::optional<bool> MaybeFlag(std::string_view key) const {
    const json::value* value = Find(key);
    return value != nullptr && value->is_bool() ? std::optional(value->get_bool()) : std::nullopt;
  }
  double Number(std::string_view key) const {
    const json::value* value = Find(key);
    return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
  }
  std::size_t Count(std::string_view key) const { return static_cast<std::size_t>(std::max(0.0, Number(key))); }
  Answer Object(std::string_view key) const {
    const json::value* value = Find(key);
    return value == nullptr ? Answer(json::value()) : Answer(*value);
  }
  const json::array& List(std::string_view key) const {
    static const json::array kNone;
    const json::value* value = Find(key);
    return value != nullptr && value->is_array() ? value->get_array() : kNone;
  }
  std::vector<std::string> Texts(std::string_view key) const {
    std::vector<std::string> texts;
    for (const json::value& item : List(key)) {
      if (item.is_string()) texts.emplace_back(item.get_string());
    }
    return texts;
  }

 private:
  const json::object* object_;
};

std::optional<model::Toggle> ToggleOf(const Answer& from, std::string_view key) {
  const json::value* value = from.Find(key);
  if (value == nullptr) return std::nullopt;
  if (*value == "mixed") return model::Toggle::kMixed;
  if (!value->is_bool()) return std::nullopt;
  return value->get_bool() ? model::Toggle::kOn : model::Toggle::kOff;
}

constexpr EnumName<model::TextKind> kTextKinds[] = {
    {model::TextKind::kText, "text"},     {model::TextKind::kHeading, "heading"}, {model::TextKind::kCell, "cell"},
    {model::TextKind::kLabel, "label"},   {model::TextKind::kAlert, "alert"},     {model::TextKind::kStatus, "status"},
    {model::TextKind::kList, "list"},
};

constexpr EnumName<model::PagePhase> kPagePhases[] = {
    {model::PagePhase::kLoading, "loading"},
    {model::PagePhase::kInteractive, "interactive"},
    {model::PagePhase::kComplete, "complete"},
};

double Rounded(double share) {
  return std::round(share * 10'000) / 10'000;
}

// From shares of the frame's viewport to shares of the tab's.
std::array<double, 4> PlaceInTab(const json::array& bbox, const FrameReading& reading, const model::ViewportState& tab) {
  std::array<double, 4> place{};
  for (std::size_t i = 0; i < place.size() && i < bbox.size(); ++i) place[i] = bbox[i].to_number<double>();
  if (reading.frame->is_main()) return place;
  if (!reading.place || tab.width == 0 || tab.height == 0) return {};
  const model::Rect box = reading.place->Apply(model::Rect{place[0], place[1], place[2], place[3]});
  return {Rounded(box.x / tab.width), Rounded(box.y / tab.height), Rounded(box.width / tab.width), Rounded(box.height / tab.height)};
}

void ReadStates(const Answer& from, model::ElementState& to) {
  to.enabled = from.Flag("enabled", true);
  to.in_viewport = from.Flag("in_viewport");
  to.focused = from.Flag("focused");
  to.required = from.Flag("required");
  to.readonly = from.Flag("readonly");
  to.invalid = from.Flag("invalid");
  to.checked = ToggleOf(from, "checked");
  to.pressed = ToggleOf(from, "pressed");
  to.selected = from.MaybeFlag("selected");
  to.expanded = from.MaybeFlag("expanded");
  if (from.Find("level") != nullptr) to.level = static_cast<int>(from.Number("level"));
  to.in_overlay = from.Flag("in_overlay");
  to.obscured = from.Flag("obscured");
}

void ReadContent(const Answer& from, model::ElementState& to) {
  to.secret = from.Flag("secret");
  to.filled = from.Flag("filled");
  to.value_hint = from.Text("value_hint");
  to.placeholder = from.Text("placeholder");
  for (const json::value& option : from.List("options")) {
    to.options.push_back({.label = Answer(option).Text("label"), .selected = Answer(option).Flag("selected")});
  }
  to.options_total = from.Count("options_total");
  to.href = from.Text("href");
  to.description = from.Text("description");
  to.form = from.Text("form");
  to.group = from.Text("group");
}

model::ElementState ReadElement(const Answer& from, const FrameReading& reading, const model::StructuredState& state) {
  model::ElementState element{.ref = from.Text("ref"),
                              .fid = reading.frame->is_main() ? "" : reading.frame->fid,
                              .role = from.Text("role"),
                              .name = from.Text("name"),
                              .tag = from.Text("tag"),
                              .type = from.Text("type")};
  ReadStates(from, element);
  ReadContent(from, element);
  element.in_viewport = element.in_viewport && reading.is_in_view;
  element.bbox = PlaceInTab(from.List("bbox"), reading, state.viewport);
  return element;
}

void AddBudget(const Answer& counts, std::string_view section, std::size_t taken, model::SectionBudget& budget) {
  const std::size_t total = counts.Count(std::string(section) + "_total");
  budget.total += total;
  budget.omitted += total - std::min(total, taken);
}

void JoinTexts(const Answer& answer, const std::string& fid, model::StructuredState& state) {
  for (const json::value& item : answer.List("texts")) {
    const Answer from(item);
    state.texts.push_back({.ref = from.Text("ref"),
                           .fid = fid,
                           .kind = ValueIn(kTextKinds, from.Text("kind")).value_or(model::TextKind::kText),
                           .level = from.Count("level"),
                           .text = from.Text("text")});
  }
}

void JoinForms(const Answer& answer, const std::string& fid, model::StructuredState& state) {
  for (const json::value& item : answer.List("forms")) {
    const Answer from(item);
    state.forms.push_back({.ref = from.Text("ref"),
                           .fid = fid,
                           .name = from.Text("name"),
                           .fields = from.Texts("fields"),
                           .required_missing = from.Count("required_missing"),
                           .submit = from.Text("submit"),
                           .invalid = from.Texts("invalid")});
  }
}

void JoinErrors(const Answer& answer, const std::string& fid, model::StructuredState& state) {
  for (const json::value& item : answer.List("errors")) {
    const Answer from(item);
    state.errors.push_back({.ref = from.Text("ref"),
                            .fid = fid,
                            .kind = from.Text("kind") == "field" ? model::ErrorKind::kField : model::ErrorKind::kBanner,
                            .text = from.Text("text"),
                            .field = from.Text("field")});
  }
}

}  // namespace

void TakePage(const json::object& page, model::StructuredState& state) {
  const Answer answer(page);
  state.url = answer.Text("url");
  state.title = answer.Text("title");
  state.phase = ValueIn(kPagePhases, answer.Text("phase")).value_or(model::PagePhase::kLoading);
  state.focus = answer.Text("focus");
  const Answer scroll = answer.Object("scroll");
  state.scroll = {scroll.Number("x"), scroll.Number("y"), scroll.Number("max_x"), scroll.Number("max_y")};
  const Answer viewport = answer.Object("viewport");
  state.viewport = {static_cast<int>(viewport.Number("width")), static_cast<int>(viewport.Number("height"))};
}

void JoinReading(const FrameReading& reading, std::size_t most_elements, model::StructuredState& state) {
  const Answer answer(*reading.answer);
  const std::string fid = reading.frame->is_main() ? "" : reading.frame->fid;
  const Answer counts = answer.Object("counts");
  std::size_t taken = 0;
  for (const json::value& item : answer.List("elements")) {
    if (taken == most_elements) break;
    state.elements.push_back(ReadElement(Answer(item), reading, state));
    ++taken;
  }
  JoinTexts(answer, fid, state);
  JoinForms(answer, fid, state);
  JoinErrors(answer, fid, state);
  AddBudget(counts, "elements", taken, state.budget.elements);
  AddBudget(counts, "texts", answer.List("texts").size(), state.budget.texts);
  AddBudget(counts, "forms", answer.List("forms").size(), state.budget.forms);
  AddBudget(counts, "errors", answer.List("errors").size(), state.budget.errors);
  if (state.focus.empty()) state.focus = answer.Text("focus");
  state.frames.push_back({.fid = reading.frame->fid,
                          .parent_fid = reading.frame->is_main() ? "" : reading.frame->parent->fid,
                          .origin = answer.Text("url"),
                          .title = answer.Text("title"),
                          .visible = reading.is_in_view,
                          .interactive_count = counts.Count("elements_total")});
}

}  // namespace falconer::browser
