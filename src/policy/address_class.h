#pragma once
// AddressClass: whether an address that stands in a URL's host is one on the public internet. Hosts
// are read as Chromium reads them: 0x7f.1, 2130706433 and 0177.0.0.1 all are 127.0.0.1.
// IpNetwork: the addresses that begin alike.

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
  kMetadata,  // answered by the machine's own cloud: its keys, its configuration
  kCarrierNat,
  kMulticast,
  kBroadcast,
  kDocumentation,
  kBenchmark,
  kReserved,
};

inline constexpr EnumName<AddressClass> kAddressClasses[] = {
    {AddressClass::kPublic, "public"},          {AddressClass::kUnspecified, "unspecified"},
    {AddressClass::kLoopback, "loopback"},      {AddressClass::kPrivate, "private"},
    {AddressClass::kLinkLocal, "link_local"},   {AddressClass::kMetadata, "metadata"},
    {AddressClass::kCarrierNat, "carrier_nat"}, {AddressClass::kMulticast, "multicast"},
    {AddressClass::kBroadcast, "broadcast"},    {AddressClass::kDocumentation, "documentation"},
    {AddressClass::kBenchmark, "benchmark"},    {AddressClass::kReserved, "reserved"},
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

// What an IPv6 address that stands for an IPv4 address and nothing else (IPv4-mapped, NAT64) stands
// for; every other address as it is. Rules compare this: a connection to either ends at the same
// host.
IpAddress Unwrapped(const IpAddress& address);

// What an address is; one that stands for another is what that is. Those that reach an IPv4 host by
// way of a relay (6to4, Teredo, ISATAP) are reserved: nobody serves pages there, and where they
// lead is not theirs to say.
AddressClass ClassOf(const IpAddress& address);

// Names that never lead to the public internet, and neither does what is below them (RFC 6761,
// 6762, 8375, 9476 and common use). A name without a dot does not either.
struct PrivateName {
  std::string_view suffix;
  AddressClass kind;
};

inline constexpr PrivateName kPrivateNames[] = {
    {"localhost", AddressClass::kLoopback}, {"localdomain", AddressClass::kLoopback},
    {"local", AddressClass::kPrivate},      {"internal", AddressClass::kPrivate},
    {"home.arpa", AddressClass::kPrivate},  {"alt", AddressClass::kReserved},
};

// What a name says about where it leads: all names but those are public until they are resolved.
AddressClass ClassOfName(std::string_view name);

// The addresses whose first bits are those of `start`.
struct IpNetwork {
  IpAddress start;
  int bits = 0;
  bool operator==(const IpNetwork&) const = default;

  bool Contains(const IpAddress& address) const;
  bool Contains(const IpNetwork& other) const;
  // "10.0.0.0/8", "[fd00::]/8".
  std::string ToText() const;
};

// The form of ToText(). Fails with kInvalidArgument for what is no network: addresses with bits
// below the prefix, prefixes of less than seven bits.
Result<IpNetwork> ParseNetwork(std::string_view text);

}  // namespace falconer::policy
