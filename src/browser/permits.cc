#include "browser/permits.h"

#include <list>
#include <utility>

namespace falconer::browser {
namespace {

struct Waiter {
  explicit Waiter(const CallContext& ctx) : alarm(ctx.executor(), ctx.clock()) {}
  Alarm alarm;
  Permit permit;
};

// Takes the waiter off the list however its coroutine ends.
class Listed {
 public:
  Listed(std::list<Waiter*>& list, Waiter& waiter) : list_(list), waiter_(waiter) {
    list_.push_back(&waiter);
  }
  ~Listed() { list_.remove(&waiter_); }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  std::list<Waiter*>& list_;
  Waiter& waiter_;
};

}  // namespace

struct Permit::Source : std::enable_shared_from_this<Permit::Source> {
  Source(std::size_t most, std::string name) : limit(most), places(std::move(name)) {}

  bool is_free() const { return used < limit && waiting.empty(); }

  Permit Take() {
    ++used;
    return Permit(shared_from_this());
  }

  // The place goes straight to the first waiter: nobody who comes now can take it before them.
  void HandOut() {
    while (used < limit && !waiting.empty()) {
      Waiter& first = *waiting.front();
      waiting.pop_front();
      first.permit = Take();
      first.alarm.Signal();
    }
  }

  std::size_t limit;
  std::string places;
  std::size_t used = 0;
  std::list<Waiter*> waiting;
};

Permit& Permit::operator=(Permit&& other) noexcept {
  if (this == &other) return *this;
  GiveBack();
  from_ = std::move(other.from_);
  return *this;
}

Permit::~Permit() {
  GiveBack();
}

void Permit::GiveBack() {
  const auto from = std::exchange(from_, nullptr);
  if (!from) return;
  --from->used;
  from->HandOut();
}

PermitQueue::PermitQueue(std::size_t limit, std::string places)
    : source_(std::make_shared<Permit::Source>(limit, std::move(places))) {
}

Task<Result<Permit>> PermitQueue::Acquire(CallContext ctx) {
  return AcquireFrom(source_, std::move(ctx));
}

Task<Result<Permit>> PermitQueue::AcquireFrom(std::shared_ptr<Permit::Source> source,
                                              CallContext ctx) {
  if (source->is_free()) co_return source->Take();
  Waiter waiter(ctx);
  const Listed listed(source->waiting, waiter);
  const auto woken = co_await ctx.Wait(&waiter.alarm, source->places);
  if (woken) co_return std::move(waiter.permit);
  if (woken.error().code() != ErrorCode::kTimeout) co_return std::unexpected(woken.error());
  co_return Fail(ErrorCode::kGlobalSessionLimit,
                 "all " + std::to_string(source->limit) + " " + source->places + " are in use");
}

std::optional<Permit> PermitQueue::TryAcquire() {
  if (!source_->is_free()) return std::nullopt;
  return source_->Take();
}

std::size_t PermitQueue::in_use() const {
  return source_->used;
}

std::size_t PermitQueue::limit() const {
  return source_->limit;
}

std::size_t PermitQueue::waiting() const {
  return source_->waiting.size();
}

}  // namespace falconer::browser
