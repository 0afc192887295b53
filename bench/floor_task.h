#pragma once
// The smallest coroutine that can await another one. The floor runs on one thread and is resumed by
// the client's poll loop; there is no executor, no cancellation and no allocation besides the
// frame.

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace falconer::bench {

template <typename T>
class [[nodiscard]] FloorTask {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct FinalAwaiter {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(Handle done) noexcept {
      const auto waiter = done.promise().waiter;
      return waiter ? waiter : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };

  struct promise_type {
    std::optional<T> value;
    std::coroutine_handle<> waiter;

    FloorTask get_return_object() { return FloorTask(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    FinalAwaiter final_suspend() noexcept { return {}; }
    void return_value(T result) { value = std::move(result); }
    // Failures are values here; an exception is a bug of the benchmark.
    void unhandled_exception() noexcept { std::terminate(); }
  };

  FloorTask(FloorTask&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  FloorTask& operator=(FloorTask&&) = delete;
  ~FloorTask() {
    if (handle_) handle_.destroy();
  }

  // For the poll loop: runs to the first wait, then asks whether the end was reached.
  void Start() { handle_.resume(); }
  bool is_done() const { return handle_.done(); }
  T Take() { return std::move(*handle_.promise().value); }

  // For another coroutine: `co_await std::move(task)` or `co_await MakeTask()`.
  auto operator co_await() && noexcept {
    struct Awaiter {
      Handle handle;
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
        handle.promise().waiter = waiter;
        return handle;
      }
      T await_resume() { return std::move(*handle.promise().value); }
    };
    return Awaiter{handle_};
  }

 private:
  explicit FloorTask(Handle handle) : handle_(handle) {}
  Handle handle_;
};

}  // namespace falconer::bench
