#include "browser/tabs/picture.h"

#include <utility>

#include "base/base64.h"
#include "browser/frames/page_script.h"

namespace falconer::browser {
namespace {

constexpr std::string_view kNoFrame = "Unable to capture screenshot";
constexpr int kMostTries = 20;

bool IsPassing(const Error& error) {
  return error.message().contains(kNoFrame) || error.code() == ErrorCode::kTargetDetached;
}

}  // namespace

Task<Result<std::string>> TakePicture(CallContext ctx, std::shared_ptr<Tab> tab,
                                      cdp::PageCaptureScreenshot how) {
  for (int tries = 1;; ++tries) {
    const auto picture = co_await tab->session()->Send(ctx, how);
    if (picture) co_return DecodeBase64(picture->data);
    const bool may_go_on = IsPassing(picture.error()) && tab->session()->is_open();
    if (!may_go_on || tries == kMostTries) co_return std::unexpected(picture.error());
    CO_TRY(co_await CallScript(ctx, ScriptCall::Into(tab->frames().main()), "next_frame", {}));
  }
}

}  // namespace falconer::browser
