#pragma once
// What a model answered, in the one form that every dialect is read into, and the pieces it is told
// in while it comes.

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "agent/providers/chat_request.h"
#include "base/async/deadline.h"

namespace falconer::agent {

// The model is done and says this.
struct Respond {
  std::string text;

  friend bool operator==(const Respond&, const Respond&) = default;
};

// The model wants these tools to be called, and may have said why.
struct ToolCalls {
  std::string text = {};
  std::vector<ToolCall> calls;

  friend bool operator==(const ToolCalls&, const ToolCalls&) = default;
};

using AssistantAction = std::variant<Respond, ToolCalls>;

// As the provider counted them; where it did not, as they were estimated here.
struct TokenUsage {
  std::int64_t input = 0;         // all of it, what was cached included
  std::int64_t cached_input = 0;  // the part that the provider had already
  std::int64_t output = 0;
  bool is_estimated = false;

  friend bool operator==(const TokenUsage&, const TokenUsage&) = default;
};

// Why the model stopped. What it refuses is no answer but an error.
enum class AnswerEnd : std::uint8_t {
  kDone,
  kToolCalls,
  kLength,  // the answer is as long as it may be, and not complete
};

inline constexpr EnumName<AnswerEnd> kAnswerEnds[] = {
    {AnswerEnd::kDone, "done"},
    {AnswerEnd::kToolCalls, "tool_calls"},
    {AnswerEnd::kLength, "length"},
};

// What was observed of the way an answer came.
struct WireFacts {
  Duration first_byte{0};  // of the body, since the request was begun
  Duration total{0};
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;
};

// What became of one try.
enum class RetryDecision : std::uint8_t { kNone, kRetry, kProviderSwitch, kStop };

inline constexpr EnumName<RetryDecision> kRetryDecisions[] = {
    {RetryDecision::kNone, "none"},
    {RetryDecision::kRetry, "retry"},
    {RetryDecision::kProviderSwitch, "provider_switch"},
    {RetryDecision::kStop, "stop"},
};

struct ProviderAttempt {
  std::string provider;
  std::string outcome;     // "success", or the name of an error class
  std::string error = {};  // the code's name; "" for none
  Duration took{0};
  Duration backoff{0};  // waited before it
  RetryDecision decision = RetryDecision::kNone;
};

struct ProviderAnswer {
  AssistantAction action;
  AnswerEnd end = AnswerEnd::kDone;
  TokenUsage usage = {};
  std::int64_t cost_micros = 0;  // millionths of the currency that prices are in
  std::string provider = {};     // its name in the settings
  std::string model = {};        // as the provider calls what answered
  std::string id = {};           // the provider's own of this answer; "" for none
  WireFacts wire = {};
  std::vector<ProviderAttempt> attempts = {};
};

// Pieces of an answer. They are for people who watch: only the whole answer is acted upon.
struct TextDelta {
  std::string text;
};
struct CallDelta {
  std::string name;
};
struct ArgumentsDelta {
  std::string text;
};
// What was told so far no longer counts: another try begins.
struct RestartDelta {
  std::string provider;
};
using ChatDelta = std::variant<TextDelta, CallDelta, ArgumentsDelta, RestartDelta>;
// Called on the loop of who asked; must not wait. Empty for nobody.
using DeltaSink = std::function<void(const ChatDelta& delta)>;

json::object ToJson(const TokenUsage& usage);
json::object ToJson(const ProviderAttempt& attempt);

}  // namespace falconer::agent
