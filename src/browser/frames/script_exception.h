#pragma once
// What a script threw, as an error of ours.

#include "base/error.h"
#include "cdp/protocol.h"

namespace falconer::browser {

// kScriptError with the beginning of what the page says.
Error ScriptException(const cdp::ExceptionDetails& details);

}  // namespace falconer::browser
