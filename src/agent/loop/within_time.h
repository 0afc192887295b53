#pragma once
// WithinTime: a piece of work that must be over when its context is. Work ends by itself then, and
// says what came of it; what does not, is broken off after a grace.

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "base/async/one_shot.h"
#include "base/async/task_scope.h"

namespace falconer::agent {

inline constexpr auto kEndGrace = std::chrono::seconds(5);

// A result of a result is hard to tell from a result.
template <typename T>
struct EndedWork {
  T value;
};

template <typename T>
Task<void> PutResult(Task<T> work, OneShot<EndedWork<T>>* into) {
  T value = co_await std::move(work);
  into->Set({std::move(value)});
}

// What the work came to; nothing when it had to be broken off.
template <typename T>
Task<std::optional<T>> WithinTime(CallContext ctx, Task<T> work) {
  OneShot<EndedWork<T>> result(ctx);
  TaskScope scope(ctx.executor());
  scope.Spawn("agent.work", PutResult(std::move(work), &result));
  auto done = co_await result.Wait(ctx, "the agent's step");
  if (!done) {
    const CallContext grace(ctx.executor(), ctx.clock());
    done = co_await result.Wait(grace.WithTimeout(kEndGrace), "the agent's step to end");
  }
  co_await scope.Stop();
  if (!done) co_return std::nullopt;
  co_return std::move(done->value);
}

}  // namespace falconer::agent
