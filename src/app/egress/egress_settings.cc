#include "app/egress/egress_settings.h"

#include "model/url.h"
#include "net/egress/server_address.h"
#include "policy/host_name.h"

namespace falconer::app {
namespace {

Error BadEgressSetting(std::string_view key, std::string_view why) {
  return {ErrorCode::kInvalidSetting, std::string(key) + ": " + std::string(why)};
}

Result<net::UpstreamProxy> UpstreamFrom(const Settings& settings) {
  auto proxy = net::ParseUpstreamProxy(settings.proxy.server);
  if (!proxy) {
    return Fail(BadEgressSetting(
        "proxy.server", proxy.error().message() +
                            "; other kinds work with egress.enabled=false, without the egress "
                            "proxy's protection"));
  }
  using enum net::UpstreamProxy::Names;
  proxy->names =
      settings.egress.resolve == EgressResolveSetting::kUpstream ? kResolvedThere : kResolvedHere;
  return proxy;
}

bool IsThisMachine(const std::string& url) {
  const auto host = policy::ParseHost(model::SplitUrl(url).host);
  return host && host->address_class == policy::AddressClass::kLoopback;
}

}  // namespace

Result<EgressConfig> EgressConfigFrom(const Settings& settings) {
  EgressConfig config;
  for (const std::string& text : settings.egress.dns) {
    auto server = net::ParseNameServer(text);
    if (!server) return Fail(BadEgressSetting("egress.dns", server.error().message()));
    config.name_servers.push_back(*server);
  }
  if (!settings.proxy.server.empty()) {
    TRY_ASSIGN(config.upstream, UpstreamFrom(settings));
  } else if (settings.egress.resolve == EgressResolveSetting::kUpstream) {
    return Fail(BadEgressSetting("egress.resolve", "upstream needs a proxy.server"));
  }
  const std::string& attached = settings.browser.attach_url;
  if (!attached.empty() && !IsThisMachine(attached)) {
    return Fail(BadEgressSetting("browser.attach_url",
                                 "a browser on another machine cannot reach the egress proxy here; "
                                 "egress.enabled=false does without it"));
  }
  config.dns_cache = settings.egress.dns_cache;
  config.limits.max_bytes_up = static_cast<std::uint64_t>(settings.egress.max_bytes_up);
  config.limits.max_bytes_down = static_cast<std::uint64_t>(settings.egress.max_bytes_down);
  return config;
}

}  // namespace falconer::app
