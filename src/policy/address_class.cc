#include "policy/address_class.h"

#include <algorithm>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <span>
#include <vector>

#include "base/text.h"

namespace falconer::policy {
namespace {

using enum AddressClass;
using Family = IpAddress::Family;

struct Network {
  std::array<std::uint8_t, 16> prefix;
  int bits;
  AddressClass kind;
};

// The registries of special-purpose addresses, most specific first. What is not here is public.
constexpr Network kV4Networks[] = {
    {{0, 0, 0, 0}, 32, kUnspecified},
    {{255, 255, 255, 255}, 32, kBroadcast},
    {{169, 254, 169, 254}, 32, kMetadata},
    {{169, 254, 170, 2}, 32, kMetadata},
    {{169, 254, 170, 23}, 32, kMetadata},
    {{168, 63, 129, 16}, 32, kMetadata},  // in the public range
    {{100, 100, 100, 200}, 32, kMetadata},
    {{192, 0, 0, 192}, 32, kMetadata},
    // Anycast for name servers and relays; nobody serves pages there.
    {{192, 31, 196, 0}, 24, kReserved},
    {{192, 52, 193, 0}, 24, kReserved},
    {{192, 175, 48, 0}, 24, kReserved},
    {{192, 0, 0, 0}, 24, kReserved},
    {{192, 0, 2, 0}, 24, kDocumentation},
    {{192, 88, 99, 0}, 24, kReserved},
    {{198, 51, 100, 0}, 24, kDocumentation},
    {{203, 0, 113, 0}, 24, kDocumentation},
    {{169, 254, 0, 0}, 16, kLinkLocal},
    {{192, 168, 0, 0}, 16, kPrivate},
    {{198, 18, 0, 0}, 15, kBenchmark},
    {{172, 16, 0, 0}, 12, kPrivate},
    {{100, 64, 0, 0}, 10, kCarrierNat},
    {{0, 0, 0, 0}, 8, kReserved},
    {{10, 0, 0, 0}, 8, kPrivate},
    {{127, 0, 0, 0}, 8, kLoopback},
    {{224, 0, 0, 0}, 4, kMulticast},
    {{240, 0, 0, 0}, 4, kReserved},
};

// Only 2000::/3 was ever given out as public; everything else is reserved at best.
constexpr Network kV6Networks[] = {
    {{}, 128, kUnspecified},
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, kLoopback},
    {{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa9, 0xfe, 0xa9, 0xfe}, 128, kMetadata},
    {{0xfd, 0x00, 0x00, 0x42, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x42}, 128, kMetadata},
    {{0xfd, 0x00, 0x0e, 0xc2}, 32, kMetadata},
    {{0xfd, 0x20, 0x00, 0xce}, 32, kMetadata},
    {{0x20, 0x01, 0, 0x02, 0, 0}, 48, kBenchmark},
    {{0x20, 0x01, 0x0d, 0xb8}, 32, kDocumentation},
    {{0x26, 0x20, 0, 0x4f, 0x80, 0}, 48, kReserved},
    {{0x20, 0x01, 0, 0}, 23, kReserved},
    {{0x3f, 0xff, 0}, 20, kDocumentation},
    {{0x5f, 0x00}, 16, kReserved},
    {{0x20, 0x02}, 16, kReserved},  // 6to4
    {{0xfe, 0x80}, 10, kLinkLocal},
    {{0xfe, 0xc0}, 10, kPrivate},
    {{0xff}, 8, kMulticast},
    {{0xfc}, 7, kPrivate},
    {{0x20}, 3, kPublic},
    {{}, 0, kReserved},
};

// IPv6 addresses that stand for the IPv4 address in their last four bytes: IPv4-mapped and NAT64.
// Not here, as they are never public: IPv4-compatible (::/96), IPv4-translated (::ffff:0:0/96) and
// the local-use NAT64 prefix (64:ff9b:1::/48).
constexpr int kWrapperBits = 96;
constexpr std::array<std::uint8_t, 12> kWrappers[] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff},
    {0, 0x64, 0xff, 0x9b},
};
constexpr std::size_t kInnerAt = 12;

// ISATAP, below any prefix: a router of that site unpacks it.
constexpr std::size_t kInterfaceAt = 8;
constexpr std::array<std::uint8_t, 4> kIsatap[] = {{0x00, 0x00, 0x5e, 0xfe},
                                                   {0x02, 0x00, 0x5e, 0xfe}};

constexpr int kFewestBits = 7;

bool HasPrefix(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> prefix,
               int bits) {
  const auto whole = static_cast<std::size_t>(bits / 8);
  if (!std::equal(prefix.begin(), prefix.begin() + bits / 8, bytes.begin())) return false;
  const int rest = bits % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<unsigned>(0xff00 >> rest) & 0xffU;
  return (bytes[whole] & mask) == (prefix[whole] & mask);
}

AddressClass LookUp(std::span<const Network> networks, const IpAddress& address,
                    AddressClass otherwise) {
  for (const Network& network : networks) {
    if (HasPrefix(address.bytes, network.prefix, network.bits)) return network.kind;
  }
  return otherwise;
}

// One part of an IPv4 host: decimal, octal with a leading 0, hexadecimal with 0x. "0x" is zero.
std::optional<std::uint64_t> ParsePart(std::string_view text) {
  if (text.empty()) return std::nullopt;
  unsigned base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit >= base) return std::nullopt;
    // Beyond 32 bits it is too large whatever follows.
    value = std::min<std::uint64_t>(value * base + digit, std::uint64_t{1} << 40);
  }
  return value;
}

std::vector<std::string_view> SplitDots(std::string_view host) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = host.find('.');
    parts.push_back(host.substr(0, dot));
    if (dot == host.npos) return parts;
    host.remove_prefix(dot + 1);
  }
}

// A host whose last part is a number is an IPv4 address or invalid (WHATWG URL, "ends in a
// number").
bool EndsInNumber(std::string_view last) {
  return !last.empty() && (std::ranges::all_of(last, IsDigit) || ParsePart(last));
}

std::unexpected<Error> NotAnAddress(std::string_view host) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("host {} is not a valid address", host));
}

Result<std::optional<IpAddress>> ParseV4(std::string_view host) {
  std::string_view name = host;
  if (name.ends_with('.')) name.remove_suffix(1);
  const std::vector<std::string_view> parts = SplitDots(name);
  if (!EndsInNumber(parts.back())) return std::nullopt;
  if (parts.size() > 4) return NotAnAddress(host);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::optional<std::uint64_t> part = ParsePart(parts[i]);
    // The last part fills all the bytes that are left.
    const std::size_t bytes = i + 1 == parts.size() ? 5 - parts.size() : 1;
    if (!part || *part >= std::uint64_t{1} << (8 * bytes)) return NotAnAddress(host);
    value = value << (8 * bytes) | *part;
  }
  IpAddress address;
  for (std::size_t i = 0; i < 4; ++i) {
    address.bytes[i] = static_cast<std::uint8_t>(value >> (8 * (3 - i)));
  }
  return address;
}

Result<std::optional<IpAddress>> ParseV6(std::string_view host) {
  if (!host.ends_with(']')) return NotAnAddress(host);
  const std::string inside(host.substr(1, host.size() - 2));
  IpAddress address{.family = Family::kV6};
  if (::inet_pton(AF_INET6, inside.c_str(), address.bytes.data()) != 1) return NotAnAddress(host);
  return address;
}

bool IsIsatap(const IpAddress& address) {
  const auto interface = std::span(address.bytes).subspan(kInterfaceAt);
  return std::ranges::any_of(
      kIsatap, [&](const auto& mark) { return std::ranges::equal(interface.first(4), mark); });
}

std::size_t SizeOf(Family family) {
  return family == Family::kV4 ? 4 : 16;
}

std::string TextInUrl(const IpAddress& address) {
  const std::string text = address.ToText();
  return address.family == Family::kV6 ? "[" + text + "]" : text;
}

std::unexpected<Error> NotANetwork(std::string_view text, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("network {} {}", text, why));
}

// Whether the bits below the prefix are all zero.
bool IsStart(const IpNetwork& network) {
  for (int bit = network.bits; bit < static_cast<int>(8 * SizeOf(network.start.family)); ++bit) {
    const auto byte = static_cast<unsigned>(network.start.bytes[static_cast<std::size_t>(bit / 8)]);
    if ((byte >> (7 - bit % 8) & 1U) != 0) return false;
  }
  return true;
}

// A network of addresses that stand for others is a network of those.
IpNetwork UnwrappedNetwork(const IpNetwork& network) {
  const IpAddress inner = Unwrapped(network.start);
  if (inner == network.start || network.bits < kWrapperBits) return network;
  return {.start = inner, .bits = network.bits - kWrapperBits};
}

bool IsUnder(std::string_view name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return false;
  return name.size() == suffix.size() || name[name.size() - suffix.size() - 1] == '.';
}

}  // namespace

std::string IpAddress::ToText() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int kind = family == Family::kV4 ? AF_INET : AF_INET6;
  ::inet_ntop(kind, bytes.data(), text.data(), text.size());
  return text.data();
}

Result<std::optional<IpAddress>> LiteralAddress(std::string_view host) {
  if (host.empty() || host.contains('\0')) return NotAnAddress(host);
  const std::string lower = ToLower(host);
  return lower.starts_with('[') ? ParseV6(lower) : ParseV4(lower);
}

IpAddress Unwrapped(const IpAddress& address) {
  if (address.family == Family::kV4) return address;
  for (const auto& wrapper : kWrappers) {
    if (!HasPrefix(address.bytes, wrapper, kWrapperBits)) continue;
    IpAddress inner;
    std::copy_n(address.bytes.begin() + kInnerAt, 4, inner.bytes.begin());
    return inner;
  }
  return address;
}

AddressClass ClassOf(const IpAddress& address) {
  const IpAddress meant = Unwrapped(address);
  if (meant.family == Family::kV4) return LookUp(kV4Networks, meant, kPublic);
  return IsIsatap(meant) ? kReserved : LookUp(kV6Networks, meant, kReserved);
}

AddressClass ClassOfName(std::string_view name) {
  std::string lower = ToLower(name);
  if (lower.ends_with('.')) lower.pop_back();
  for (const PrivateName& row : kPrivateNames) {
    if (IsUnder(lower, row.suffix)) return row.kind;
  }
  // A name without a dot is completed by the resolver of the network we happen to be in.
  return lower.contains('.') ? kPublic : kPrivate;
}

bool IpNetwork::Contains(const IpAddress& address) const {
  return address.family == start.family && HasPrefix(address.bytes, start.bytes, bits);
}

bool IpNetwork::Contains(const IpNetwork& other) const {
  return other.bits >= bits && Contains(other.start);
}

std::string IpNetwork::ToText() const {
  return fmt::format("{}/{}", TextInUrl(start), bits);
}

Result<IpNetwork> ParseNetwork(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return NotANetwork(text, "has no /");
  TRY_ASSIGN(const std::optional<IpAddress> start, LiteralAddress(text.substr(0, slash)));
  if (!start) return NotANetwork(text, "does not begin with an address");
  const std::string_view digits = text.substr(slash + 1);
  const bool is_number = std::ranges::all_of(digits, IsDigit);
  const std::optional<int> bits = is_number ? ParseWhole<int>(digits) : std::nullopt;
  const int most = static_cast<int>(8 * SizeOf(start->family));
  if (!bits || *bits > most) {
    return NotANetwork(text, fmt::format("needs a prefix of at most {} bits", most));
  }
  const IpNetwork network = UnwrappedNetwork({.start = *start, .bits = *bits});
  // Shorter ones would name half of the internet, and everything inside along with it.
  if (network.bits < kFewestBits) {
    return NotANetwork(text, fmt::format("needs a prefix of at least {} bits", kFewestBits));
  }
  if (!IsStart(network)) return NotANetwork(text, "has bits below its prefix");
  return network;
}

}  // namespace falconer::policy
