#pragma once
// FdWriter: one text into a pipe, which is closed then. A reader who goes away early is nobody's
// mistake: the rest is not written. All of it happens on one event loop.

#include <memory>
#include <string>

#include "base/async/task.h"
#include "base/unique_fd.h"

namespace falconer::agent {

class FdWriter {
 public:
  FdWriter(const Executor& executor, UniqueFd fd, std::string text);
  // Closes the pipe.
  ~FdWriter();
  FdWriter(const FdWriter&) = delete;
  FdWriter& operator=(const FdWriter&) = delete;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace falconer::agent
