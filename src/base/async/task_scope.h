#pragma once
// TaskScope: background work that has an owner. Whoever owns the scope stops it before going away;
// nothing it started runs on after that.

#include <chrono>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>

#include "base/async/task.h"

namespace falconer {

class TaskScope {
 public:
  explicit TaskScope(Executor executor);
  // Cancels what still runs. Prefer Stop(), which also waits.
  ~TaskScope();
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

  // Starts `task` on the scope's executor; on the executor's own thread it runs up to its first
  // wait inside this call. `name` appears in the log should it end by an exception.
  void Spawn(std::string name, Task<void> task);

  // Waits until every task has ended by itself.
  Task<void> Join();
  // Cancels every task and waits until all have ended.
  Task<void> Stop();

  std::size_t running() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Cancels the tasks of all scopes of this loop, now and for good, and runs the loop until they have
// ended or `limit` is over. For a program that ends: only then may what its tasks use go away.
void EndAllTasks(boost::asio::io_context& io, std::chrono::milliseconds limit);

}  // namespace falconer
