#pragma once
// RunTask: one call of a coroutine to its end, for tests that are none.

#include <optional>
#include <utility>

#include "tests/support/co_test.h"

namespace falconer::test {

template <typename T>
Task<void> KeepAnswer(Task<T> task, std::optional<T>* out) {
  out->emplace(co_await std::move(task));
}

// What the task answers, run on the loop.
template <typename T>
T RunTask(boost::asio::io_context& io, Task<T> task) {
  std::optional<T> out;
  RunCo(io, KeepAnswer(std::move(task), &out));
  return std::move(out).value();
}

}  // namespace falconer::test
