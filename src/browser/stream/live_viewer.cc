#include "browser/stream/live_viewer.h"

#include <utility>

namespace falconer::browser {

Task<Result<LiveViewer::News>> LiveViewer::Next(CallContext ctx) {
  CO_TRY(co_await changes_.Until(
      std::move(ctx), [this] { return status_ || end_ || queue_.has_next(); },
      "something to show"));
  if (status_) co_return News{.status = std::exchange(status_, std::nullopt), .frame = nullptr};
  if (end_) co_return std::unexpected(*end_);
  co_return News{.status = std::nullopt, .frame = queue_.Take()};
}

void LiveViewer::Grant(std::uint64_t credits) {
  queue_.Grant(credits);
  changes_.NotifyAll();
}

void LiveViewer::Offer(std::shared_ptr<const LiveFrame> frame) {
  queue_.Push(std::move(frame));
  changes_.NotifyAll();
}

void LiveViewer::Tell(const StreamStatus& status) {
  status_ = status;
  changes_.NotifyAll();
}

void LiveViewer::End(Error why) {
  end_ = std::move(why);
  changes_.NotifyAll();
}

ViewerShare LiveViewer::TakeShare() {
  const ViewerShare now{
      .offered = queue_.offered(), .dropped = queue_.dropped(), .taken = queue_.taken()};
  const ViewerShare before = std::exchange(told_, now);
  return {.offered = now.offered - before.offered,
          .dropped = now.dropped - before.dropped,
          .taken = now.taken - before.taken};
}

}  // namespace falconer::browser
