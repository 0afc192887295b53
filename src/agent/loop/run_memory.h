#pragma once
// RunMemory: what the model is told each time it is asked: the task, one line for each step of
// long ago, and the last steps as they were. Never more than a number of tokens, and the same
// history always makes the same request.

#include <string>
#include <string_view>
#include <vector>

#include "agent/loop/run_step.h"
#include "agent/providers/chat_request.h"

namespace falconer::agent {

struct RunMemoryLimits {
  std::size_t tokens = 16'000;  // of a request, its tools included
  std::size_t whole_steps = 4;  // that are told as they were, at most
  std::int64_t answer_tokens = 4096;
  std::size_t images = 4;  // of the newest step, the last ones
};

class RunMemory {
 public:
  RunMemory(std::string system, std::string task, std::vector<ToolOffer> tools,
            RunMemoryLimits limits = {});

  void Add(RunStep step);
  // Told behind the newest step; where there is none, nothing has to be told.
  void Remark(std::string_view note);
  // The pictures of the newest step: shown once, with the next request.
  void Show(std::vector<ChatImage> images);
  void ForgetImages() { images_.clear(); }

  ChatRequest Request() const;
  const std::vector<RunStep>& steps() const { return steps_; }

 private:
  // The last `whole` steps as they were; their answers have at most `most` bytes each.
  ChatRequest RequestWith(std::size_t whole, std::size_t most) const;
  void Tell(const RunStep& step, std::size_t most, ChatRequest& request) const;

  std::string system_;
  std::string task_;
  std::vector<ToolOffer> tools_;
  RunMemoryLimits limits_;
  std::vector<RunStep> steps_;
  std::vector<ChatImage> images_;
};

// One line: "step 4 browser_click d3e4 -> ok". Nothing that a page says is in it.
std::string StepLine(const RunStep& step);
// At most about `most` bytes of an answer; what a page says stays between its marks.
std::string CutAnswer(const std::string& text, std::size_t most);

}  // namespace falconer::agent
