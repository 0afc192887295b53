#pragma once
// JobThread: a thread with a bounded queue of jobs, handed out in batches so that jobs that wait
// together can share a commit.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "store/sqlite/database.h"

namespace falconer::store {

struct DatabaseJob {
  std::move_only_function<Result<void>(Database&)> work;
  // Told the outcome once it is final: after the commit.
  std::move_only_function<void(Result<void>)> done;
  Survives survives = Survives::kPowerLoss;
};

class JobThread {
 public:
  using RunBatch = std::function<void(std::vector<DatabaseJob> batch)>;

  // `name` shows in messages. A batch has at most `batch_bound` jobs.
  JobThread(std::string name, std::size_t queue_bound, std::size_t batch_bound, RunBatch run);
  // Finishes what is queued.
  ~JobThread();
  JobThread(const JobThread&) = delete;
  JobThread& operator=(const JobThread&) = delete;

  // kQueueFull when too many jobs wait; the job is then not run and `done` not called.
  Result<void> Push(DatabaseJob job);
  // Jobs that wait.
  std::size_t depth();

 private:
  void Loop();
  std::vector<DatabaseJob> TakeBatch();

  std::string name_;
  std::size_t queue_bound_;
  std::size_t batch_bound_;
  RunBatch run_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<DatabaseJob> queue_;
  bool is_stopping_ = false;
  std::jthread thread_;
};

}  // namespace falconer::store
