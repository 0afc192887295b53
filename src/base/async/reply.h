#pragma once
// Reply<T>: the answer of a thread to a coroutine. The thread sets it from wherever it is; the
// coroutine wakes on its own executor.

#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/async/task.h"

namespace falconer {

template <typename T>
class Reply {
 public:
  // `executor` is where the waiting coroutine runs; it MUST live until Set() was called.
  explicit Reply(const Executor& executor) : state_(std::make_shared<State>(executor)) {}

  // From any thread, once.
  void Set(T value) const {
    boost::asio::post(state_->timer.get_executor(),
                      [state = state_, value = std::move(value)]() mutable {
                        state->value.emplace(std::move(value));
                        state->timer.cancel();
                      });
  }

  // Waits for Set(). A caller that is cancelled leaves; the thread's answer then goes nowhere.
  Task<T> Wait() const { return WaitFor(state_); }

 private:
  struct State {
    explicit State(const Executor& executor) : timer(executor) {}
    boost::asio::steady_timer timer;
    std::optional<T> value;
  };

  static Task<T> WaitFor(std::shared_ptr<State> state) {
    while (!state->value) {
      state->timer.expires_at(boost::asio::steady_timer::time_point::max());
      co_await state->timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }
    co_return std::move(*state->value);
  }

  std::shared_ptr<State> state_;
};

}  // namespace falconer
