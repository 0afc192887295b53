#include "policy/host_pattern.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"

namespace falconer::policy {
namespace {

constexpr int kMaxPort = 65535;

std::unexpected<Error> Refuse(std::string_view text, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("host pattern \"{}\": {}", text, why));
}

// Where the ':' before the port is; a colon inside brackets belongs to the address.
std::size_t PortColon(std::string_view text) {
  const std::size_t bracket = text.rfind(']');
  return text.find(':', bracket == text.npos ? 0 : bracket);
}

}  // namespace

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  if (!std::ranges::all_of(text, IsDigit)) return std::nullopt;
  const std::optional<int> port = ParseWhole<int>(text);
  if (!port || *port < 1 || *port > kMaxPort) return std::nullopt;
  return static_cast<std::uint16_t>(*port);
}

Result<HostPattern> HostPattern::Parse(std::string_view text) {
  std::string_view name = text;
  std::optional<std::uint16_t> port;
  if (const std::size_t colon = PortColon(name); colon != name.npos) {
    port = ParsePort(name.substr(colon + 1));
    if (!port) return Refuse(text, "has an invalid port");
    name = name.substr(0, colon);
  }
  if (name == "*") return HostPattern(std::string(text), Kind::kAll, port);
  if (name.contains('/')) {
    Result<IpNetwork> network = ParseNetwork(name);
    if (!network) return Refuse(text, network.error().message());
    HostPattern pattern(std::string(text), Kind::kNetwork, port);
    pattern.network_ = *network;
    return pattern;
  }
  const bool is_below = name.starts_with("*.");
  if (is_below) name.remove_prefix(2);
  if (name.contains('*')) return Refuse(text, "may have one star, as its first label");
  Result<Host> host = ParseHost(name);
  if (!host) return Refuse(text, host.error().message());
  if (is_below && host->address) return Refuse(text, "an address has nothing below it");
  HostPattern pattern(std::string(text), is_below ? Kind::kBelow : Kind::kExact, port);
  pattern.host_ = *std::move(host);
  return pattern;
}

bool HostPattern::Matches(const Host& host, std::uint16_t port) const {
  if (port_ && *port_ != port) return false;
  switch (kind_) {
    case Kind::kAll:
      return true;
    case Kind::kExact:
      return host.text == host_.text;
    case Kind::kBelow:
      return !host.address && host.text.ends_with("." + host_.text);
    case Kind::kNetwork:
      return host.address && network_->Contains(*host.address);
  }
  std::unreachable();
}

bool HostPattern::Names(const Host& host) const {
  if (kind_ == Kind::kExact) return true;
  if (kind_ == Kind::kNetwork) return host.address_class != AddressClass::kMetadata;
  return kind_ == Kind::kBelow && host_.address_class == host.address_class;
}

}  // namespace falconer::policy
