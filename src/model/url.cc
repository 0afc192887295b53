#include "model/url.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::model {
namespace {

constexpr int kMaxPort = 65535;

std::unexpected<Error> RefuseUrl(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("url {}", why));
}

bool IsSchemeChar(char c) {
  return IsLetterOrDigit(c) || c == '+' || c == '-' || c == '.';
}

// Where the scheme's colon is, npos when the text starts with no scheme.
std::size_t SchemeEnd(std::string_view url) {
  if (url.empty() || !IsLetter(url[0])) return url.npos;
  const std::size_t colon = url.find(':');
  const bool is_scheme = std::ranges::all_of(url.substr(0, colon), IsSchemeChar);
  return is_scheme ? colon : url.npos;
}

// "host:port" with the brackets of an IPv6 address respected.
void SplitHost(std::string_view authority, UrlParts& parts) {
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  const std::size_t colon = bracket == authority.npos ? bracket : authority.find(':', bracket);
  parts.host = ToLower(authority.substr(0, colon));
  if (colon != authority.npos) parts.port = authority.substr(colon + 1);
}

std::string_view AuthorityOf(std::string_view url) {
  const std::size_t start = url.find("://") + 3;
  return url.substr(start, url.find_first_of("/?#", start) - start);
}

bool IsPort(std::string_view port) {
  const std::optional<int> number = ParseWhole<int>(port);
  return number && *number >= 0 && *number <= kMaxPort;
}

bool IsHost(std::string_view host) {
  if (host.starts_with('[')) {
    const std::string_view inside = host.substr(1, host.size() - 2);
    return host.ends_with(']') && host.size() > 2 &&
           inside.find_first_not_of("0123456789abcdef:.") == inside.npos;
  }
  return !host.empty() && host.find_first_of("<>^|\"%[]{}`") == host.npos;
}

}  // namespace

UrlParts SplitUrl(std::string_view url) {
  UrlParts parts;
  url = url.substr(0, url.find_first_of("?#"));
  if (const std::size_t colon = SchemeEnd(url); colon != url.npos) {
    parts.scheme = ToLower(url.substr(0, colon));
    url.remove_prefix(colon + 1);
  }
  if (url.starts_with("//")) {
    url.remove_prefix(2);
    const std::size_t path = std::min(url.find('/'), url.size());
    std::string_view authority = url.substr(0, path);
    if (const std::size_t at = authority.rfind('@'); at != authority.npos) {
      authority.remove_prefix(at + 1);
    }
    SplitHost(authority, parts);
    url.remove_prefix(path);
  }
  parts.path = url;
  return parts;
}

Result<void> CheckWebUrl(std::string_view url) {
  if (url == kBlankUrl) return {};
  if (url.size() > kMaxUrlLength) {
    return RefuseUrl(fmt::format("is longer than {} bytes", kMaxUrlLength));
  }
  if (!IsValidUtf8(url)) return RefuseUrl("is not UTF-8");
  if (HasControl(url) || std::ranges::any_of(url, IsSpace) || url.contains('\\')) {
    return RefuseUrl("has a space, a control character or a backslash");
  }
  const UrlParts parts = SplitUrl(url);
  if (parts.scheme != "http" && parts.scheme != "https") {
    return RefuseUrl("must start with http:// or https://, or be about:blank");
  }
  if (!url.substr(parts.scheme.size()).starts_with("://")) return RefuseUrl("needs // and a host");
  // A password in an address would end up in logs and the ledger.
  if (AuthorityOf(url).contains('@')) return RefuseUrl("must not carry a user name or password");
  if (!IsHost(parts.host)) return RefuseUrl("needs a valid host");
  if (!parts.port.empty() && !IsPort(parts.port)) return RefuseUrl("has an invalid port");
  return {};
}

}  // namespace falconer::model
