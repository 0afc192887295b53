#pragma once
// ClaimFolder: says that a demo uses a folder. The claim is a lock that ends with the process, so
// that what a killed demo left there can be told from what a running one is using.

#include <filesystem>

#include "base/unique_fd.h"

namespace falconer::app {

// Claims the folder until the answer is destroyed; several demos may. The first of them removes the
// half-received downloads that demos which were killed left there; those of other users stay.
// A folder that cannot be locked is used without a claim, and nothing in it is removed.
UniqueFd ClaimFolder(const std::filesystem::path& folder);

}  // namespace falconer::app
