#pragma once
// Attaching to a browser that runs already, by the address of its debugging port.

#include <memory>
#include <string>

#include "browser/browser.h"

namespace falconer::app {

// The WebSocket address behind `url`: itself for ws://host:port/devtools/browser/..., or what
// http://host:port/json/version names. Fails with kInvalidArgument (no such address), kUnsupported
// (https, wss), kNetworkError (nobody there), kProtocolError (it is no browser).
Task<Result<std::string>> FindDebuggerUrl(CallContext ctx, std::string url);

// Attaches to the browser there. It is left running when we go; our sessions in it end.
Task<Result<std::unique_ptr<browser::Browser>>> AttachToBrowser(CallContext ctx, std::string url,
                                                                browser::Browser::Limits limits);

}  // namespace falconer::app
