#pragma once
// Headers and body of a request that the browser has stopped, as its event tells them. Nothing else
// is asked: while a navigation is stopped the browser does not answer questions about it.

#include "browser/network/request_rule.h"
#include "cdp/protocol.h"

namespace falconer::browser {

// Fills in headers, body, body_gaps and is_body_whole.
void AddContent(const cdp::PausedRequest& request, RequestFacts& facts);

}  // namespace falconer::browser
