#pragma once
// What a session pretends to be, sent to its targets one by one: the browser passes none of it on
// from a page to the frames and workers that live in processes of their own.

#include "browser/session_options.h"
#include "cdp/session.h"

namespace falconer::browser {

enum class EmulatedTarget { kPage, kFrame, kWorker };

// Sends everything but the viewport, without waiting; the target must not run before.
void SendEmulation(cdp::Session& session, const SessionOptions& options, EmulatedTarget target);

// Only a page has a viewport to set; its frames follow it.
void SendViewport(cdp::Session& page, const Viewport& viewport);

}  // namespace falconer::browser
