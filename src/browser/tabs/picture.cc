#include "browser/tabs/picture.h"

#include <utility>

#include "base/base64.h"
#include "browser/frames/page_script.h"
#include "browser/tabs/secret_mask.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

constexpr std::string_view kNoFrame = "Unable to capture screenshot";
constexpr int kMostTries = 20;
constexpr int kUsualQuality = 80;

bool IsPassing(const Error& error) {
  return error.message().contains(kNoFrame) || error.code() == ErrorCode::kTargetDetached;
}

Task<Result<std::string>> Capture(CallContext ctx, std::shared_ptr<Tab> tab,
                                  cdp::PageCaptureScreenshot how) {
  for (int tries = 1;; ++tries) {
    const auto picture = co_await tab->session()->Send(ctx, how);
    if (picture) co_return DecodeBase64(picture->data);
    const bool may_go_on = IsPassing(picture.error()) && tab->session()->is_open();
    if (!may_go_on || tries == kMostTries) co_return std::unexpected(picture.error());
    CO_TRY(co_await CallScript(ctx, ScriptCall::Into(tab->frames().main()), "next_frame", {}));
  }
}

// What the picture shows, and the secrets in the same measure.
Result<std::string> Covered(const std::string& bytes, const cdp::PageCaptureScreenshot& how,
                            const SecretAreas& areas) {
  const auto format =
      ValueIn(model::kImageFormats, how.format.value_or("png")).value_or(model::ImageFormat::kPng);
  TRY_ASSIGN(Bitmap picture, Bitmap::Decode(bytes, format));
  if (how.clip) {
    CoverAreas(picture, areas.on_page,
               {how.clip->x, how.clip->y, how.clip->width, how.clip->height});
  } else {
    CoverAreas(picture, areas.in_view, {0, 0, areas.view_width, areas.view_height});
  }
  return picture.Encode(format, static_cast<int>(how.quality.value_or(kUsualQuality)));
}

}  // namespace

Task<Result<std::string>> TakePicture(CallContext ctx, std::shared_ptr<Tab> tab,
                                      cdp::PageCaptureScreenshot how) {
  for (int tries = 1;; ++tries) {
    SecretMask mask(tab);
    const auto begun = co_await mask.Begin(ctx);
    if (begun) {
      CO_TRY_ASSIGN(auto bytes, co_await Capture(ctx, tab, how));
      const auto areas = co_await mask.End(ctx);
      if (areas) co_return areas->empty() ? std::move(bytes) : Covered(bytes, how, *areas);
      if (!IsDocumentGone(areas.error().code()) || tries == kMostPages)
        co_return std::unexpected(areas.error());
    } else if (!IsDocumentGone(begun.error().code()) || tries == kMostPages) {
      co_return std::unexpected(begun.error());
    }
    CO_TRY(co_await WaitUntilReplaced(ctx, tab, mask.page()));
  }
}

}  // namespace falconer::browser
