#include "browser/context/emulation.h"

#include <string_view>
#include <utility>
#include <vector>

namespace falconer::browser {
namespace {

// Registration is refused in the page; requests are kept away from workers in the network stack.
constexpr std::string_view kNoServiceWorkers =
    "if (navigator.serviceWorker) navigator.serviceWorker.register = () => "
    "Promise.reject(new DOMException('Service workers are switched off', 'SecurityError'));";

void SendIdentity(cdp::Session& session, const SessionOptions& options) {
  if (options.user_agent || options.locale) {
    session.Post(cdp::EmulationSetUserAgentOverride{.user_agent = options.user_agent.value_or(""),
                                                    .accept_language = options.locale});
  }
  if (options.extra_headers.empty()) return;
  json::object headers;
  for (const auto& [name, value] : options.extra_headers) headers[name] = std::string_view(value);
  session.Post(cdp::NetworkSetExtraHTTPHeaders{.headers = std::move(headers)});
}

void SendSurroundings(cdp::Session& session, const SessionOptions& options) {
  session.Post(cdp::EmulationSetFocusEmulationEnabled{.enabled = true});
  if (options.locale) session.Post(cdp::EmulationSetLocaleOverride{.locale = options.locale});
  if (options.timezone)
    session.Post(cdp::EmulationSetTimezoneOverride{.timezone_id = *options.timezone});
  if (const auto& place = options.geolocation) {
    session.Post(cdp::EmulationSetGeolocationOverride{
        .latitude = place->latitude, .longitude = place->longitude, .accuracy = place->accuracy});
  }
  std::vector<cdp::MediaFeature> features;
  if (options.color_scheme) features.push_back({"prefers-color-scheme", *options.color_scheme});
  if (options.reduced_motion)
    features.push_back({"prefers-reduced-motion", *options.reduced_motion});
  if (!features.empty()) session.Post(cdp::EmulationSetEmulatedMedia{.features = features});
}

void SendScripts(cdp::Session& session, const SessionOptions& options) {
  if (options.scripts == PageScripts::kOff)
    session.Post(cdp::EmulationSetScriptExecutionDisabled{.value = true});
  if (options.service_workers == ServiceWorkers::kBlock) {
    session.Post(
        cdp::PageAddScriptToEvaluateOnNewDocument{.source = std::string(kNoServiceWorkers)});
    session.Post(cdp::NetworkSetBypassServiceWorker{.bypass = true});
  }
  for (const std::string& source : options.init_scripts) {
    session.Post(
        cdp::PageAddScriptToEvaluateOnNewDocument{.source = source, .run_immediately = true});
  }
}

}  // namespace

void SendEmulation(cdp::Session& session, const SessionOptions& options, EmulatedTarget target) {
  SendIdentity(session, options);
  if (target == EmulatedTarget::kWorker) return;
  SendSurroundings(session, options);
  SendScripts(session, options);
}

void SendViewport(cdp::Session& page, const Viewport& viewport) {
  page.Post(cdp::EmulationSetDeviceMetricsOverride{.width = viewport.width,
                                                   .height = viewport.height,
                                                   .device_scale_factor = viewport.scale,
                                                   .mobile = false});
}

}  // namespace falconer::browser
