#include "net/egress/egress_target.h"

#include <algorithm>

#include "base/hex.h"
#include "base/text.h"

namespace falconer::net {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::size_t kMaxHostBytes = 253;
constexpr std::size_t kMaxLabelBytes = 63;

constexpr std::uint16_t kBadPorts[] = {
    0,    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,   23,   25,
    37,   42,   43,   53,   69,   77,   79,   87,   95,   101,  102,  103,  104,  109,
    110,  111,  113,  115,  117,  119,  123,  135,  137,  139,  143,  161,  179,  389,
    427,  465,  512,  513,  514,  515,  526,  530,  531,  532,  540,  548,  554,  556,
    563,  587,  601,  636,  989,  990,  993,  995,  1719, 1720, 1723, 2049, 3659, 4045,
    4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};

std::unexpected<Error> BadTarget(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "request target " + std::string(why));
}

bool IsNameChar(char c) {
  return IsLower(c) || IsDigit(c) || c == '-' || c == '_';
}

// A last label of digits, or of 0x and digits, makes browsers read the whole as an address.
bool LooksNumeric(std::string_view label) {
  if (label.starts_with("0x")) return IsHex(label.substr(2));
  return std::ranges::all_of(label, IsDigit);
}

Result<void> CheckName(std::string_view name) {
  if (name.empty() || name.size() > kMaxHostBytes) return BadTarget("has no host, or a long one");
  while (true) {
    const std::string_view label = name.substr(0, name.find('.'));
    if (label.empty() || label.size() > kMaxLabelBytes || !std::ranges::all_of(label, IsNameChar)) {
      return BadTarget("has a host that is not in canonical form");
    }
    if (label.size() < name.size()) {
      name.remove_prefix(label.size() + 1);
      continue;
    }
    if (LooksNumeric(label)) return BadTarget("has an address that is not in canonical form");
    return {};
  }
}

std::optional<boost::asio::ip::address> LiteralIn(std::string_view host) {
  boost::system::error_code code;
  if (!host.starts_with('[')) {
    auto v4 = boost::asio::ip::make_address_v4(std::string(host), code);
    // The same text again: 010.0.0.1 is not 10.0.0.1 for everybody.
    if (code || v4.to_string() != host) return std::nullopt;
    return v4;
  }
  if (!host.ends_with(']') || host.contains('%')) return std::nullopt;
  auto v6 = boost::asio::ip::make_address_v6(std::string(host.substr(1, host.size() - 2)), code);
  if (code) return std::nullopt;
  return v6;
}

Result<std::uint16_t> ReadPort(std::string_view text) {
  const std::optional<std::uint16_t> port = ParseWhole<std::uint16_t>(text);
  if (!port || *port == 0) return BadTarget("has an invalid port");
  return *port;
}

// "host" or "host:port".
Result<EgressTarget> ReadAuthority(std::string_view authority, std::optional<std::uint16_t> port) {
  EgressTarget target;
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  target.authority = authority;
  target.host = ToLower(authority.substr(0, colon));
  if (colon != authority.npos) {
    TRY_ASSIGN(port, ReadPort(authority.substr(colon + 1)));
  }
  if (!port) return BadTarget("has no port");
  target.port = *port;
  target.literal = LiteralIn(target.host);
  if (target.literal) {
    if (target.literal->is_v6()) target.host = "[" + target.literal->to_string() + "]";
    return target;
  }
  if (target.host.ends_with('.')) target.host.pop_back();
  TRY(CheckName(target.host));
  return target;
}

}  // namespace

Result<EgressTarget> ParseAbsoluteTarget(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  if (!IsSameWord(target.substr(0, kScheme.size()), kScheme)) {
    const bool is_url = target.contains("://");
    return is_url ? Fail(ErrorCode::kUnsupported, "request target has a scheme that is not http")
                  : BadTarget("is not an absolute URL");
  }
  target.remove_prefix(kScheme.size());
  const std::size_t end = std::min(target.find_first_of("/?#"), target.size());
  TRY_ASSIGN(EgressTarget read, ReadAuthority(target.substr(0, end), kHttpPort));
  const std::string_view rest = target.substr(end);
  if (rest.contains('#')) return BadTarget("has a fragment");
  read.path = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  return read;
}

Result<EgressTarget> ParseTunnelTarget(std::string_view target) {
  return ReadAuthority(target, std::nullopt);
}

bool IsBadPort(std::uint16_t port) {
  return std::ranges::binary_search(kBadPorts, port);
}

}  // namespace falconer::net
