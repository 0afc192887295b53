#pragma once
// Pictures of a tab, as bytes.

#include <memory>
#include <string>

#include "browser/tabs/tab.h"

namespace falconer::browser {

// Takes a picture as `how` says, with everything painted over that shows a secret (secret_mask.h).
// The browser cannot while it has no whole frame of the page, for instance just after it was loaded
// or resized: then it is asked again after the next frame. Without knowing where secrets are there
// is no picture.
Task<Result<std::string>> TakePicture(CallContext ctx, std::shared_ptr<Tab> tab,
                                      cdp::PageCaptureScreenshot how);

}  // namespace falconer::browser
