#include "base/async/task_scope.h"

#include <exception>
#include <list>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "base/log.h"

namespace falconer {

namespace asio = boost::asio;

struct TaskScope::State {
  explicit State(Executor e) : executor(std::move(e)), all_done(executor) {}

  void CancelAll() {
    is_stopping = true;
    for (auto& signal : signals) signal.emit(asio::cancellation_type::terminal);
  }

  Executor executor;
  asio::steady_timer all_done;
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

}  // namespace falconer
