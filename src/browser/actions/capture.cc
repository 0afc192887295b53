// Pictures and PDFs of pages.

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/base64.h"
#include "browser/actions/actions.h"
#include "browser/context/artifact_folder.h"
#include "browser/tabs/picture.h"
#include "browser/tabs/secret_mask.h"

namespace falconer::browser {
namespace {

// What Chromium can draw in one piece.
constexpr double kLongestSide = 16384;
constexpr int kPdfChunk = 1024 * 1024;
constexpr int kMostPdfChunks = 256;

cdp::Clip ToClip(const model::Rect& rect, double scale) {
  return {.x = rect.x,
          .y = rect.y,
          .width = std::min(rect.width, kLongestSide),
          .height = std::min(rect.height, kLongestSide),
          .scale = scale};
}

// A box of the script's answer, moved from the viewport to the page.
model::Rect OnPage(const json::object& answer, const cdp::LayoutViewport& viewport) {
  const json::object& rect = answer.at("rect").get_object();
  const auto number = [&](std::string_view key) { return rect.at(key).to_number<double>(); };
  return {number("x") + static_cast<double>(viewport.page_x),
          number("y") + static_cast<double>(viewport.page_y), number("width"), number("height")};
}

// The part of the page to capture; nothing for the viewport as it is.
Task<Result<std::optional<model::Rect>>> Area(CallContext ctx, ActionRun* run) {
  const auto spec = run->spec().screenshot.value_or(model::ScreenshotSpec());
  if (spec.clip) co_return spec.clip;
  if (!spec.full_page && !run->spec().target) co_return std::nullopt;
  if (run->spec().target) {
    CO_TRY_ASSIGN(auto target, co_await run->BindTarget(ctx));
    if (!target.place.frame->is_main()) {
      co_return Fail(ErrorCode::kUnsupported,
                     "only elements of the main frame can be captured alone");
    }
    CO_TRY(co_await run->CallOnTarget(ctx, target, "scroll", {{"to", "into_view"}}));
    CO_TRY_ASSIGN(const auto answer, co_await run->CallOnTarget(ctx, target, "rect", {}));
    CO_TRY_ASSIGN(const auto metrics, co_await run->page().Send(ctx, cdp::PageGetLayoutMetrics{}));
    const model::Rect rect = OnPage(answer, metrics.css_layout_viewport);
    if (rect.width < 1 || rect.height < 1)
      co_return Fail(ErrorCode::kElementNotVisible, "the element has no area");
    co_return rect;
  }
  CO_TRY_ASSIGN(const auto metrics, co_await run->page().Send(ctx, cdp::PageGetLayoutMetrics{}));
  co_return model::Rect{0, 0, metrics.css_content_size.width, metrics.css_content_size.height};
}

// The part of the page that is in view.
Task<Result<model::Rect>> ViewOnPage(CallContext ctx, ActionRun* run) {
  CO_TRY_ASSIGN(const auto metrics, co_await run->page().Send(ctx, cdp::PageGetLayoutMetrics{}));
  const auto& view = metrics.css_layout_viewport;
  const Viewport& viewport = run->tab()->viewport();
  co_return model::Rect{static_cast<double>(view.page_x), static_cast<double>(view.page_y),
                        static_cast<double>(viewport.width), static_cast<double>(viewport.height)};
}

// At most as wide as is asked for, and never larger than can be drawn.
double FittingScale(const model::ScreenshotSpec& spec, const model::Rect& area) {
  double scale = spec.scale;
  if (spec.max_width) scale = std::min(scale, *spec.max_width / std::max(area.width, 1.0));
  const double longest = std::min(std::max({area.width, area.height, 1.0}), kLongestSide);
  return std::min(scale, kLongestSide / longest);
}

// The part of the page that the picture shows, so that a place in it can be found on the page.
json::object Shown(const model::Rect& area, double scale) {
  return {{"x", area.x},
          {"y", area.y},
          {"width", std::min(area.width, kLongestSide)},
          {"height", std::min(area.height, kLongestSide)},
          {"scale", scale}};
}

// As the spec says it; a picture with a limit shows a part of the page that is known beforehand.
Task<Result<void>> Place(CallContext ctx, ActionRun* run, cdp::PageCaptureScreenshot* capture) {
  const auto spec = run->spec().screenshot.value_or(model::ScreenshotSpec());
  CO_TRY_ASSIGN(auto area, co_await Area(ctx, run));
  // Pictures are in CSS pixels, however dense the screen: a place in them is a place on the page.
  const double density = run->tab()->viewport().scale;
  capture->capture_beyond_viewport = area.has_value() ? std::optional(true) : std::nullopt;
  if (!area && (spec.max_width || spec.scale != density)) {
    CO_TRY_ASSIGN(area, co_await ViewOnPage(ctx, run));
  }
  if (!area) co_return Result<void>();
  const double scale = spec.max_width ? FittingScale(spec, *area) : spec.scale;
  capture->clip = ToClip(*area, scale / density);
  if (spec.max_width) run->outcome().extracted = Shown(*area, scale);
  co_return Result<void>();
}

Task<Result<std::string>> ReadStream(CallContext ctx, ActionRun* run, std::string handle) {
  std::string bytes;
  for (int i = 0; i < kMostPdfChunks; ++i) {
    CO_TRY_ASSIGN(const auto chunk,
                  co_await run->page().Send(ctx, cdp::IORead{.handle = handle, .size = kPdfChunk}));
    if (chunk.base64_encoded.value_or(false)) {
      CO_TRY_ASSIGN(const auto decoded, DecodeBase64(chunk.data));
      bytes += decoded;
    } else {
      bytes += chunk.data;
    }
    if (!chunk.eof) continue;
    run->page().Post(cdp::IOClose{.handle = handle});
    co_return bytes;
  }
  run->page().Post(cdp::IOClose{.handle = handle});
  co_return Fail(ErrorCode::kQuotaArtifactBytes, "the PDF is too large");
}

}  // namespace

ActionResult Screenshot(CallContext ctx, ActionRun* run) {
  const auto spec = run->spec().screenshot.value_or(model::ScreenshotSpec());
  const std::string format(NameIn(model::kImageFormats, spec.format));
  cdp::PageCaptureScreenshot capture{.format = format,
                                     .optimize_for_speed = spec.format == model::ImageFormat::kPng};
  if (spec.quality) capture.quality = *spec.quality;
  CO_TRY(co_await Place(ctx, run, &capture));
  CO_TRY_ASSIGN(const auto bytes, co_await TakePicture(ctx, run->tab(), capture));
  CO_TRY_ASSIGN(run->outcome().artifact,
                ArtifactFolder(run->session().options().artifacts)
                    .Save(bytes, spec.format == model::ImageFormat::kJpeg ? "jpg" : format,
                          "image/" + format));
  run->EndPhase(model::Phase::kRead);
  co_return Result<void>();
}

ActionResult PrintToPdf(CallContext ctx, ActionRun* run) {
  const auto spec = run->spec().pdf.value_or(model::PdfSpec());
  SecretCover cover(run->tab());
  CO_TRY(co_await cover.Begin(ctx));
  CO_TRY_ASSIGN(
      const auto printed,
      co_await run->SendToTab(ctx, cdp::PagePrintToPDF{.landscape = spec.landscape,
                                                       .print_background = spec.print_background,
                                                       .scale = spec.scale,
                                                       .prefer_css_page_size = true,
                                                       .transfer_mode = "ReturnAsStream"}));
  CO_TRY_ASSIGN(const auto bytes, co_await ReadStream(ctx, run, printed.stream.value_or("")));
  CO_TRY_ASSIGN(
      run->outcome().artifact,
      ArtifactFolder(run->session().options().artifacts).Save(bytes, "pdf", "application/pdf"));
  run->EndPhase(model::Phase::kRead);
  co_return Result<void>();
}

}  // namespace falconer::browser
