#pragma once
// ToolResult: what came of a call, in the one form that every caller is answered from.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/providers/chat_request.h"
#include "base/async/deadline.h"
#include "base/error.h"
#include "base/json/json.h"

namespace falconer::agent {

// What kind of failure it was: all that a loop has to know to go on.
enum class ToolErrorKind : std::uint8_t {
  kValidation,
  kPolicyDenied,
  kTimeout,
  kUnavailable,
  kExecution,
};

inline constexpr EnumName<ToolErrorKind> kToolErrorKinds[] = {
    {ToolErrorKind::kValidation, "validation_error"},
    {ToolErrorKind::kPolicyDenied, "policy_denied"},
    {ToolErrorKind::kTimeout, "tool_timeout"},
    {ToolErrorKind::kUnavailable, "tool_unavailable"},
    {ToolErrorKind::kExecution, "execution_error"},
};

struct ToolErrorRow {
  ErrorCode code;
  ToolErrorKind kind;
};

// One row for each code.
std::span<const ToolErrorRow> AllToolErrors();
ToolErrorKind KindOf(ErrorCode code);

struct ToolFailure {
  Error error;
  // Whether the same call may succeed later, and after how long it is worth trying.
  bool is_retriable = false;
  std::optional<std::chrono::milliseconds> retry_after = std::nullopt;

  // With what the table of codes says, and the retry_after_ms of the error's details.
  static ToolFailure Of(Error error);
  ToolErrorKind kind() const { return KindOf(error.code()); }
  // {"code", "message", "retryable", "retry_after_ms"?}. Details stay here: they may be a page's.
  json::object ToJson() const;
};

struct ToolResult {
  // For a model.
  std::string text = {};
  // From there on the text is made of what a page says.
  std::optional<std::size_t> page_at = std::nullopt;
  // The same for programs.
  std::optional<json::object> structured = std::nullopt;
  std::vector<ChatImage> images = {};
  // Ids of what it made.
  std::vector<std::string> artifacts = {};
  // Of the turns it took, and of what was held against it.
  std::vector<std::string> policy_flags = {};
  // Set when it did not succeed; the text says so too.
  std::optional<ToolFailure> failure = std::nullopt;
  int tries = 1;
  Duration took{0};
  // How the page was read, where there is more than one way; "" otherwise.
  std::string render_mode = {};
  // Its place on the trace.
  std::string step_id = {};

  bool ok() const { return !failure.has_value(); }
  // "execution_error"; "" for a success.
  std::string_view error_code() const;

  // Text and failure of a call that failed before its tool could say anything.
  static ToolResult Failed(ToolFailure failure);
};

}  // namespace falconer::agent
