#include "browser/network/request_backstop.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/log.h"
#include "browser/network/request_content.h"
#include "browser/network/request_digest.h"

namespace falconer::browser {
namespace {

// Of one owner: twice what it may hold at once, so that none of what closes with it is forgotten.
constexpr std::ptrdiff_t kMostGivenUp = 64;
constexpr std::size_t kMostOfAll = 2048;
// Without a pattern the browser would stop everything.
constexpr std::string_view kNothing = "falconer-nothing:*";

// The address as a pattern that matches nothing else.
std::string ExactPattern(std::string_view url) {
  std::string pattern;
  for (const char c : url) {
    if (c == '*' || c == '?' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

RequestBackstop::RequestBackstop(std::shared_ptr<cdp::Session> root) : root_(std::move(root)) {
}

void RequestBackstop::Start() {
  if (std::exchange(is_started_, true)) return;
  paused_ = root_->On<cdp::FetchRequestPaused>([this](const auto& event) { OnPaused(event); });
  SendPatterns();
}

RequestBackstop::Likeness RequestBackstop::LikenessOf(const RequestFacts& facts) {
  return RequestDigest(
      {.method = facts.method, .url = facts.url, .body = facts.body, .body_gaps = facts.body_gaps});
}

RequestBackstop::Likeness RequestBackstop::LikenessOf(const cdp::PausedRequest& request) {
  RequestFacts facts{.method = request.method, .url = request.url};
  AddContent(request, facts);
  return LikenessOf(facts);
}

void RequestBackstop::Guard(const RequestFacts& facts) {
  Guarded& guarded = guarded_[LikenessOf(facts)];
  guarded.url = facts.url;
  ++guarded.held;
  SendPatterns();
}

void RequestBackstop::LetPass(const RequestFacts& facts) {
  const auto place = guarded_.find(LikenessOf(facts));
  if (place == guarded_.end()) return;
  // Told before the request itself is: when nothing else guards the address, it is not stopped.
  ++place->second.passes;
  Drop(place, &Guarded::held);
}

void RequestBackstop::GiveUp(const RequestFacts& facts, const void* owner) {
  const auto place = guarded_.find(LikenessOf(facts));
  if (place == guarded_.end()) return;
  --place->second.held;
  ++place->second.given_up;
  given_up_.push_back({owner, place->first});
  if (std::ranges::count(given_up_, owner, &GivenUp::owner) > kMostGivenUp)
    Forget(std::ranges::find(given_up_, owner, &GivenUp::owner));
  if (given_up_.size() > kMostOfAll) Forget(given_up_.begin());
}

void RequestBackstop::Forget(std::deque<GivenUp>::iterator place) {
  const auto guarded = guarded_.find(place->likeness);
  given_up_.erase(place);
  Drop(guarded, &Guarded::given_up);
}

void RequestBackstop::Drop(std::map<Likeness, Guarded>::iterator place,
                           std::size_t Guarded::* count) {
  --(place->second.*count);
  if (place->second.is_needed()) return;
  guarded_.erase(place);
  SendPatterns();
}

void RequestBackstop::NoteAllowed(const cdp::PausedRequest& request) {
  const auto is_here = [&](const auto& entry) { return entry.second.url == request.url; };
  if (std::ranges::none_of(guarded_, is_here)) return;
  const auto place = guarded_.find(LikenessOf(request));
  if (place != guarded_.end()) ++place->second.passes;
}

void RequestBackstop::OnPaused(const cdp::FetchRequestPaused& event) {
  const auto place = guarded_.find(LikenessOf(event.request));
  if (place == guarded_.end()) {
    root_->Post(cdp::FetchContinueRequest{.request_id = event.request_id});
  } else if (place->second.passes > 0) {
    --place->second.passes;
    root_->Post(cdp::FetchContinueRequest{.request_id = event.request_id});
  } else {
    LOG(warn, "request.kept_back", {"why", "what it belonged to closed while it was held"});
    root_->Post(cdp::FetchFailRequest{.request_id = event.request_id, .error_reason = "Aborted"});
  }
}

void RequestBackstop::SendPatterns() const {
  std::set<std::string> patterns{std::string(kNothing)};
  for (const auto& [likeness, guarded] : guarded_) patterns.insert(ExactPattern(guarded.url));
  cdp::FetchEnable command{.patterns = std::vector<cdp::RequestPattern>()};
  for (const std::string& pattern : patterns) {
    command.patterns->push_back({.url_pattern = pattern});
  }
  root_->Post(command);
}

}  // namespace falconer::browser
