#pragma once
// Addresses as the model needs them: split into parts, and checked for what an action may open.
// Deciding whether a host may be visited is not done here.

#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::model {

inline constexpr std::size_t kMaxUrlLength = 8192;  // in bytes
inline constexpr std::string_view kBlankUrl = "about:blank";

struct UrlParts {
  std::string scheme;  // lower case, without the colon
  std::string host;    // lower case; an IPv6 address keeps its brackets
  std::string port;    // "" when not given
  std::string path;    // with its leading slash; what follows the colon when there is no "//"
};

// Splits without judging; a text without a scheme has only a path. Drops user names, queries and
// fragments.
UrlParts SplitUrl(std::string_view url);

// An address an action may open: http or https with a host, or about:blank. Forms that browsers
// repair in ways that are easy to misread (spaces, backslashes, missing slashes, user names) are
// refused with kInvalidArgument.
Result<void> CheckWebUrl(std::string_view url);

}  // namespace falconer::model
