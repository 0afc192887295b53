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
#include "policy/web_place.h"

namespace falconer::engine {
namespace {

using policy::SecretDemand;
using policy::SecretText;

bool IsWebAddress(const model::UrlParts& parts) {
  return parts.scheme == "https" || parts.scheme == "http";
}

// Of the document's own address; a blank one has none.
std::string DocumentPath(const std::string& url) {
  const model::UrlParts parts = model::SplitUrl(url);
  if (!IsWebAddress(parts)) return "";
  return parts.path.empty() ? "/" : parts.path;
}

// Whose document it is. One without a host is nobody's.
Result<SecretDemand> SecretDemandOf(const SecretAsk& ask) {
  const std::string& owner = ask.origin.empty() ? ask.url : ask.origin;
  auto place = IsWebAddress(model::SplitUrl(owner)) ? policy::WebPlaceOf(owner) : std::nullopt;
  if (place) {
    return SecretDemand{
        .host = std::move(place->host),
        .port = place->port,
        .is_encrypted = model::SplitUrl(owner).scheme == "https",
        .path = DocumentPath(ask.url),
        .agent = ask.agent,
        .purpose = ask.purpose,
        .place = ask.field ? policy::SecretPlaceOf(*ask.field) : policy::SecretPlace::kField};
  }
  return Fail(
      Error(ErrorCode::kSecurityDomainBlock,
            "the secret " + ask.reference.name + " may not be used in a document without a host",
            {{"secret_name", ask.reference.name}}));
}

using SecretAnswer = Result<SecretText>;

// Who asked has gone, perhaps, when the answer comes: it is held for as long as either needs it.
struct SecretQuestion {
  policy::SecretReference reference;
  SecretDemand demand;
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
    SecretAnswer found = store_.Resolve(question.reference, question.demand, clock_.WallNow());
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

Task<Result<SecretText>> SecretDesk::Resolve(CallContext ctx, SecretAsk ask) {
  CO_TRY_ASSIGN(SecretDemand demand, SecretDemandOf(ask));
  const auto answer = std::make_shared<OneShot<SecretAnswer>>(ctx);
  worker_->Ask({std::move(ask.reference), std::move(demand), ctx.executor(), answer});
  CO_TRY_ASSIGN(SecretAnswer found, co_await answer->Wait(ctx, "the secret"));
  co_return found;
}

}  // namespace falconer::engine
