#pragma once
// WebPlace: where an address leads, host and port. Domain lists, policies, tokens and secrets all
// read addresses here, so that none of them can mean another host than the others.

#include <cstdint>
#include <optional>
#include <string_view>

#include "policy/host_name.h"

namespace falconer::policy {

struct WebPlace {
  Host host;
  std::uint16_t port = 0;
  bool operator==(const WebPlace&) const = default;
};

// The place of an http, https, ws or wss address. Nothing for other schemes, and nothing for what a
// browser would not open without repairing it first: readers may disagree on where that leads.
std::optional<WebPlace> WebPlaceOf(std::string_view url);

}  // namespace falconer::policy
