#include "policy/host_pattern.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "model/text.h"

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
  if (!std::ranges::all_of(text, model::IsDigit)) return std::nullopt;
  const std::optional<int> port = model::ParseInt(text);
  if (!port || *port < 1 || *port > kMaxPort) return std::nullopt;
  return static_cast<std::uint16_t>(*port);
}

HostPattern::HostPattern(std::string text, Kind kind, Host host, std::optional<std::uint16_t> port)
    : text_(std::move(text)), kind_(kind), host_(std::move(host)), port_(port) {
}

Result<HostPattern> HostPattern::Parse(std::string_view text) {
  std::string_view name = text;
  std::optional<std::uint16_t> port;
  if (const std::size_t colon = PortColon(name); colon != name.npos) {
    port = ParsePort(name.substr(colon + 1));
    if (!port) return Refuse(text, "has an invalid port");
    name = name.substr(0, colon);
  }
  if (name == "*") return HostPattern(std::string(text), Kind::kAll, {}, port);
  const bool is_below = name.starts_with("*.");
  if (is_below) name.remove_prefix(2);
  if (name.contains('*')) return Refuse(text, "may have one star, as its first label");
  Result<Host> host = ParseHost(name);
  if (!host) return Refuse(text, host.error().message());
  if (is_below && host->address) return Refuse(text, "an address has nothing below it");
  return HostPattern(std::string(text), is_below ? Kind::kBelow : Kind::kExact, *std::move(host),
                     port);
}

bool HostPattern::Matches(const Host& host, std::uint16_t port) const {
  if (port_ && *port_ != port) return false;
  if (kind_ == Kind::kAll) return true;
  if (kind_ == Kind::kExact) return host.text == host_.text;
  return !host.address && host.text.ends_with("." + host_.text);
}

bool HostPattern::Names(const Host& host) const {
  if (kind_ == Kind::kExact) return true;
  return kind_ == Kind::kBelow && host_.address_class == host.address_class;
}

}  // namespace falconer::policy
