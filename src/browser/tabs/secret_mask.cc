#include "browser/tabs/secret_mask.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "browser/frames/frame_geometry.h"

namespace falconer::browser {
namespace {

// A frame that hangs must not hold up the picture; what it shows is covered then.
constexpr auto kMaskTime = std::chrono::seconds(2);
constexpr model::Rect kWholeFrame = {0, 0, 1, 1};

double NumberAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

model::Rect RectOf(const json::object& rect) {
  return {NumberAt(rect, "x"), NumberAt(rect, "y"), NumberAt(rect, "width"),
          NumberAt(rect, "height")};
}

std::vector<model::Rect> RectsAt(const json::object& answer, std::string_view key) {
  std::vector<model::Rect> rects;
  const json::value* list = answer.if_contains(key);
  if (list == nullptr || !list->is_array()) return rects;
  for (const json::value& rect : list->get_array()) rects.push_back(RectOf(rect.as_object()));
  return rects;
}

const json::object& ObjectAt(const json::object& answer, std::string_view key) {
  return answer.at(key).as_object();
}

void Append(std::vector<model::Rect>& all, const std::vector<model::Rect>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// The part of a frame's area that its viewport shows, in shares of it; nothing when it shows none.
std::optional<model::Rect> ShownShare(const model::Rect& rect, double width, double height) {
  const double left = std::clamp(rect.x / width, 0.0, 1.0);
  const double top = std::clamp(rect.y / height, 0.0, 1.0);
  const double right = std::clamp((rect.x + rect.width) / width, 0.0, 1.0);
  const double bottom = std::clamp((rect.y + rect.height) / height, 0.0, 1.0);
  if (right <= left || bottom <= top) return std::nullopt;
  return model::Rect{left, top, right - left, bottom - top};
}

// In the page, wherever that was scrolled to.
model::Rect OnPage(const model::Rect& in_view, const model::Rect& scrolled) {
  return {in_view.x + scrolled.x, in_view.y + scrolled.y, in_view.width + scrolled.width,
          in_view.height + scrolled.height};
}

bool IsBrowsersOwn(const Document& document) {
  return document.url.starts_with("chrome-extension://");
}

}  // namespace

ScriptCall SecretMask::Into(const std::shared_ptr<Frame>& frame) const {
  ScriptCall call = ScriptCall::Into(frame);
  if (following_ == Following::kStream) call.asks = ScriptCall::Asks::kNobody;
  return call;
}

json::object SecretMask::FollowArgs() const {
  return {{"token", std::string_view(token_)},
          {"follow", following_ == Following::kStream ? "stream" : "picture"}};
}

Task<Result<void>> SecretMask::Begin(CallContext ctx) {
  token_ = NewCallId();
  main_ = Into(tab_->frames().main());
  CO_TRY(co_await CallScript(ctx, main_, "watch_secrets", FollowArgs()));
  const CallContext short_time = ctx.WithTimeout(kMaskTime);
  for (const auto& frame : tab_->frames().All()) {
    if (!frame->is_main()) co_await BeginInFrame(short_time, frame);
  }
  co_return Result<void>();
}

// A frame without a box shows nothing, and the browser's own pages (its viewer of PDFs) hold no
// fields of anybody and let nobody in.
Task<void> SecretMask::BeginInFrame(CallContext ctx, std::shared_ptr<Frame> frame) {
  if (IsBrowsersOwn(*frame->document)) co_return;
  const auto place = Into(frame);
  const auto map = co_await MapToTab(ctx, frame);
  if (!map) co_return;
  const auto begun = co_await CallScript(ctx, place, "watch_secrets", FollowArgs());
  frames_.push_back({.place = place, .map = *map, .tells = begun.has_value()});
}

void SecretMask::GiveUp() const {
  const json::object args{{"token", std::string_view(token_)}};
  if (main_.document) PostScript(main_, "secret_places", args);
  for (const Watched& watched : frames_) PostScript(watched.place, "secret_places", args);
}

Task<bool> SecretMask::SawEveryFrame(CallContext ctx) const {
  for (const auto& frame : tab_->frames().All()) {
    if (frame->is_main() || IsBrowsersOwn(*frame->document)) continue;
    const bool is_followed = std::ranges::any_of(
        frames_, [&](const Watched& watched) { return watched.place.frame == frame; });
    if (is_followed) continue;
    const auto map = co_await MapToTab(ctx, frame);
    const bool shows_nothing = !map && (map.error().code() == ErrorCode::kElementNotVisible ||
                                        map.error().code() == ErrorCode::kFrameDetached);
    if (!shows_nothing) co_return false;
  }
  co_return true;
}

Task<Result<SecretAreas>> SecretMask::End(CallContext ctx) {
  CO_TRY_ASSIGN(const auto answer, co_await CallScript(ctx, main_, "secret_places",
                                                       {{"token", std::string_view(token_)}}));
  const json::object& viewport = ObjectAt(answer, "viewport");
  SecretAreas areas{.in_view = RectsAt(answer, "in_view"),
                    .on_page = RectsAt(answer, "on_page"),
                    .view_width = NumberAt(viewport, "width"),
                    .view_height = NumberAt(viewport, "height")};
  const model::Rect scrolled = RectOf(ObjectAt(answer, "scroll"));
  bool has_frames = false;
  const CallContext short_time = ctx.WithTimeout(kMaskTime);
  for (const Watched& watched : frames_) {
    for (const model::Rect& rect : co_await EndInFrame(short_time, watched)) {
      areas.in_view.push_back(rect);
      areas.on_page.push_back(OnPage(rect, scrolled));
      has_frames = true;
    }
  }
  // Where exactly a frame was that moved is not known: wherever it has been is covered.
  if (has_frames) {
    const json::object& moved = ObjectAt(answer, "moved_frames");
    Append(areas.in_view, RectsAt(moved, "in_view"));
    Append(areas.on_page, RectsAt(moved, "on_page"));
  }
  co_return areas;
}

Task<std::vector<model::Rect>> SecretMask::EndInFrame(CallContext ctx, Watched watched) const {
  std::vector<model::Rect> shares = {kWholeFrame};
  if (watched.tells) {
    const auto answer = co_await CallScript(ctx, watched.place, "secret_places",
                                            {{"token", std::string_view(token_)}});
    if (answer) {
      shares.clear();
      const json::object& viewport = ObjectAt(*answer, "viewport");
      const double width = std::max(1.0, NumberAt(viewport, "width"));
      const double height = std::max(1.0, NumberAt(viewport, "height"));
      for (const model::Rect& rect : RectsAt(*answer, "in_view"))
        if (const auto share = ShownShare(rect, width, height)) shares.push_back(*share);
    }
  }
  std::vector<model::Rect> areas;
  if (shares.empty()) co_return areas;
  const auto now = co_await MapToTab(ctx, watched.place.frame);
  for (const model::Rect& share : shares) {
    areas.push_back(watched.map.Apply(share));
    if (now) areas.push_back(now->Apply(share));
  }
  co_return areas;
}

void CoverAreas(Bitmap& picture, std::span<const model::Rect> areas, const model::Rect& captured) {
  if (captured.width <= 0 || captured.height <= 0) return;
  const double across = picture.width() / captured.width;
  const double down = picture.height() / captured.height;
  // Far outside of the picture is as good as outside.
  const auto pixel = [](double value, double most) {
    return static_cast<int>(std::clamp(value, -1.0, most + 1));
  };
  for (const model::Rect& area : areas) {
    const double left = std::floor((area.x - captured.x) * across);
    const double top = std::floor((area.y - captured.y) * down);
    const double right = std::ceil((area.x + area.width - captured.x) * across);
    const double bottom = std::ceil((area.y + area.height - captured.y) * down);
    picture.Cover(pixel(left, picture.width()), pixel(top, picture.height()),
                  pixel(right, picture.width()), pixel(bottom, picture.height()));
  }
}

Task<Result<void>> SecretCover::Begin(CallContext ctx) {
  for (const auto& frame : tab_->frames().All()) {
    if (IsBrowsersOwn(*frame->document)) continue;
    auto place = ScriptCall::Into(frame);
    covered_.push_back(place);
    const auto done = co_await CallScript(ctx, place, "cover_secrets", {});
    if (done || IsDocumentGone(done.error().code())) continue;
    co_return std::unexpected(done.error());
  }
  co_return Result<void>();
}

SecretCover::~SecretCover() {
  for (const ScriptCall& place : covered_) PostScript(place, "uncover_secrets", {});
}

}  // namespace falconer::browser
