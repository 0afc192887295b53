#pragma once
// Addresses as crawls compare them: two that mean the same page are the same text.

#include <string>
#include <string_view>

namespace falconer::agent {

// Scheme and host in lower case, no default port, no fragment, escapes in upper case, parameters
// that only count visitors (utm_*, gclid, ...) dropped and the others in order.
std::string NormalizedUrl(std::string_view url);

// "https://example.com:8443", as the normalized form has it.
std::string OriginOf(std::string_view url);
// "example.com:8443".
std::string HostAndPortOf(std::string_view url);
// What robots.txt speaks of: "/shop?page=2", "/" at least; without the fragment.
std::string PathAndQueryOf(std::string_view url);

}  // namespace falconer::agent
