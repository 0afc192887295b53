#include "net/egress/system_resolver.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <netdb.h>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/async/one_shot.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;

asio::ip::address AddressIn(const sockaddr* raw) {
  if (raw->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, raw, sizeof v4);
    return asio::ip::address_v4(ntohl(v4.sin_addr.s_addr));
  }
  sockaddr_in6 v6{};
  std::memcpy(&v6, raw, sizeof v6);
  asio::ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return asio::ip::address_v6(bytes, v6.sin6_scope_id);
}

Error LookUpError(int code, const std::string& name) {
  const bool is_missing = code == EAI_NONAME || code == EAI_NODATA;
  return Error(is_missing ? ErrorCode::kNotFound : ErrorCode::kNetworkError,
               "look up " + name + ": " + ::gai_strerror(code));
}

Result<Addresses> LookUpNow(const std::string& name) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* raw = nullptr;
  const int code = ::getaddrinfo(name.c_str(), nullptr, &wanted, &raw);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(raw, &::freeaddrinfo);
  if (code != 0) return Fail(LookUpError(code, name));
  Addresses found;
  for (const addrinfo* at = raw; at != nullptr; at = at->ai_next) {
    if (at->ai_family != AF_INET && at->ai_family != AF_INET6) continue;
    const auto address = AddressIn(at->ai_addr);
    if (std::ranges::find(found, address) == found.end()) found.push_back(address);
  }
  if (found.empty()) return Fail(ErrorCode::kNotFound, "look up " + name + ": no address");
  return Interleaved(found);
}

using LookUpSlot = OneShot<Result<Addresses>>;

struct LookUpJob {
  std::string name;
  Executor executor;
  // Whoever asked may have lost interest meanwhile.
  std::weak_ptr<LookUpSlot> waiting;
};

// Hands the result over on the loop that waits for it.
void HandOver(const LookUpJob& job, Result<Addresses> found) {
  asio::post(job.executor, [waiting = job.waiting, found = std::move(found)]() mutable {
    if (const auto still = waiting.lock()) still->Set(std::move(found));
  });
}

}  // namespace

class SystemResolver::Pool {
 public:
  explicit Pool(Options options)
      : shared_(std::make_shared<Shared>(std::max<std::size_t>(options.max_waiting, 1))) {
    for (std::size_t i = 0; i < std::max<std::size_t>(options.threads, 1); ++i) {
      auto worker = std::make_shared<Worker>();
      worker->thread = std::thread(&Work, shared_, worker.get());
      workers_.push_back(std::move(worker));
    }
  }

  ~Pool() {
    std::vector<std::shared_ptr<Worker>> idle;
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->is_stopping = true;
      shared_->jobs.clear();
      for (auto& worker : workers_) {
        if (worker->is_busy) {
          worker->thread.detach();
          shared_->left_behind.push_back(worker);
        } else {
          idle.push_back(worker);
        }
      }
    }
    shared_->changed.notify_all();
    for (auto& worker : idle) worker->thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  bool TryAdd(LookUpJob job) {
    {
      const std::lock_guard lock(shared_->mutex);
      if (shared_->jobs.size() >= shared_->max_waiting) return false;
      shared_->jobs.push_back(std::move(job));
    }
    shared_->changed.notify_one();
    return true;
  }

 private:
  struct Worker {
    std::thread thread;
    bool is_busy = false;
  };

  // Outlives the pool for as long as a thread is inside a lookup.
  struct Shared {
    explicit Shared(std::size_t most) : max_waiting(most) {}
    const std::size_t max_waiting;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<LookUpJob> jobs;
    std::vector<std::shared_ptr<Worker>> left_behind;
    bool is_stopping = false;
  };

  static void Work(const std::shared_ptr<Shared>& shared, Worker* self) {
    std::unique_lock lock(shared->mutex);
    while (true) {
      shared->changed.wait(lock, [&] { return shared->is_stopping || !shared->jobs.empty(); });
      if (shared->is_stopping) return;
      const LookUpJob job = std::move(shared->jobs.front());
      shared->jobs.pop_front();
      self->is_busy = true;
      lock.unlock();
      Result<Addresses> found = LookUpNow(job.name);
      lock.lock();
      self->is_busy = false;
      // With the pool the loop may be gone too.
      if (shared->is_stopping) return;
      HandOver(job, std::move(found));
    }
  }

  std::shared_ptr<Shared> shared_;
  std::vector<std::shared_ptr<Worker>> workers_;
};

SystemResolver::SystemResolver() : SystemResolver(Options{}) {
}

SystemResolver::SystemResolver(Options options) : pool_(std::make_unique<Pool>(options)) {
}

SystemResolver::~SystemResolver() = default;

Task<Result<Addresses>> SystemResolver::Resolve(CallContext ctx, std::string name) {
  const auto slot = std::make_shared<LookUpSlot>(ctx);
  if (!pool_->TryAdd({.name = std::move(name), .executor = ctx.executor(), .waiting = slot})) {
    co_return Fail(ErrorCode::kQueueFull, "too many names are being looked up");
  }
  CO_TRY_ASSIGN(auto found, co_await slot->Wait(ctx, "the addresses of a name"));
  co_return found;
}

}  // namespace falconer::net
