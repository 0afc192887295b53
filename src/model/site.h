#pragma once
// Sites: hosts that browsers take for one party, as the list of public suffixes tells them apart.
// Hosts are as browsers write them: lower case, addresses in canonical form, IPv6 in brackets.

#include <string_view>

namespace falconer::model {

// The part of a host that somebody registered: "shop.co.uk" of "www.shop.co.uk". The whole host
// where there is none: an address, a public suffix, a name without a dot.
std::string_view SiteOf(std::string_view host);

bool AreOfOneSite(std::string_view a, std::string_view b);

}  // namespace falconer::model
