#pragma once
// FdReader: what comes out of a pipe until its end, up to a limit. All of it happens on one event
// loop.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/async/task.h"
#include "base/unique_fd.h"

namespace falconer::agent {

class FdReader {
 public:
  // Which part is kept of what is longer than `most`: the first, and then nothing more is read, or
  // the last.
  enum class Keep : std::uint8_t { kFirst, kLast };
  struct Limit {
    std::size_t most = 0;
    Keep keep = Keep::kFirst;
  };

  // `on_end` is called once, from the loop: at the end of the pipe, or when the limit is passed and
  // the first part is kept.
  FdReader(const Executor& executor, UniqueFd fd, Limit limit, std::function<void()> on_end = {});
  // Closes the pipe; on_end is not called any more.
  ~FdReader();
  FdReader(const FdReader&) = delete;
  FdReader& operator=(const FdReader&) = delete;

  // Takes what is in the pipe now, without waiting for the loop to come by. Does not call on_end.
  void Pull();
  // The same, and ends: for when nobody writes any more.
  void Drain();

  const std::string& text() const;
  bool is_ended() const;
  // More came than is kept.
  bool is_over_limit() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace falconer::agent
