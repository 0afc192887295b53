#pragma once
// What is missing in the body of a held request: files that the browser reads from the disk only
// while it sends them.

#include <filesystem>
#include <vector>

#include "browser/context/given_files.h"
#include "browser/network/request_rule.h"

namespace falconer::engine {

// The file behind each of the body's gaps, in their order. A gap is known when it is all there is
// of a multipart part whose file the session's own actions gave. kApprovalDenied, reason
// "body_cannot_be_read", for every other (streams, other files): nobody could say what is approved.
Result<std::vector<std::filesystem::path>> FilesInGaps(const browser::RequestFacts& facts,
                                                       const browser::GivenFiles& given);

}  // namespace falconer::engine
