#pragma once
// Permissions: what pages of a session may use without asking. There is nobody to ask: whatever is
// not granted is denied, at once and in so many words.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdp/session.h"

namespace falconer::browser {

// Every permission the browser knows, by the names of the Permissions API.
std::span<const std::string_view> AllPermissions();

// Grants and denies for a whole browser context, without waiting. kInvalidArgument names a
// permission that does not exist; nothing is sent then.
Result<void> SendPermissions(cdp::Session& root, const std::string& context_id,
                             const std::vector<std::string>& granted);

}  // namespace falconer::browser
