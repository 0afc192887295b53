#include "model/state/projection.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "model/state/state_fields.h"

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

}  // namespace

Result<FrameProjection> FrameProjection::FromJson(const json::value& answer) {
  FrameProjection out;
  Decoded done = ReadAnswer(answer, out);
  if (done) return out;
  return Fail(ErrorCode::kProtocolError, std::move(done).error().At("state").Message());
}

}  // namespace falconer::model
