#include "api/http/stream_desk.h"

#include <utility>

namespace falconer::api {

browser::StreamHub& StreamDesk::Hub(browser::SessionManager& sessions) {
  if (!hub_) hub_.emplace(executor_, clock_, sessions, options_);
  return *hub_;
}

Task<void> StreamDesk::Stop(Error why) {
  if (hub_) co_await hub_->Stop(std::move(why));
}

}  // namespace falconer::api
