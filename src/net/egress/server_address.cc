#include "net/egress/server_address.h"

#include <string>

#include <boost/asio/ip/address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "base/text.h"

namespace falconer::net {
namespace {

namespace urls = boost::urls;
using boost::asio::ip::udp;

constexpr std::uint16_t kDnsPort = 53;
constexpr std::string_view kProxyForms = "must be http://host:port, with user:password@ if needed";

std::unexpected<Error> BadServer(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

// 0 when there is none, or none that exists.
std::uint16_t PortOf(const urls::url_view& url) {
  return ParseWhole<std::uint16_t>(url.port()).value_or(0);
}

std::string HostOf(const urls::url_view& url) {
  // Without the brackets of an IPv6 address.
  const auto text = url.host_address();
  return {text.begin(), text.end()};
}

// "192.0.2.1", "[2001:db8::1]" or "2001:db8::1".
boost::asio::ip::address AddressIn(std::string_view text, boost::system::error_code& code) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  return boost::asio::ip::make_address(std::string(text), code);
}

}  // namespace

Result<UpstreamProxy> ParseUpstreamProxy(std::string_view text) {
  const bool has_scheme = text.contains("://");
  const std::string full = has_scheme ? std::string(text) : "http://" + std::string(text);
  const auto parsed = urls::parse_uri(full);
  if (!parsed) return BadServer(std::string(kProxyForms));
  const urls::url_view& url = *parsed;
  if (url.scheme() != "http") {
    return BadServer("a proxy of the kind " + std::string(url.scheme()) +
                     " is not supported here; " + std::string(kProxyForms));
  }
  const bool has_more =
      (!url.encoded_path().empty() && url.encoded_path() != "/") || url.has_query();
  if (url.host().empty() || PortOf(url) == 0 || has_more) {
    return BadServer(std::string(kProxyForms));
  }
  return UpstreamProxy{.host = HostOf(url),
                       .port = PortOf(url),
                       .user = std::string(url.user()),
                       .password = std::string(url.password())};
}

Result<udp::endpoint> ParseNameServer(std::string_view text) {
  boost::system::error_code not_address;
  const auto bare = AddressIn(text, not_address);
  if (!not_address) return udp::endpoint(bare, kDnsPort);
  // What is read points into it.
  const std::string whole = "dns://" + std::string(text);
  const auto url = urls::parse_uri(whole);
  const std::size_t colon = text.rfind(':');
  if (url && PortOf(*url) != 0 && colon != text.npos) {
    boost::system::error_code bad;
    const auto address = AddressIn(text.substr(0, colon), bad);
    if (!bad) return udp::endpoint(address, PortOf(*url));
  }
  return BadServer("\"" + std::string(text) +
                   "\" is not the address of a name server: 192.0.2.1, or 192.0.2.1:5353");
}

}  // namespace falconer::net
