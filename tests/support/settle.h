#pragma once
// Settle: lets the event loop do everything that is ready, so that a test can look at the result.

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/async/task.h"

namespace falconer::test {

// One round runs what was ready when it began; the longest chain of wake-ups in the code is shorter
// than this.
inline Task<void> Settle(int rounds = 32) {
  const auto executor = co_await boost::asio::this_coro::executor;
  for (int i = 0; i < rounds; ++i) {
    co_await boost::asio::post(executor, boost::asio::use_awaitable);
  }
}

}  // namespace falconer::test
