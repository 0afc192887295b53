#pragma once
// What a decision about a request is bound to: the digest of everything that is known of it.

#include <string>

#include "browser/network/request_rule.h"

namespace falconer::browser {

// 64 lower-case hex digits: SHA-256 over
//   "falconer-request-1" LF
//   field(method) field(url)
//   number(count of headers), and of each header field(name in lower case) field(value), sorted by
//     name and then by value, byte for byte
//   field(body) number(count of body_gaps) number(each gap)
// where number(n) is n in decimal digits followed by LF, and field(x) is number(length of x in
// bytes) followed by x and LF. Every part says how long it is: no two requests share a form.
// What a missing part of the body holds is not covered; that there is one, and where, is.
std::string RequestDigest(const RequestFacts& facts);

}  // namespace falconer::browser
