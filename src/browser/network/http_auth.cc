#include "browser/network/http_auth.h"

#include "browser/context/storage_state.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kMostAnswered = 10'000;
constexpr std::string_view kProxy = "Proxy";
constexpr std::string_view kCancelAuth = "CancelAuth";

}  // namespace

void HttpAuth::Follow(const std::shared_ptr<cdp::Session>& session) {
  if (!is_needed()) return;
  // The subscriptions live in the session's own lists: a strong reference would keep it for ever.
  cdp::Session* raw = session.get();
  following_[raw] =
      session->On<cdp::FetchAuthRequired>([this, raw](const auto& event) { Answer(*raw, event); });
}

cdp::AuthChallengeResponse HttpAuth::ResponseTo(const cdp::FetchAuthRequired& event) const {
  const auto provide = [](const auto& credentials) {
    return cdp::AuthChallengeResponse{.response = "ProvideCredentials",
                                      .username = credentials.username,
                                      .password = credentials.password};
  };
  const auto& http = options_.http_credentials;
  const bool is_proxy = event.auth_challenge.source == kProxy;
  if (is_proxy && options_.proxy_credentials) return provide(*options_.proxy_credentials);
  const bool is_for_server =
      !is_proxy && http &&
      (http->origin.empty() || OriginOf(event.auth_challenge.origin) == OriginOf(http->origin));
  if (is_for_server) return provide(*http);
  return {.response = std::string(kCancelAuth)};
}

void HttpAuth::Answer(cdp::Session& session, const cdp::FetchAuthRequired& event) {
  if (answered_.size() >= kMostAnswered) answered_.clear();
  cdp::AuthChallengeResponse response = ResponseTo(event);
  const std::string source = event.auth_challenge.source.value_or("");
  if (response.response != kCancelAuth &&
      !answered_.insert(session.id() + ' ' + source + ' ' + event.request_id).second) {
    response = {.response = std::string(kCancelAuth)};
  }
  session.Post(cdp::FetchContinueWithAuth{.request_id = event.request_id,
                                          .auth_challenge_response = std::move(response)});
}

}  // namespace falconer::browser
