#include "agent/loop/run_memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "model/plain_text.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kWholeAnswer = 1U << 20U;
constexpr std::size_t kLeastAnswer = 200;
constexpr std::size_t kHintBytes = 48;
constexpr std::string_view kOpenMark = "<untrusted ";
constexpr std::string_view kCloseMark = "</untrusted ";
constexpr std::string_view kCut = "\n[cut]\n";
constexpr std::string_view kLeftOut = "[what the page says is left out]";
// What of a call's arguments says most about it, in this order.
constexpr std::string_view kTellingArguments[] = {"target", "ref", "selector",
                                                  "url",    "key", "text"};

std::string HintOf(const RunCall& call) {
  for (const std::string_view name : kTellingArguments) {
    const std::string value = TextAt(call.arguments, name);
    if (!value.empty()) return " " + std::string(Utf8Prefix(model::PlainLine(value), kHintBytes));
  }
  return "";
}

std::string OutcomeOf(const RunCall& call) {
  const std::string status(NameIn(kCallStatuses, call.status));
  return call.error_code.empty() ? status : status + " " + call.error_code;
}

ToolReply ReplyOf(const RunCall& call, std::size_t most) {
  return {.call_id = call.id,
          .name = call.tool,
          .text = CutAnswer(call.text, most),
          .outcome = call.status == CallStatus::kOk ? ToolOutcome::kOk : ToolOutcome::kFailed};
}

AssistantMessage SaidBefore(const RunStep& step) {
  AssistantMessage said{.text = step.rationale};
  for (const RunCall& call : step.calls)
    said.calls.push_back({.id = call.id, .name = call.tool, .arguments = call.arguments});
  return said;
}

}  // namespace

std::string StepLine(const RunStep& step) {
  std::string line = fmt::format("step {}", step.step);
  for (const RunCall& call : step.calls)
    line += fmt::format("{} {}{} -> {}", &call == step.calls.data() ? "" : ";", call.tool,
                        HintOf(call), OutcomeOf(call));
  if (step.calls.empty()) line += " no tool was called";
  return line;
}

std::string CutAnswer(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t open = text.find(kOpenMark);
  const std::size_t close = text.rfind(kCloseMark);
  const bool is_marked = open != std::string::npos && close != std::string::npos && open < close;
  if (!is_marked) return std::string(Utf8Prefix(text, most)) + std::string(kCut);
  const std::string tail = text.substr(close);
  const std::size_t inside = text.find('>', open);
  if (inside >= most || open >= most)
    return std::string(Utf8Prefix(text, std::min(open, most))) + std::string(kLeftOut);
  return std::string(Utf8Prefix(text, std::min(close, most))) + std::string(kCut) + tail;
}

RunMemory::RunMemory(std::string system, std::string task, std::vector<ToolOffer> tools,
                     RunMemoryLimits limits)
    : system_(std::move(system)),
      task_(std::move(task)),
      tools_(std::move(tools)),
      limits_(limits) {
}

void RunMemory::Add(RunStep step) {
  steps_.push_back(std::move(step));
}

void RunMemory::Remark(std::string_view note) {
  if (steps_.empty()) return;
  std::string& told = steps_.back().note;
  told += (told.empty() ? "" : "\n") + std::string(note);
}

void RunMemory::Show(std::vector<ChatImage> images) {
  const std::size_t kept = std::min(images.size(), limits_.images);
  images.erase(images.begin(), images.end() - static_cast<std::ptrdiff_t>(kept));
  images_ = std::move(images);
}

void RunMemory::Tell(const RunStep& step, std::size_t most, ChatRequest& request) const {
  request.messages.emplace_back(SaidBefore(step));
  if (step.calls.empty()) {
    request.messages.emplace_back(UserMessage{.text = step.note});
    return;
  }
  ToolReplies replies;
  for (const RunCall& call : step.calls) replies.replies.push_back(ReplyOf(call, most));
  // Behind the last answer, because some dialects know no word of the user between two turns.
  if (!step.note.empty()) replies.replies.back().text += "\n" + step.note;
  if (&step == &steps_.back()) replies.replies.back().images = images_;
  request.messages.emplace_back(std::move(replies));
}

ChatRequest RunMemory::RequestWith(std::size_t whole, std::size_t most) const {
  ChatRequest request{.system = system_, .tools = tools_, .max_tokens = limits_.answer_tokens};
  const std::size_t first = steps_.size() - std::min(whole, steps_.size());
  std::string opening = "Task: " + task_;
  if (first > 0) opening += "\n\nDone so far:";
  for (std::size_t i = 0; i < first; ++i) opening += "\n" + StepLine(steps_[i]);
  request.messages.emplace_back(UserMessage{.text = std::move(opening)});
  for (std::size_t i = first; i < steps_.size(); ++i) Tell(steps_[i], most, request);
  return request;
}

ChatRequest RunMemory::Request() const {
  for (std::size_t whole = limits_.whole_steps; whole > 1; --whole) {
    ChatRequest request = RequestWith(whole, kWholeAnswer);
    if (EstimateRequestTokens(request) <= limits_.tokens) return request;
  }
  std::size_t most = kWholeAnswer;
  ChatRequest request = RequestWith(1, most);
  while (EstimateRequestTokens(request) > limits_.tokens && most > kLeastAnswer) {
    most = std::min(most / 2, limits_.tokens * 4);
    request = RequestWith(1, most);
  }
  return request;
}

}  // namespace falconer::agent
