#pragma once
// AnswerBuilder: puts an answer together from the pieces of any dialect, tells them on, and decides
// at the end whether what came is an answer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/providers/chat_answer.h"

namespace falconer::agent {

class AnswerBuilder {
 public:
  explicit AnswerBuilder(DeltaSink sink = {}) : sink_(std::move(sink)) {}

  void AddText(std::string_view text);
  // A call whose arguments follow as text; `key` is the dialect's number of it. Opening it again
  // adds what is new.
  void OpenCall(std::int64_t key, std::string_view id, std::string_view name);
  // To the call of that number, which must be open: kProviderAnswerInvalid.
  Result<void> AddArguments(std::int64_t key, std::string_view text);
  // A call that came whole.
  void AddCall(std::string_view id, std::string_view name, const json::object& arguments);
  // The number after the last call's.
  std::int64_t next_key() const;
  // For pieces that only are told: what is acted upon comes whole.
  void Tell(const ChatDelta& delta) const;
  // Nothing more is told.
  void Mute() { sink_ = {}; }

  void SetEnd(AnswerEnd end) { end_ = end; }
  // The model, or who watches over it, will not answer.
  void Refuse() { is_refused_ = true; }
  // Nothing that matters follows.
  void Complete() { is_complete_ = true; }
  void SetModel(std::string model);
  void SetId(std::string id);
  TokenUsage& usage() { return usage_; }
  const TokenUsage& usage() const { return usage_; }

  bool is_complete() const { return is_complete_; }

  // The answer. kProviderBlocked for a refusal, kProviderError when the end is missing,
  // kProviderAnswerInvalid for calls nobody can carry out and for an answer that says nothing.
  Result<ProviderAnswer> Finish();

 private:
  struct OpenedCall {
    std::int64_t key;
    std::string id;
    std::string name;
    std::string arguments;
  };

  OpenedCall* CallNumbered(std::int64_t key);
  Result<std::vector<ToolCall>> ReadCalls() const;
  Result<ToolCall> ReadCall(const OpenedCall& call) const;

  DeltaSink sink_;
  std::string text_;
  std::vector<OpenedCall> calls_;
  std::optional<AnswerEnd> end_;
  bool is_refused_ = false;
  bool is_complete_ = false;
  TokenUsage usage_;
  std::string model_;
  std::string id_;
};

}  // namespace falconer::agent
