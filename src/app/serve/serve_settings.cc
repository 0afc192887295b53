#include "app/serve/serve_settings.h"

#include <fmt/format.h>
#include <utility>

#include <boost/asio/ip/address.hpp>

#include "model/url.h"

namespace falconer::app {
namespace {

// What a server on this machine is called without anybody saying so.
constexpr std::string_view kLocalNames[] = {"127.0.0.1", "localhost", "[::1]"};

std::unexpected<Error> BadServe(std::string_view setting, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidSetting, fmt::format("{}: {}", setting, why),
                               {{"setting", setting}}));
}

Result<std::string> ServerAddress(std::string_view setting, std::string url) {
  if (url.empty()) return url;
  const std::string scheme = model::SplitUrl(url).scheme;
  const bool is_web = scheme == "https" || scheme == "http";
  if (!is_web || !model::CheckWebUrl(url) || url.find_first_of("?#\"\\ ") != std::string::npos)
    return BadServe(setting, "expected an address such as https://falconer.example");
  return url;
}

}  // namespace

std::string_view ServeScheme(const Settings& settings) {
  return settings.serve.tls_cert.empty() ? "http" : "https";
}

Result<std::shared_ptr<net::TlsIdentity>> ServeTlsFrom(const Settings& settings) {
  const auto& serve = settings.serve;
  if (serve.tls_cert.empty() && serve.tls_key.empty()) return nullptr;
  if (serve.tls_cert.empty()) return BadServe("serve.tls_cert", "is needed with serve.tls_key");
  if (serve.tls_key.empty()) return BadServe("serve.tls_key", "is needed with serve.tls_cert");
  auto identity = net::TlsIdentity::Load({.certificate = serve.tls_cert, .key = serve.tls_key});
  if (!identity) return BadServe("serve.tls_cert, serve.tls_key", identity.error().message());
  return identity;
}

Result<api::ProtectedResource> ServeResourceFrom(const Settings& settings) {
  TRY_ASSIGN(std::string issuer, ServerAddress("serve.auth_issuer", settings.serve.auth_issuer));
  TRY_ASSIGN(std::string own, ServerAddress("serve.public_url", settings.serve.public_url));
  while (own.ends_with('/')) own.pop_back();
  return api::ProtectedResource{
      .issuer = std::move(issuer), .public_url = std::move(own), .scheme = ServeScheme(settings)};
}

api::FrontDeskRules ServeRulesFrom(const Settings& settings, api::ProtectedResource resource) {
  api::FrontDeskRules rules{.hosts = settings.serve.hosts,
                            .origins = settings.serve.origins,
                            .resource = std::move(resource)};
  rules.hosts.insert(rules.hosts.end(), std::begin(kLocalNames), std::end(kLocalNames));
  rules.hosts.push_back(HostOf(settings.serve.address));
  const std::string known = model::SplitUrl(rules.resource.public_url).host;
  if (!known.empty()) rules.hosts.push_back(known);
  return rules;
}

std::string HostOf(std::string_view address) {
  return address.contains(':') ? fmt::format("[{}]", address) : std::string(address);
}

bool IsLoopback(std::string_view address) {
  boost::system::error_code is_none;
  const auto parsed = boost::asio::ip::make_address(address, is_none);
  return !is_none && parsed.is_loopback();
}

}  // namespace falconer::app
