#include "policy/tokens/pattern_overlap.h"

#include <algorithm>
#include <optional>
#include <string>

namespace falconer::policy {
namespace {

struct SplitPattern {
  bool is_all = false;
  bool is_below = false;
  Host host;
  std::optional<IpNetwork> network;  // then there is no host
  std::string port;                  // "" for any
};

// `pattern` was parsed once, so its parts are known to be sound.
SplitPattern SplitOf(const HostPattern& pattern) {
  const std::string_view text = pattern.text();
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == text.npos ? 0 : bracket);
  std::string_view name = text.substr(0, colon);
  SplitPattern out;
  if (colon != text.npos) out.port = text.substr(colon + 1);
  out.is_all = name == "*";
  out.network = pattern.network();
  out.is_below = name.starts_with("*.");
  if (out.is_below) name.remove_prefix(2);
  if (!out.is_all && !out.network) out.host = ParseHost(name).value_or(Host{});
  return out;
}

bool IsBelow(const Host& host, const Host& above) {
  return !host.address && host.text.ends_with("." + above.text);
}

// The class of the hosts that it allows: "com" alone is a local name, what is below it is not.
AddressClass ClassOf(const SplitPattern& pattern) {
  if (!pattern.is_below) return pattern.host.address_class;
  const Result<Host> below = ParseHost("x." + pattern.host.text);
  return below ? below->address_class : pattern.host.address_class;
}

// A network has addresses of all kinds: that "*" allows them cannot be told.
bool CoversNetwork(const SplitPattern& outer, const IpNetwork& inner) {
  return outer.network && outer.network->Contains(inner);
}

// Whether every host that `inner` allows is one that `outer` allows; ports aside.
bool Covers(const SplitPattern& outer, const SplitPattern& inner) {
  if (outer.is_all && inner.is_all) return true;
  if (inner.is_all) return false;
  if (inner.network) return CoversNetwork(outer, *inner.network);
  if (outer.network) {
    const bool is_metadata = inner.host.address_class == AddressClass::kMetadata;
    return inner.host.address && !is_metadata && outer.network->Contains(*inner.host.address);
  }
  const AddressClass inner_class = ClassOf(inner);
  const bool is_public = inner_class == AddressClass::kPublic;
  if (outer.is_all) return is_public;
  if (!outer.is_below) return !inner.is_below && inner.host.text == outer.host.text;
  const bool is_within =
      IsBelow(inner.host, outer.host) || (inner.is_below && inner.host.text == outer.host.text);
  return is_within && (is_public || inner_class == outer.host.address_class);
}

std::string TextOfPattern(const SplitPattern& pattern, const std::string& port) {
  std::string text = pattern.is_all    ? "*"
                     : pattern.network ? pattern.network->ToText()
                                       : (pattern.is_below ? "*." : "") + pattern.host.text;
  return port.empty() ? text : text + ":" + port;
}

std::optional<std::string> OverlapText(const SplitPattern& one, const SplitPattern& other) {
  if (!one.port.empty() && !other.port.empty() && one.port != other.port) return std::nullopt;
  const std::string& port = one.port.empty() ? other.port : one.port;
  if (Covers(one, other)) return TextOfPattern(other, port);
  if (Covers(other, one)) return TextOfPattern(one, port);
  return std::nullopt;
}

}  // namespace

std::vector<HostPattern> OverlapOf(std::span<const HostPattern> one,
                                   std::span<const HostPattern> other) {
  std::vector<HostPattern> out;
  for (const HostPattern& first : one) {
    const SplitPattern left = SplitOf(first);
    for (const HostPattern& second : other) {
      const std::optional<std::string> text = OverlapText(left, SplitOf(second));
      if (!text || std::ranges::find(out, *text, &HostPattern::text) != out.end()) continue;
      Result<HostPattern> pattern = HostPattern::Parse(*text);
      if (pattern) out.push_back(*std::move(pattern));
    }
  }
  return out;
}

}  // namespace falconer::policy
