#pragma once
// The settings of the server, as its parts take them.

#include <memory>
#include <string>
#include <string_view>

#include "api/http/front_desk.h"
#include "base/settings/settings.h"
#include "net/tls_identity.h"

namespace falconer::app {

// Null for plain HTTP. kInvalidSetting, naming the file or the setting that lacks.
Result<std::shared_ptr<net::TlsIdentity>> ServeTlsFrom(const Settings& settings);

// kInvalidSetting for what is no address of a server.
Result<api::ProtectedResource> ServeResourceFrom(const Settings& settings);

api::FrontDeskRules ServeRulesFrom(const Settings& settings, api::ProtectedResource resource);

// "http", or "https" with a certificate.
std::string_view ServeScheme(const Settings& settings);

// As it stands in a URL: an IPv6 address in brackets.
std::string HostOf(std::string_view address);

// Whether only this machine can reach the address.
bool IsLoopback(std::string_view address);

}  // namespace falconer::app
