#include "browser/network/network_requests.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/url.h"

namespace falconer::browser {
namespace {

bool IsInFlight(const NetworkRequest& request) {
  return request.holds_idle && !request.is_done();
}

constexpr std::string_view kUnwaitedTypes[] = {"EventSource", "WebSocket", "Ping",
                                               "CSPViolationReport"};

bool IsIcon(const NetworkRequest& request) {
  return request.type == "Other" && model::SplitUrl(request.url).path.ends_with("/favicon.ico");
}

}  // namespace

bool IsWaitedFor(const NetworkRequest& request) {
  if (request.source == SourceKind::kSharedWorker || request.source == SourceKind::kServiceWorker) {
    return false;
  }
  return std::ranges::find(kUnwaitedTypes, request.type) == std::end(kUnwaitedTypes) &&
         !IsIcon(request);
}

NetworkRequests::NetworkRequests(Clock& clock, std::size_t most)
    : clock_(clock), most_(std::max<std::size_t>(most, 1)), idle_since_(clock.Now()) {
}

NetworkRequest& NetworkRequests::Open(NetworkRequest request) {
  // Counted before the old one goes: a redirect is not a moment of silence.
  if (IsInFlight(request)) ++in_flight_;
  if (const auto old = by_id_.find(request.id); old != by_id_.end()) Remove(old->second);
  MakeRoom();
  const auto place = requests_.insert(requests_.end(), std::move(request));
  by_id_.emplace(place->id, place);
  return *place;
}

NetworkRequest* NetworkRequests::Find(std::string_view id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &*found->second;
}

const NetworkRequest* NetworkRequests::Find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &*found->second;
}

void NetworkRequests::Finish(NetworkRequest& request) {
  CountDown(request);
  request.stage = NetworkRequest::Stage::kDone;
}

void NetworkRequests::StopHolding(NetworkRequest& request) {
  CountDown(request);
  request.holds_idle = false;
}

std::size_t NetworkRequests::Abandon(const std::function<bool(const NetworkRequest&)>& which) {
  std::size_t dropped = 0;
  for (auto at = requests_.begin(); at != requests_.end();) {
    const auto place = at++;
    if (place->is_done() || !which(*place)) continue;
    Remove(place);
    ++dropped;
  }
  return dropped;
}

std::size_t NetworkRequests::in_flight(std::string_view frame_id) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      requests_, [&](const NetworkRequest& r) { return IsInFlight(r) && r.frame_id == frame_id; }));
}

void NetworkRequests::MakeRoom() {
  if (requests_.size() < most_) return;
  const auto done = std::ranges::find_if(requests_, &NetworkRequest::is_done);
  Remove(done == requests_.end() ? requests_.begin() : done);
}

void NetworkRequests::Remove(Place place) {
  CountDown(*place);
  by_id_.erase(place->id);
  requests_.erase(place);
}

void NetworkRequests::CountDown(const NetworkRequest& request) {
  if (!IsInFlight(request)) return;
  if (--in_flight_ == 0) idle_since_ = clock_.Now();
}

}  // namespace falconer::browser
