#include "browser/stream/secret_trail.h"

#include <utility>

#include "browser/tabs/bitmap.h"

namespace falconer::browser {
namespace {

// From when something is drawn until the browser takes a picture of it.
constexpr auto kTrailTime = std::chrono::seconds(2);
// What is known of the past; a picture that is older is of no use anyway.
constexpr auto kMemory = std::chrono::seconds(30);
// A page that does not answer for this long is not shown meanwhile.
constexpr auto kAnswerTime = std::chrono::seconds(10);
// A picture is smaller than the window: its pixels hold something of their neighbours.
constexpr double kBlur = 3;

model::Rect Widened(const model::Rect& rect) {
  return {rect.x - kBlur, rect.y - kBlur, rect.width + 2 * kBlur, rect.height + 2 * kBlur};
}

}  // namespace

SecretTrail::~SecretTrail() {
  if (mask_) mask_->GiveUp();
}

Task<Result<void>> SecretTrail::Begin(CallContext ctx) {
  ctx = ctx.WithTimeout(kAnswerTime);
  stretches_.clear();
  if (mask_) mask_->GiveUp();
  mask_.emplace(tab_, Following::kStream);
  CO_TRY(co_await mask_->Begin(ctx));
  CO_TRY(co_await Redrawn(ctx));
  begun_ = ctx.clock().Now();
  co_return Result<void>();
}

Task<Result<void>> SecretTrail::Redrawn(CallContext ctx) {
  CO_TRY(co_await CallScript(ctx.WithTimeout(kAnswerTime), mask_->page(), "redrawn", {}));
  co_return Result<void>();
}

Task<Result<SecretAreas>> SecretTrail::Roll(CallContext ctx, SecretMask* next) {
  CO_TRY(co_await next->Begin(ctx));
  CO_TRY_ASSIGN(SecretAreas areas, co_await mask_->End(ctx));
  if (next->page().document != mask_->page().document)
    co_return Fail(ErrorCode::kContextDestroyed, "the page has navigated away");
  if (!co_await mask_->SawEveryFrame(std::move(ctx)))
    co_return Fail(ErrorCode::kContextDestroyed, "a frame came that nobody has looked at");
  co_return areas;
}

Task<Result<CoverPlan>> SecretTrail::Cover(CallContext ctx, Duration age) {
  const TimePoint taken = ctx.clock().Now() - age;
  if (taken < begun_ || age > kMemory - kTrailTime)
    co_return Fail(ErrorCode::kTimeout, "the picture is older than what is known of the page");
  ctx = ctx.WithTimeout(kAnswerTime);
  SecretMask next(tab_, Following::kStream);
  auto areas = co_await Roll(ctx, &next);
  if (!areas) {
    next.GiveUp();
    co_return std::unexpected(areas.error());
  }
  mask_.emplace(std::move(next));
  const TimePoint now = ctx.clock().Now();
  stretches_.push_back({.ended = now, .areas = *std::move(areas)});
  while (now - stretches_.front().ended > kMemory) stretches_.pop_front();
  co_return PlanSince(taken - kTrailTime);
}

CoverPlan SecretTrail::PlanSince(TimePoint drawn) {
  const SecretAreas& newest = stretches_.back().areas;
  CoverPlan plan{.areas = {}, .view_width = newest.view_width, .view_height = newest.view_height};
  std::size_t counted = 0;
  for (const Stretch& stretch : stretches_) {
    if (stretch.ended < drawn) continue;
    ++counted;
    for (const model::Rect& rect : stretch.areas.in_view) plan.areas.push_back(Widened(rect));
  }
  is_fading_ = counted > 1 && !plan.areas.empty();
  return plan;
}

Result<std::string> CoverPicture(const std::string& jpeg, const CoverPlan& plan, int quality) {
  TRY_ASSIGN(Bitmap picture, Bitmap::Decode(jpeg, model::ImageFormat::kJpeg));
  CoverAreas(picture, plan.areas, {0, 0, plan.view_width, plan.view_height});
  return picture.Encode(model::ImageFormat::kJpeg, quality);
}

}  // namespace falconer::browser
