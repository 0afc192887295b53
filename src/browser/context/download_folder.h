#pragma once
// The folder that downloads are kept in. Who uses it claims it with a lock that ends with the
// process, so that what a killed process left there can be told from what a running one is using.

#include <filesystem>
#include <string_view>

#include "base/unique_fd.h"

namespace falconer::browser {

// How the hidden folders begin that downloads arrive in, one for each session.
constexpr std::string_view kIncomingPrefix = ".incoming_";

// Claims the folder until the answer is destroyed; several processes may. The first of them removes
// the half-received downloads that killed ones left there; those of other users stay. A folder that
// cannot be locked is used without a claim, and nothing in it is removed.
UniqueFd ClaimDownloadFolder(const std::filesystem::path& folder);

}  // namespace falconer::browser
