#pragma once
// AddressClass: whether an address that stands in a URL's host is one on the public internet. Hosts
// are read as Chromium reads them: 0x7f.1, 2130706433 and 0177.0.0.1 all are 127.0.0.1.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::policy {

enum class AddressClass : std::uint8_t {
  kPublic,
  kUnspecified,
  kLoopback,
  kPrivate,
  kLinkLocal,
  kCarrierNat,
  kMulticast,
  kBroadcast,
  kDocumentation,
  kBenchmark,
  kReserved,
};

inline constexpr EnumName<AddressClass> kAddressClasses[] = {
    {AddressClass::kPublic, "public"},
    {AddressClass::kUnspecified, "unspecified"},
    {AddressClass::kLoopback, "loopback"},
    {AddressClass::kPrivate, "private"},
    {AddressClass::kLinkLocal, "link_local"},
    {AddressClass::kCarrierNat, "carrier_nat"},
    {AddressClass::kMulticast, "multicast"},
    {AddressClass::kBroadcast, "broadcast"},
    {AddressClass::kDocumentation, "documentation"},
    {AddressClass::kBenchmark, "benchmark"},
    {AddressClass::kReserved, "reserved"},
};

// An IPv4 or IPv6 address, in network order; IPv4 uses the first four bytes.
struct IpAddress {
  enum class Family : std::uint8_t { kV4, kV6 };
  Family family = Family::kV4;
  std::array<std::uint8_t, 16> bytes{};
  bool operator==(const IpAddress&) const = default;

  // "127.0.0.1", "::1": the canonical text, without brackets.
  std::string ToText() const;
};

// The address a host stands for, nothing when the host is a name. IPv6 stands in brackets. Fails
// with kInvalidArgument when the host must be an address but is none ("1.2.3.256", "[::g]").
Result<std::optional<IpAddress>> LiteralAddress(std::string_view host);

// What an address is. Those that only wrap an IPv4 address (mapped, NAT64, 6to4, Teredo) are what
// they wrap; one that may lead to an IPv4 address as well (ISATAP) is public only if both are.
AddressClass ClassOf(const IpAddress& address);

// What a name says about where it leads: localhost and names kept for private networks are not
// public, all others are until they are resolved.
AddressClass ClassOfName(std::string_view name);

}  // namespace falconer::policy
