#pragma once
// What the settings say about the egress proxy.

#include <optional>
#include <string>
#include <vector>

#include <boost/asio/ip/udp.hpp>

#include "base/settings/settings.h"
#include "net/egress/egress_options.h"
#include "net/egress/egress_session.h"

namespace falconer::app {

struct EgressConfig {
  // Name servers to ask; none: as the machine is set up.
  std::vector<boost::asio::ip::udp::endpoint> name_servers;
  Duration dns_cache = std::chrono::seconds(30);
  std::optional<net::UpstreamProxy> upstream;
  net::EgressLimits limits;
};

// Fails with kInvalidSetting, naming the setting; also for a browser on another machine, which
// could not reach the proxy.
Result<EgressConfig> EgressConfigFrom(const Settings& settings);

}  // namespace falconer::app
