#pragma once
// Page text may hold half a character (a lone UTF-16 surrogate). The browser passes it on as an
// escape that is not valid JSON; without repair the whole message would be lost.

#include <string>
#include <string_view>

namespace falconer::cdp {

// `text` with every lone surrogate escape (\ud800 to \udfff without its other half) replaced by the
// escape of U+FFFD, the replacement character. Everything else is kept byte for byte.
std::string WithoutLoneSurrogates(std::string_view text);

}  // namespace falconer::cdp
