#include "tests/support/site_journal.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <boost/asio/post.hpp>

namespace falconer::test {

// Keeps a waiter on the list however its coroutine ends.
class SiteJournal::Listening {
 public:
  Listening(SiteJournal& journal, Listener listener) : journal_(journal) {
    const std::lock_guard lock(journal_.mutex_);
    at_ = journal_.listeners_.insert(journal_.listeners_.end(), std::move(listener));
  }
  ~Listening() {
    const std::lock_guard lock(journal_.mutex_);
    journal_.listeners_.erase(at_);
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  SiteJournal& journal_;
  std::list<Listener>::iterator at_;
};

void SiteJournal::Add(const net::HttpRequest& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  TellListeners();
}

void SiteJournal::Add(Effect effect) {
  const std::lock_guard lock(mutex_);
  effects_.push_back(std::move(effect));
  TellListeners();
}

void SiteJournal::Clear() {
  const std::lock_guard lock(mutex_);
  requests_.clear();
  effects_.clear();
}

std::vector<net::HttpRequest> SiteJournal::Requests(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  std::vector<net::HttpRequest> found;
  std::ranges::copy_if(requests_, std::back_inserter(found), [&](const net::HttpRequest& request) {
    return path.empty() || request.path == path;
  });
  return found;
}

std::size_t SiteJournal::RequestCount(std::string_view path) const {
  return Requests(path).size();
}

std::vector<Effect> SiteJournal::Effects(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  std::vector<Effect> found;
  std::ranges::copy_if(effects_, std::back_inserter(found),
                       [&](const Effect& effect) { return name.empty() || effect.name == name; });
  return found;
}

std::size_t SiteJournal::EffectCount(std::string_view name) const {
  return Effects(name).size();
}

Task<Result<void>> SiteJournal::Until(CallContext ctx, std::function<bool()> holds,
                                      std::string_view what) {
  const auto notifier = std::make_shared<Notifier>();
  const Listening listening(*this, {.executor = ctx.executor(), .notifier = notifier});
  co_return co_await notifier->Until(ctx, std::move(holds), what);
}

// Each listener looks again on its own loop; one that is gone by then is passed over.
void SiteJournal::TellListeners() {
  for (const Listener& listener : listeners_) {
    boost::asio::post(listener.executor, [weak = listener.notifier] {
      if (const auto notifier = weak.lock()) notifier->NotifyAll();
    });
  }
}

}  // namespace falconer::test
