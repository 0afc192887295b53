#pragma once
// CO_TEST: a GoogleTest case whose body is a coroutine. Inside, use EXPECT_*: ASSERT_* contains
// `return`, which a coroutine cannot have.

#include <chrono>
#include <exception>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/async/call_context.h"
#include "base/async/task.h"

namespace falconer::test {

inline void RunCo(boost::asio::io_context& io, Task<void> body,
                  std::chrono::seconds ceiling = std::chrono::seconds(20)) {
  std::exception_ptr failure;
  bool is_done = false;
  boost::asio::co_spawn(io, std::move(body), [&](std::exception_ptr e) {
    failure = e;
    is_done = true;
    io.stop();
  });
  io.restart();
  io.run_for(ceiling);
  ASSERT_TRUE(is_done) << "test body still waiting after " << ceiling.count() << " s";
  if (failure) std::rethrow_exception(failure);
}

}  // namespace falconer::test

// The body gets `io`, `clock` (the system's) and `ctx` (no deadline).
#define CO_TEST(suite, name)                                                                      \
  static ::falconer::Task<void> suite##_##name##_Body(boost::asio::io_context* io,                \
                                                      ::falconer::CallContext ctx);               \
  TEST(suite, name) {                                                                             \
    ::falconer::SystemClock system_clock;                                                         \
    boost::asio::io_context io_context;                                                           \
    ::falconer::test::RunCo(                                                                      \
        io_context,                                                                               \
        suite##_##name##_Body(&io_context,                                                        \
                              ::falconer::CallContext(io_context.get_executor(), system_clock))); \
  }                                                                                               \
  static ::falconer::Task<void> suite##_##name##_Body(                                            \
      [[maybe_unused]] boost::asio::io_context* io, [[maybe_unused]] ::falconer::CallContext ctx)
