#include "model/projection.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "model/state_fields.h"

namespace falconer::model {
template <>
struct Fields<Rect> {
  using S = Rect;
  static constexpr auto kAll = std::tuple(Field{"x", &S::x}, Field{"y", &S::y},
                                          Field{"width", &S::width}, Field{"height", &S::height});
};

template <>
struct Fields<FrameSlot> {
  using S = FrameSlot;
  static constexpr auto kAll =
      std::tuple(Field{"index", &S::index}, Field{"handle", &S::handle}, Field{"ref", &S::ref},
                 Field{"rect", &S::rect}, Field{"visible", &S::visible},
                 Field{"in_viewport", &S::in_viewport}, Field{"src_origin", &S::src_origin});
};

template <>
struct Fields<FrameProjection> {
  using S = FrameProjection;
  static constexpr auto kAll =
      std::tuple(Field{"url", &S::url}, Field{"title", &S::title}, Field{"phase", &S::phase},
                 Field{"scroll", &S::scroll}, Field{"viewport", &S::viewport},
                 Field{"focus", &S::focus}, Field{"elements", &S::elements},
                 Field{"texts", &S::texts}, Field{"forms", &S::forms}, Field{"errors", &S::errors},
                 Field{"frames", &S::frames}, Field{"content_hash", &S::content_hash});
};

namespace {

// "elements_total" and the like; "_returned" says nothing that the lists do not.
Decoded ReadCounts(const json::value& in, FrameProjection& out) {
  const json::object* object = in.if_object();
  if (object == nullptr) return WrongType("object", in);
  const auto read = [&](std::string_view key, std::size_t& count) {
    const json::value* value = object->if_contains(key);
    if (value != nullptr) return Decode(*value, count);
    return Decoded(std::unexpected(DecodeFailure{.path = std::string(key), .why = "missing"}));
  };
  Decoded done = read("nodes_visited", out.nodes_visited);
  ForEachField<BudgetState>([&](const auto& field) {
    if (field.name == "frames") return;
    SectionBudget& budget = out.budget.*field.member;
    if (done) done = read(std::string(field.name) + "_total", budget.total);
    if (done) done = read(std::string(field.name) + "_omitted", budget.omitted);
  });
  return done;
}

Decoded ReadAnswer(const json::value& answer, FrameProjection& out) {
  const json::object* object = answer.if_object();
  if (object == nullptr) return WrongType("object", answer);
  for (const json::key_value_pair& member : *object) {
    const bool is_counts = member.key() == "counts";
    Decoded done = is_counts ? ReadCounts(member.value(), out)
                             : DecodeField(out, member.key(), member.value());
    if (done) continue;
    if (!is_counts) return done;
    return std::unexpected(std::move(done).error().At("counts"));
  }
  return {};
}

template <typename T>
void Append(std::vector<T>& all, std::vector<T>&& more, const std::string& fid) {
  for (T& item : more) item.fid = fid;
  std::ranges::move(more, std::back_inserter(all));
}

// Boxes are given to four digits, as the script gives them.
constexpr double kBoxDigits = 10'000;

// From shares of the frame's viewport to shares of the tab's.
void Move(ElementState& element, const ViewportState& from, const ViewportState& to, Point origin) {
  if (to.width <= 0 || to.height <= 0) return;
  auto& [x, y, width, height] = element.bbox;
  x = (x * from.width + origin.x) / to.width;
  y = (y * from.height + origin.y) / to.height;
  width = width * from.width / to.width;
  height = height * from.height / to.height;
  for (double& share : element.bbox) share = std::round(share * kBoxDigits) / kBoxDigits;
  const bool in_tab = x < 1 && y < 1 && x + width > 0 && y + height > 0;
  element.in_viewport = element.in_viewport && in_tab;
}

void Add(BudgetState& sum, const BudgetState& more) {
  ForEachField<BudgetState>([&](const auto& field) {
    (sum.*field.member).total += (more.*field.member).total;
    (sum.*field.member).omitted += (more.*field.member).omitted;
  });
}

}  // namespace

Result<FrameProjection> FrameProjection::FromJson(const json::value& answer) {
  FrameProjection out;
  Decoded done = ReadAnswer(answer, out);
  if (done) return out;
  return Fail(ErrorCode::kProtocolError, std::move(done).error().At("state").Message());
}

StructuredState StateOf(FrameProjection main) {
  StructuredState state;
  state.url = std::move(main.url);
  state.title = std::move(main.title);
  state.phase = main.phase;
  state.focus = std::move(main.focus);
  state.scroll = main.scroll;
  state.viewport = main.viewport;
  state.budget = main.budget;
  state.elements = std::move(main.elements);
  state.texts = std::move(main.texts);
  state.forms = std::move(main.forms);
  state.errors = std::move(main.errors);
  return state;
}

void AppendFrame(StructuredState& state, FrameProjection child, const FramePlace& place) {
  for (ElementState& element : child.elements) {
    Move(element, child.viewport, state.viewport, place.origin);
  }
  if (!child.focus.empty() && state.focus == place.owner_ref) state.focus = std::move(child.focus);
  Add(state.budget, child.budget);
  Append(state.elements, std::move(child.elements), place.fid);
  Append(state.texts, std::move(child.texts), place.fid);
  Append(state.forms, std::move(child.forms), place.fid);
  Append(state.errors, std::move(child.errors), place.fid);
}

}  // namespace falconer::model
