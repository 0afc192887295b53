#include "browser/frames/script_exception.h"

#include <string>

#include "base/utf8.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kLongestException = 300;

}  // namespace

Error ScriptException(const cdp::ExceptionDetails& details) {
  std::string text = details.text;
  if (details.exception && details.exception->description) text = *details.exception->description;
  return {ErrorCode::kScriptError, std::string(Utf8Prefix(text, kLongestException))};
}

}  // namespace falconer::browser
