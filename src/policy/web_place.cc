#include "policy/web_place.h"

#include <algorithm>
#include <utility>

#include "model/default_port.h"
#include "model/url.h"
#include "policy/host_pattern.h"

namespace falconer::policy {
namespace {

// Characters that browsers drop or turn into others before they read a URL.
bool IsRepaired(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

// A backslash is a slash, but for queries and fragments: pages keep what they like there.
bool NeedsRepair(std::string_view rest) {
  return rest.substr(0, rest.find_first_of("?#")).contains('\\') ||
         std::ranges::any_of(rest, IsRepaired);
}

}  // namespace

std::optional<WebPlace> WebPlaceOf(std::string_view url) {
  const model::UrlParts parts = model::SplitUrl(url);
  const std::uint16_t usual = model::DefaultPort(parts.scheme);
  if (usual == 0) return std::nullopt;
  const std::string_view rest = url.substr(parts.scheme.size());
  if (!rest.starts_with("://") || NeedsRepair(rest)) return std::nullopt;
  Result<Host> host = ParseHost(parts.host);
  const std::optional<std::uint16_t> port = parts.port.empty() ? usual : ParsePort(parts.port);
  if (!host || !port) return std::nullopt;
  return WebPlace{*std::move(host), *port};
}

}  // namespace falconer::policy
