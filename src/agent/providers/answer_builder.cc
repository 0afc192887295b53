#include "agent/providers/answer_builder.h"

#include <algorithm>
#include <utility>

#include "agent/providers/provider_error.h"
#include "base/random.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

// More calls in one answer than anybody means.
constexpr std::size_t kMaxCalls = 64;
constexpr std::size_t kIdBytes = 12;

std::unexpected<Error> InvalidAnswer(std::string why) {
  return Fail(ProviderFailure(ProviderFault::kInvalidAnswer, std::move(why)));
}

}  // namespace

void AnswerBuilder::Tell(const ChatDelta& delta) const {
  if (sink_) sink_(delta);
}

void AnswerBuilder::AddText(std::string_view text) {
  if (text.empty()) return;
  text_ += text;
  Tell(TextDelta{std::string(text)});
}

AnswerBuilder::OpenedCall* AnswerBuilder::CallNumbered(std::int64_t key) {
  const auto found = std::ranges::find(calls_, key, &OpenedCall::key);
  return found == calls_.end() ? nullptr : &*found;
}

void AnswerBuilder::OpenCall(std::int64_t key, std::string_view id, std::string_view name) {
  if (OpenedCall* call = CallNumbered(key)) {
    if (call->id.empty()) call->id = id;
    if (call->name.empty()) call->name = name;
    return;
  }
  calls_.push_back({key, std::string(id), std::string(name), {}});
  Tell(CallDelta{std::string(name)});
}

Result<void> AnswerBuilder::AddArguments(std::int64_t key, std::string_view text) {
  OpenedCall* const call = CallNumbered(key);
  if (call == nullptr) return InvalidAnswer("arguments came for a call that was not begun");
  call->arguments += text;
  if (!text.empty()) Tell(ArgumentsDelta{std::string(text)});
  return {};
}

void AnswerBuilder::AddCall(std::string_view id, std::string_view name,
                            const json::object& arguments) {
  const std::int64_t key = next_key();
  OpenCall(key, id, name);
  calls_.back().arguments = json::serialize(arguments);
  Tell(ArgumentsDelta{calls_.back().arguments});
}

std::int64_t AnswerBuilder::next_key() const {
  return calls_.empty() ? 0 : std::ranges::max(calls_, {}, &OpenedCall::key).key + 1;
}

void AnswerBuilder::SetModel(std::string model) {
  if (!model.empty()) model_ = std::move(model);
}

void AnswerBuilder::SetId(std::string id) {
  if (!id.empty()) id_ = std::move(id);
}

Result<ToolCall> AnswerBuilder::ReadCall(const OpenedCall& call) const {
  if (call.name.empty()) return InvalidAnswer("a tool call names no tool");
  // Tools without parameters are called with nothing at all by some; in an answer that was cut off
  // nothing came of them yet.
  const bool takes_none = call.arguments.empty() && end_ != AnswerEnd::kLength;
  auto arguments = ParseJsonObject(takes_none ? "{}" : call.arguments);
  if (!arguments) {
    const std::string_view why =
        end_ == AnswerEnd::kLength ? "were cut off by the token limit" : "are not a JSON object";
    return InvalidAnswer("the arguments of the call of " + call.name + " " + std::string(why));
  }
  // Ids made here must not meet those of an earlier answer, which may be from before a restart.
  std::string id = call.id.empty() ? "call_" + RandomHex(kIdBytes) : call.id;
  return ToolCall{.id = std::move(id), .name = call.name, .arguments = *std::move(arguments)};
}

Result<std::vector<ToolCall>> AnswerBuilder::ReadCalls() const {
  if (calls_.size() > kMaxCalls) return InvalidAnswer("too many tool calls in one answer");
  std::vector<ToolCall> out;
  for (const OpenedCall& opened : calls_) {
    TRY_ASSIGN(ToolCall call, ReadCall(opened));
    if (std::ranges::find(out, call.id, &ToolCall::id) != out.end())
      return InvalidAnswer("two tool calls have the same id");
    out.push_back(std::move(call));
  }
  return out;
}

Result<ProviderAnswer> AnswerBuilder::Finish() {
  if (is_refused_)
    return Fail(ProviderFailure(ProviderFault::kBlocked, "the model refused", kContentRefused));
  if (!end_) return Fail(ProviderFailure(ProviderFault::kInfrastructure, "the answer was cut off"));
  TRY_ASSIGN(std::vector<ToolCall> calls, ReadCalls());
  if (calls.empty() && Trim(text_).empty()) return InvalidAnswer("the answer is empty");
  ProviderAnswer answer{.action = Respond{text_}, .end = *end_, .usage = usage_};
  answer.model = model_;
  answer.id = id_;
  if (calls.empty()) {
    if (end_ == AnswerEnd::kToolCalls) return InvalidAnswer("tool calls were announced, none came");
    return answer;
  }
  // Some say "stop" all the same.
  if (end_ == AnswerEnd::kDone) answer.end = AnswerEnd::kToolCalls;
  answer.action = ToolCalls{.text = text_, .calls = std::move(calls)};
  return answer;
}

}  // namespace falconer::agent
