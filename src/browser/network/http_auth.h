#pragma once
// HttpAuth: answers servers and the session's proxy that ask for a name and password, each with the
// session's credentials for it. Each request is answered once: who asks again has refused them.

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "browser/session_options.h"
#include "cdp/session.h"

namespace falconer::browser {

class HttpAuth {
 public:
  // `options` must outlive this. Without credentials in them it does nothing.
  explicit HttpAuth(const SessionOptions& options) : options_(options) {}
  HttpAuth(const HttpAuth&) = delete;
  HttpAuth& operator=(const HttpAuth&) = delete;

  // Whether the session has credentials for anybody.
  bool is_needed() const { return options_.http_credentials || options_.proxy_credentials; }
  // Answers the challenges of one target. The browser tells of them only for requests that it also
  // stops: RequestGate has it do so, and lets them go on.
  void Follow(const std::shared_ptr<cdp::Session>& session);
  void Unfollow(const cdp::Session& session) { following_.erase(&session); }

 private:
  void Answer(cdp::Session& session, const cdp::FetchAuthRequired& event);
  cdp::AuthChallengeResponse ResponseTo(const cdp::FetchAuthRequired& event) const;

  const SessionOptions& options_;
  // Requests that were given credentials, by session, who asked, and id: each target counts for
  // itself, and a request may meet a proxy and then a server.
  // Forgotten when there are too many.
  std::unordered_set<std::string> answered_;
  std::unordered_map<const cdp::Session*, Subscription> following_;
};

}  // namespace falconer::browser
