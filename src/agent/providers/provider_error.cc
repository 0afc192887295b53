#include "agent/providers/provider_error.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace falconer::agent {
namespace {

using enum ProviderFault;

constexpr std::string_view kRetryAfterDetail = "retry_after_ms";

struct FaultCode {
  ProviderFault fault;
  ErrorCode code;
};

// The first row of a fault is the code it is reported with.
constexpr FaultCode kFaultCodes[] = {
    {kTimeout, ErrorCode::kTimeout},
    {kTimeout, ErrorCode::kDeadlineExceeded},
    {kOverload, ErrorCode::kProviderOverloaded},
    {kOverload, ErrorCode::kCircuitOpen},
    {kOverload, ErrorCode::kCircuitHalfOpen},
    {kBlocked, ErrorCode::kProviderBlocked},
    {kInfrastructure, ErrorCode::kProviderError},
    {kInfrastructure, ErrorCode::kNetworkError},
    {kInfrastructure, ErrorCode::kIoError},
    {kCancelled, ErrorCode::kCancelled},
    {kInvalidAnswer, ErrorCode::kProviderAnswerInvalid},
};

struct StatusFault {
  int status;
  ProviderFault fault;
  std::string_view reason;
};

constexpr StatusFault kStatusFaults[] = {
    {400, kBlocked, "request_refused"},
    {401, kBlocked, "key_refused"},
    {402, kBlocked, "not_paid"},
    {403, kBlocked, "key_refused"},
    {404, kBlocked, "unknown_model"},
    {408, kTimeout, ""},
    {409, kInfrastructure, ""},
    {413, kBlocked, "request_too_long"},
    {422, kBlocked, "request_refused"},
    {429, kOverload, ""},
    {503, kOverload, ""},
    {504, kTimeout, ""},
    {529, kOverload, ""},
};

struct WordFault {
  std::string_view word;
  ProviderFault fault;
  std::string_view reason;
};

// A word is more exact than a status: "insufficient_quota" comes with 429 and will not pass.
constexpr WordFault kWordFaults[] = {
    {"overloaded_error", kOverload, ""},
    {"rate_limit_error", kOverload, ""},
    {"rate_limit_exceeded", kOverload, ""},
    {"server_overloaded", kOverload, ""},
    {"timeout_error", kTimeout, ""},
    {"api_error", kInfrastructure, ""},
    {"server_error", kInfrastructure, ""},
    {"insufficient_quota", kBlocked, "not_paid"},
    {"billing_error", kBlocked, "not_paid"},
    {"authentication_error", kBlocked, "key_refused"},
    {"permission_error", kBlocked, "key_refused"},
    {"invalid_api_key", kBlocked, "key_refused"},
    {"not_found_error", kBlocked, "unknown_model"},
    {"model_not_found", kBlocked, "unknown_model"},
    {"request_too_large", kBlocked, "request_too_long"},
    {"context_length_exceeded", kBlocked, "request_too_long"},
    {"content_filter", kBlocked, kContentRefused},
    {"content_policy_violation", kBlocked, kContentRefused},
    {"invalid_prompt", kBlocked, kContentRefused},
    {"invalid_request_error", kBlocked, "request_refused"},
};

// What a status says that has no row.
StatusFault FaultOfStatus(int status) {
  const auto* row = std::ranges::find(kStatusFaults, status, &StatusFault::status);
  if (row != std::end(kStatusFaults)) return *row;
  if (status >= 500 || status == 0) return {status, kInfrastructure, ""};
  if (status >= 400) return {status, kBlocked, "request_refused"};
  return {status, kInvalidAnswer, ""};
}

const WordFault* FaultOfWords(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const auto* row = std::ranges::find(kWordFaults, word, &WordFault::word);
    if (row != std::end(kWordFaults)) return row;
  }
  return nullptr;
}

// Words go into messages only when they look like one.
bool IsErrorWord(std::string_view word) {
  constexpr std::size_t kMaxWord = 64;
  return !word.empty() && word.size() <= kMaxWord && std::ranges::all_of(word, [](char c) {
    return IsLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
  });
}

std::string MessageOf(const ErrorReport& report) {
  std::string text = report.status == 0 ? "the provider broke its answer off"
                                        : "the provider answered " + std::to_string(report.status);
  const auto word = std::ranges::find_if(report.words, IsErrorWord);
  if (word != report.words.end()) text += " (" + *word + ")";
  return text;
}

}  // namespace

Error ProviderFailure(ProviderFault fault, std::string message, std::string_view reason) {
  const auto* row = std::ranges::find(kFaultCodes, fault, &FaultCode::fault);
  json::object details{{"class", NameIn(kProviderFaults, fault)}};
  if (!reason.empty()) details["reason"] = reason;
  return {row->code, std::move(message), std::move(details)};
}

ProviderFault FaultOf(const Error& error) {
  const auto* row = std::ranges::find(kFaultCodes, error.code(), &FaultCode::code);
  return row == std::end(kFaultCodes) ? kBlocked : row->fault;
}

bool IsContentRefusal(const Error& error) {
  return error.code() == ErrorCode::kProviderBlocked &&
         TextAt(error.details(), "reason") == kContentRefused;
}

std::optional<std::chrono::milliseconds> RetryAfterOf(const Error& error) {
  const json::value* value = error.details().if_contains(kRetryAfterDetail);
  if (value == nullptr || !value->is_int64()) return std::nullopt;
  return std::chrono::milliseconds(value->get_int64());
}

Error ReportedFailure(const ErrorReport& report) {
  StatusFault fault = FaultOfStatus(report.status);
  if (const WordFault* word = FaultOfWords(report.words))
    fault = {report.status, word->fault, word->reason};
  const Error plain = ProviderFailure(fault.fault, MessageOf(report), fault.reason);
  json::object details = plain.details();
  if (report.status != 0) details["status"] = report.status;
  if (report.retry_after) details[kRetryAfterDetail] = report.retry_after->count();
  return {plain.code(), plain.message(), std::move(details)};
}

std::optional<std::chrono::milliseconds> ParseRetryAfter(std::string_view seconds) {
  constexpr double kMaxSeconds = 86'400;
  double value = 0;
  const char* const end = seconds.data() + seconds.size();
  const auto [stop, failed] = std::from_chars(seconds.data(), end, value);
  if (failed != std::errc() || stop != end || !(value >= 0 && value <= kMaxSeconds))
    return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(value * 1000));
}

}  // namespace falconer::agent
