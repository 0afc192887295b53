#include "browser/network/http_auth.h"

#include "browser/context/storage_state.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kMostAnswered = 10'000;

}  // namespace

void HttpAuth::Follow(const std::shared_ptr<cdp::Session>& session) {
  if (!options_.http_credentials) return;
  // The subscriptions live in the session's own lists: a strong reference would keep it for ever.
  cdp::Session* raw = session.get();
  following_[raw] =
      session->On<cdp::FetchAuthRequired>([this, raw](const auto& event) { Answer(*raw, event); });
}

bool HttpAuth::IsForUs(const cdp::FetchAuthRequired& event) const {
  if (event.auth_challenge.source == "Proxy") return false;
  const std::string& origin = options_.http_credentials->origin;
  return origin.empty() || OriginOf(event.auth_challenge.origin) == OriginOf(origin);
}

void HttpAuth::Answer(cdp::Session& session, const cdp::FetchAuthRequired& event) {
  if (answered_.size() >= kMostAnswered) answered_.clear();
  cdp::AuthChallengeResponse response{.response = "CancelAuth"};
  if (IsForUs(event) && answered_.insert(session.id() + ' ' + event.request_id).second) {
    response = {.response = "ProvideCredentials",
                .username = options_.http_credentials->username,
                .password = options_.http_credentials->password};
  }
  session.Post(cdp::FetchContinueWithAuth{.request_id = event.request_id,
                                          .auth_challenge_response = std::move(response)});
}

}  // namespace falconer::browser
