#pragma once
// A control store in a folder of its own, with time that the test moves.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "store/sqlite_store.h"
#include "tests/support/co_test.h"

namespace falconer::test {

// An event loop for one call, on whichever thread. A store may still hold on to the loop of a call
// that has ended: loops are used again and stay until the program ends.
class BorrowedLoop {
 public:
  BorrowedLoop() {
    const std::scoped_lock lock(pool().mutex);
    if (pool().idle.empty()) {
      pool().all.push_back(std::make_unique<boost::asio::io_context>());
      pool().idle.push_back(pool().all.back().get());
    }
    io_ = pool().idle.back();
    pool().idle.pop_back();
    io_->restart();
  }
  ~BorrowedLoop() {
    const std::scoped_lock lock(pool().mutex);
    pool().idle.push_back(io_);
  }
  BorrowedLoop(const BorrowedLoop&) = delete;
  BorrowedLoop& operator=(const BorrowedLoop&) = delete;

  boost::asio::io_context& io() { return *io_; }

 private:
  struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<boost::asio::io_context>> all;
    std::vector<boost::asio::io_context*> idle;
  };
  static Pool& pool() {
    static Pool one;
    return one;
  }

  boost::asio::io_context* io_ = nullptr;
};

// Runs what `begin(executor)` begins to its end, and answers what it answered.
template <typename Begin>
auto FinishOn(Begin begin) {
  using T = typename std::invoke_result_t<Begin&, Executor>::value_type;
  BorrowedLoop loop;
  std::optional<T> out;
  boost::asio::co_spawn(loop.io(), begin(loop.io().get_executor()),
                        [&](std::exception_ptr failure, T answer) {
                          if (!failure) out.emplace(std::move(answer));
                        });
  loop.io().run();
  return std::move(out).value();
}

// The same for one call of a store.
template <typename T>
T Finish(Task<T> task) {
  return FinishOn([&](const Executor&) { return std::move(task); });
}

class StoreBench : public testing::Test {
 protected:
  StoreBench() : folder_(TempDir::Create("falconer-store-test-").value()) {}

  std::filesystem::path file() const { return folder_.path() / "control.db"; }
  std::unique_ptr<store::SqliteStore> OpenStore() { return OpenStore(clock_); }
  std::unique_ptr<store::SqliteStore> OpenStore(Clock& clock) {
    auto store = store::SqliteStore::Open(file(), clock);
    EXPECT_TRUE(store) << store.error().message();
    return *std::move(store);
  }

  // Two stores on the same file, as in two processes, each used by several threads at once: how
  // often `attempt` said true.
  int Race(int threads, const std::function<bool(store::SqliteStore&)>& attempt) {
    SystemClock clock;
    const auto one = OpenStore(clock);
    const auto two = OpenStore(clock);
    std::atomic<int> yes = 0;
    {
      std::vector<std::jthread> all;
      for (int i = 0; i < threads; ++i) {
        store::SqliteStore& store = i % 2 == 0 ? *one : *two;
        all.emplace_back([&attempt, &store, &yes] { yes += attempt(store) ? 1 : 0; });
      }
    }
    return yes;
  }

  TempDir folder_;
  FakeClock clock_;
};

}  // namespace falconer::test
