#pragma once
// The floor: the least a DevTools client can do. Commands are queued and written together when the
// caller first waits; answers resume their waiter straight from the read loop.
//
// Single-threaded. Nothing here waits by itself: Run drives the poll loop until its task is done.

#include <chrono>
#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "bench/floor_task.h"
#include "bench/outcome.h"

namespace falconer::bench {

// A command's answer or an awaited event, once.
class PendingAnswer {
 public:
  struct State {
    std::optional<Outcome<boost::json::value>> answer;
    std::coroutine_handle<> waiter;
  };

  explicit PendingAnswer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  bool await_ready() const { return state_->answer.has_value(); }
  void await_suspend(std::coroutine_handle<> waiter) { state_->waiter = waiter; }
  Outcome<boost::json::value> await_resume() { return std::move(*state_->answer); }

 private:
  std::shared_ptr<State> state_;
};

class FloorClient {
 public:
  using Params = boost::json::object;
  struct Event {
    std::string_view session;
    std::string_view method;
    const boost::json::value& params;
  };

  // The descriptors of the browser's pipe; both MUST stay open while the client lives.
  FloorClient(int to_browser, int from_browser);

  // Queues a command; `session` is empty for the browser itself. The answer is its result, or the
  // browser's error. After the client broke, every answer is the reason.
  PendingAnswer Send(std::string_view session, std::string_view method, const Params& params = {});
  // The next event of this kind in this session. Ask before sending what causes it.
  PendingAnswer Expect(std::string_view session, std::string_view method);
  // Sees every event, after those who expect it.
  void OnEvent(std::function<void(const Event&)> sink) { sink_ = std::move(sink); }

  // Drives the tasks to their end. A silence longer than `limit` breaks the client.
  template <typename T>
  T Run(FloorTask<T> task, std::chrono::milliseconds limit = std::chrono::seconds(30)) {
    task.Start();
    while (!task.is_done()) Pump(limit);
    return task.Take();
  }
  template <typename T>
  std::vector<T> RunAll(std::vector<FloorTask<T>> tasks,
                        std::chrono::milliseconds limit = std::chrono::seconds(30)) {
    for (auto& task : tasks) task.Start();
    std::vector<T> results;
    for (auto& task : tasks) {
      while (!task.is_done()) Pump(limit);
      results.push_back(task.Take());
    }
    return results;
  }

 private:
  using StatePtr = std::shared_ptr<PendingAnswer::State>;

  void Pump(std::chrono::milliseconds limit);
  void Flush();
  void ReadSome();
  void Dispatch(std::string_view text);
  void DispatchAnswer(std::int64_t id, boost::json::object& message);
  void DispatchEvent(boost::json::object& message);
  void Break(std::string why);
  static void Resolve(const StatePtr& state, Outcome<boost::json::value> answer);

  int to_browser_;
  int from_browser_;
  std::string outgoing_;
  std::int64_t next_id_ = 1;
  std::vector<char> piece_;  // one read; what it brought is appended to incoming_
  std::string incoming_;
  std::size_t scanned_ = 0;
  std::unordered_map<std::int64_t, StatePtr> calls_;
  std::unordered_map<std::string, std::vector<StatePtr>> expected_;  // by session and method
  std::function<void(const Event&)> sink_;
  std::optional<std::string> broken_;
};

}  // namespace falconer::bench
