#pragma once
// OneShot<T>: a value that one side sets once and the other side awaits once.

#include <optional>
#include <string_view>
#include <utility>

#include "base/async/call_context.h"

namespace falconer {

template <typename T>
class OneShot {
 public:
  OneShot(const Executor& executor, Clock& clock) : alarm_(executor, clock) {}
  explicit OneShot(const CallContext& ctx) : alarm_(ctx.executor(), ctx.clock()) {}

  bool is_set() const { return value_.has_value(); }
  // Only the first value counts.
  void Set(T value) {
    if (value_) return;
    value_.emplace(std::move(value));
    alarm_.Signal();
  }

  // The value, or kTimeout / the cancel reason. `what` must outlive the call.
  Task<Result<T>> Wait(CallContext ctx, std::string_view what) {
    if (!value_) CO_TRY(co_await ctx.Wait(&alarm_, what));
    co_return std::move(*value_);
  }

 private:
  Alarm alarm_;
  std::optional<T> value_;
};

}  // namespace falconer
