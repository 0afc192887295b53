#include "base/async/task_scope.h"

#include <algorithm>
#include <exception>
#include <list>
#include <mutex>
#include <set>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "base/log.h"

namespace falconer {

namespace asio = boost::asio;

namespace {

// The scopes of one loop that have not gone, or whose tasks have not.
class ScopeBook : public asio::execution_context::service {
 public:
  struct Entry {
    virtual ~Entry() = default;
    virtual void CancelAll() = 0;
    virtual bool IsOpen() const = 0;
    virtual bool HasTasks() const = 0;
  };

  inline static asio::execution_context::id id;
  explicit ScopeBook(asio::execution_context& loop) : service(loop) {}

  static ScopeBook& Of(const Executor& executor) {
    return asio::use_service<ScopeBook>(asio::query(executor, asio::execution::context));
  }

  void Add(Entry& entry) {
    const std::lock_guard lock(mutex_);
    entries_.insert(&entry);
  }
  void Remove(Entry& entry) {
    const std::lock_guard lock(mutex_);
    entries_.erase(&entry);
  }
  // One that takes new tasks, or null.
  Entry* FirstOpen() const {
    const std::lock_guard lock(mutex_);
    const auto open = std::ranges::find_if(entries_, &Entry::IsOpen);
    return open == entries_.end() ? nullptr : *open;
  }
  bool HasTasks() const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(entries_, &Entry::HasTasks);
  }

 private:
  void shutdown() override {}

  mutable std::mutex mutex_;
  std::set<Entry*> entries_;
};

}  // namespace

struct TaskScope::State final : ScopeBook::Entry {
  explicit State(Executor e)
      : executor(std::move(e)), all_done(executor), book(ScopeBook::Of(executor)) {
    book.Add(*this);
  }
  ~State() override { book.Remove(*this); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  bool IsOpen() const override { return !is_stopping; }
  bool HasTasks() const override { return !signals.empty(); }
  void CancelAll() override {
    is_stopping = true;
    for (auto& signal : signals) signal.emit(asio::cancellation_type::terminal);
  }

  Executor executor;
  asio::steady_timer all_done;
  ScopeBook& book;
  std::list<asio::cancellation_signal> signals;
  bool is_stopping = false;
};

namespace {

// A task that was cancelled leaves with operation_aborted; everything else is a bug worth a line.
void Report(const std::string& name, const std::exception_ptr& failure) {
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const boost::system::system_error& e) {
    if (e.code() == asio::error::operation_aborted) return;
    LOG(error, "task.failed", {"task", name}, {"what", e.what()});
  } catch (const std::exception& e) {
    LOG(error, "task.failed", {"task", name}, {"what", e.what()});
  }
}

}  // namespace

TaskScope::TaskScope(Executor executor) : state_(std::make_shared<State>(std::move(executor))) {
}

TaskScope::~TaskScope() {
  state_->CancelAll();
}

void TaskScope::Spawn(std::string name, Task<void> task) {
  if (state_->is_stopping) return;
  const auto signal = state_->signals.emplace(state_->signals.end());
  auto on_end = [state = state_, signal,
                 name = std::move(name)](const std::exception_ptr& failure) {
    // A cancellation from another thread may be on its way to the signal: it is let go one turn of
    // the loop later.
    auto ended = std::make_shared<std::list<asio::cancellation_signal>>();
    ended->splice(ended->end(), state->signals, signal);
    asio::post(state->executor, [ended] {});
    if (state->signals.empty()) state->all_done.cancel();
    Report(name, failure);
  };
  asio::co_spawn(state_->executor, std::move(task),
                 asio::bind_cancellation_slot(signal->slot(), std::move(on_end)));
}

Task<void> TaskScope::Stop() {
  state_->CancelAll();
  return Join();
}

Task<void> TaskScope::Join() {
  const auto state = state_;
  while (!state->signals.empty()) {
    state->all_done.expires_at(asio::steady_timer::time_point::max());
    co_await state->all_done.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

std::size_t TaskScope::running() const {
  return state_->signals.size();
}

void EndAllTasks(asio::io_context& io, std::chrono::milliseconds limit) {
  const ScopeBook& book = ScopeBook::Of(io.get_executor());
  const auto until = std::chrono::steady_clock::now() + limit;
  io.restart();
  do {
    // One at a time: what ends may take scopes with it, or open new ones.
    while (ScopeBook::Entry* open = book.FirstOpen()) open->CancelAll();
  } while (book.HasTasks() && io.run_one_until(until) > 0);
}

}  // namespace falconer
