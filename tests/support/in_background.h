#pragma once
// InBackground: something that goes on while the test does something else.

#include <optional>
#include <utility>

#include "base/async/task_scope.h"

namespace falconer::test {

template <typename T>
class InBackground {
 public:
  // Starts the task; it runs up to its first wait at once. What it uses must outlive this object.
  InBackground(Executor executor, Task<T> task) : scope_(std::move(executor)) {
    scope_.Spawn("test.background", Run(std::move(task), &result_));
  }
  InBackground(const InBackground&) = delete;
  InBackground& operator=(const InBackground&) = delete;

  bool is_done() const { return result_.has_value(); }
  // Waits for its end and hands over the result. Called once.
  Task<T> Join() {
    co_await scope_.Join();
    co_return *std::move(result_);
  }

 private:
  static Task<void> Run(Task<T> task, std::optional<T>* result) {
    result->emplace(co_await std::move(task));
  }

  std::optional<T> result_;
  TaskScope scope_;
};

template <typename T>
InBackground(Executor, Task<T>) -> InBackground<T>;

}  // namespace falconer::test
