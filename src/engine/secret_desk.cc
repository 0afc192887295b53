#include "engine/secret_desk.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/async/one_shot.h"
#include "base/log.h"
#include "model/url.h"

namespace falconer::engine {
namespace {

using policy::SecretReference;
using policy::SecretText;

struct WebPlace {
  policy::Host host;
  std::uint16_t port = 0;
};

// Whose document it is. One without a host is nobody's.
Result<WebPlace> WebPlaceOf(const SecretReference& reference, const std::string& url) {
  const model::UrlParts parts = model::SplitUrl(url);
  const bool is_web = parts.scheme == "https" || parts.scheme == "http";
  auto host = is_web ? policy::ParseHost(parts.host)
                     : Fail(ErrorCode::kInvalidArgument, "no page of a host");
  const std::uint16_t usual = parts.scheme == "https" ? 443 : 80;
  const auto port = parts.port.empty() ? usual : policy::ParsePort(parts.port);
  if (host && port) return WebPlace{*std::move(host), *port};
  return Fail(
      Error(ErrorCode::kSecurityDomainBlock,
            "the secret " + reference.name + " may not be used in a document without a host",
            {{"secret_name", reference.name}}));
}

using SecretAnswer = Result<SecretText>;

// Who asked has gone, perhaps, when the answer comes: it is held for as long as either needs it.
struct SecretQuestion {
  SecretReference reference;
  WebPlace place;
  Executor executor;
  std::shared_ptr<OneShot<SecretAnswer>> answer;
};

}  // namespace

class SecretDesk::Worker {
 public:
  Worker(Clock& clock, policy::Redactor& redactor, Sources sources)
      : clock_(clock), store_(redactor) {
    thread_ =
        std::jthread([this, opened = std::move(sources)](const std::stop_token& stop) mutable {
          Open(std::move(opened));
          Run(stop);
        });
  }

  void Ask(SecretQuestion question) {
    const std::scoped_lock lock(mutex_);
    questions_.push_back(std::move(question));
    changed_.notify_one();
  }

 private:
  void Open(Sources sources) {
    for (auto& source : sources) {
      const auto known = store_.Add(std::move(source));
      if (!known) LOG(warn, "secrets.unknown", {"why", known.error().message()});
    }
  }

  void Run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !questions_.empty(); })) {
      SecretQuestion next = std::move(questions_.front());
      questions_.pop_front();
      lock.unlock();
      Tell(std::move(next));
      lock.lock();
    }
  }

  void Tell(SecretQuestion question) {
    SecretAnswer found = store_.Resolve(question.reference, question.place.host,
                                        question.place.port, clock_.WallNow());
    boost::asio::post(question.executor,
                      [answer = std::move(question.answer), found = std::move(found)]() mutable {
                        answer->Set(std::move(found));
                      });
  }

  Clock& clock_;
  // The thread's own.
  policy::SecretStore store_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<SecretQuestion> questions_;
  // Last: the thread must be gone before what it uses.
  std::jthread thread_;
};

SecretDesk::SecretDesk(Clock& clock, policy::Redactor& redactor, Sources sources)
    : worker_(std::make_unique<Worker>(clock, redactor, std::move(sources))) {
}

SecretDesk::~SecretDesk() = default;

Task<Result<SecretText>> SecretDesk::Resolve(CallContext ctx, SecretReference reference,
                                             std::string url) {
  CO_TRY_ASSIGN(WebPlace place, WebPlaceOf(reference, url));
  const auto answer = std::make_shared<OneShot<SecretAnswer>>(ctx);
  worker_->Ask({std::move(reference), std::move(place), ctx.executor(), answer});
  CO_TRY_ASSIGN(SecretAnswer found, co_await answer->Wait(ctx, "the secret"));
  co_return found;
}

}  // namespace falconer::engine
