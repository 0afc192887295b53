#include "store/sqlite/job_thread.h"

#include <algorithm>

namespace falconer::store {

JobThread::JobThread(std::string name, std::size_t queue_bound, std::size_t batch_bound,
                     RunBatch run)
    : name_(std::move(name)),
      queue_bound_(std::max<std::size_t>(queue_bound, 1)),
      batch_bound_(std::max<std::size_t>(batch_bound, 1)),
      run_(std::move(run)),
      thread_([this] { Loop(); }) {
}

JobThread::~JobThread() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Result<void> JobThread::Push(DatabaseJob job) {
  {
    const std::scoped_lock lock(mutex_);
    if (queue_.size() >= queue_bound_) {
      return Fail(ErrorCode::kQueueFull,
                  "the " + name_ + " has " + std::to_string(queue_.size()) + " jobs waiting");
    }
    queue_.push_back(std::move(job));
  }
  changed_.notify_one();
  return {};
}

// Empty when the thread should end.
std::vector<DatabaseJob> JobThread::TakeBatch() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_stopping_ || !queue_.empty(); });
  const std::size_t count = std::min(queue_.size(), batch_bound_);
  std::vector<DatabaseJob> batch;
  batch.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

std::size_t JobThread::depth() {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

void JobThread::Loop() {
  for (;;) {
    std::vector<DatabaseJob> batch = TakeBatch();
    if (batch.empty()) return;
    run_(std::move(batch));
  }
}

}  // namespace falconer::store
