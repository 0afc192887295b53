#pragma once
// Host: the host of a URL in the one form rules are compared in: lower case, A-labels instead of
// Unicode, addresses in canonical text, no dot at the end. An IPv6 address that stands for an IPv4
// address is that address.

#include <optional>
#include <string>
#include <string_view>

#include "policy/address_class.h"

namespace falconer::policy {

struct Host {
  std::string text;                  // "example.com", "127.0.0.1", "[::1]"
  std::optional<IpAddress> address;  // when it is one
  AddressClass address_class = AddressClass::kPublic;
  bool operator==(const Host&) const = default;
};

// Fails with kInvalidArgument for what is no host: empty labels, characters no host has, percent
// escapes, labels IDNA refuses, addresses that are none.
Result<Host> ParseHost(std::string_view text);

// The host that an address is.
Host HostOf(const IpAddress& address);

}  // namespace falconer::policy
