#include "base/async/notifier.h"

namespace falconer {
namespace {

// Takes the waiter off the list however its coroutine ends.
class Listed {
 public:
  Listed(std::list<Alarm*>& list, Alarm& alarm)
      : list_(list), at_(list.insert(list.end(), &alarm)) {}
  ~Listed() { list_.erase(at_); }
  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 private:
  std::list<Alarm*>& list_;
  std::list<Alarm*>::iterator at_;
};

}  // namespace

void Notifier::NotifyAll() {
  for (Alarm* alarm : waiting_) alarm->Signal();
}

Task<Result<void>> Notifier::Until(CallContext ctx, std::function<bool()> holds,
                                   std::string_view what) {
  if (holds()) co_return Result<void>();
  Alarm alarm(ctx.executor(), ctx.clock());
  const Listed listed(waiting_, alarm);
  while (!holds()) CO_TRY(co_await ctx.Wait(&alarm, what));
  co_return Result<void>();
}

}  // namespace falconer
