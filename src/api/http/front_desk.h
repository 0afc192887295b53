#pragma once
// FrontDesk: what every request passes before a route answers it: the name it was sent to, the page
// it comes from, its key, the role of that. On the server's event loop.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/http/access_keys.h"
#include "api/http/protected_resource.h"
#include "api/http/router.h"

namespace falconer::api {

struct FrontDeskRules {
  // Names and addresses that the server is called by, without a port. A page of another name that
  // leads here (DNS rebinding) is refused.
  std::vector<std::string> hosts;
  // Pages of other servers that may ask, as "https://console.example"; those of the server itself
  // may always.
  std::vector<std::string> origins = {};
  // Wrong keys of one address in a minute; further ones are told to wait.
  std::size_t wrong_keys = 20;
  // What who has no key is told about getting a token.
  ProtectedResource resource = {};
};

class FrontDesk {
 public:
  // The clock must outlive the desk.
  FrontDesk(Clock& clock, AccessKeys keys, Router router, FrontDeskRules rules);

  // Whatever goes wrong is a problem document.
  Task<net::HttpResponse> Answer(CallContext ctx, net::HttpRequest request);

  const Router& router() const { return router_; }

 private:
  // Wrong keys that came from one address, since when.
  struct Attempts {
    TimePoint since;
    std::size_t count = 0;
  };

  Task<Result<net::HttpResponse>> Serve(CallContext ctx, net::HttpRequest request);
  Result<void> CheckHost(const net::HttpRequest& request) const;
  Result<void> CheckOrigin(const net::HttpRequest& request) const;
  Result<HttpClient> CheckClient(const net::HttpRequest& request, const Router::Found& found);
  Result<HttpClient> CheckKey(const net::HttpRequest& request);
  // kUnauthorized, or kTooManyAttempts.
  Error WrongKey(const std::string& address);

  Clock& clock_;
  AccessKeys keys_;
  Router router_;
  FrontDeskRules rules_;
  std::map<std::string, Attempts> attempts_;
};

}  // namespace falconer::api
