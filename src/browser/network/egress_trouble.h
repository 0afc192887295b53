#pragma once
// What the egress proxy's book says about requests of a session, in the driver's words: refusals as
// evidence, and the true cause of a page that did not come.

#include <optional>
#include <string>
#include <vector>

#include "browser/session.h"
#include "model/egress.h"
#include "model/evidence.h"

namespace falconer::browser {

// Where the book of the session stands; empty without an egress proxy.
model::EgressMark EgressMarkOf(const Session& session);

// What was refused since the mark.
std::vector<model::RefusedEvidence> EgressRefusals(const Session& session,
                                                   const model::EgressMark& since);

// Why a page at `url` did not come, or came with `status` from the proxy instead of the host:
// kSecurityDomainBlock, kBudgetExceeded or kNavigationFailed with a net_error.
std::optional<Error> EgressTroubleAt(const Session& session, const model::EgressMark& since,
                                     const std::string& url, std::optional<int> status);

}  // namespace falconer::browser
