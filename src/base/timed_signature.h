#pragma once
// TimedSignature: what a message that is sent to an address carries, so that its receiver knows who
// sent it, and when.

#include <string>
#include <string_view>

#include "base/async/clock.h"

namespace falconer {

// "t=1700000000,v1=<hex>": HMAC-SHA256 of "<t>.<body>".
std::string TimedSignature(std::string_view key, WallTime now, std::string_view body);

}  // namespace falconer
