#pragma once
// What can go wrong with a provider, in six classes. The class is the code: one row of the error
// table each. What a provider says in words is not repeated, because it may quote the key or the
// page; its short error words are.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::agent {

enum class ProviderFault : std::uint8_t {
  kTimeout,
  kOverload,
  kBlocked,         // it will not answer this, or not to us
  kInfrastructure,  // it broke, or cannot be reached
  kCancelled,
  kInvalidAnswer,
};

inline constexpr EnumName<ProviderFault> kProviderFaults[] = {
    {ProviderFault::kTimeout, "timeout"},
    {ProviderFault::kOverload, "overload"},
    {ProviderFault::kBlocked, "blocked"},
    {ProviderFault::kInfrastructure, "infrastructure_failure"},
    {ProviderFault::kCancelled, "cancelled"},
    {ProviderFault::kInvalidAnswer, "invalid_answer"},
};

// Why a provider blocks; the detail "reason" of the error.
inline constexpr std::string_view kContentRefused = "content_refused";

// The error of a fault: "class", and "reason" where one is given, are in its details.
Error ProviderFailure(ProviderFault fault, std::string message, std::string_view reason = {});

// The class of any error that asking a provider can end with. Codes that are no provider's own
// (of a secret that cannot be had, say) count as blocked: asking the same again is of no use.
ProviderFault FaultOf(const Error& error);
// Whether a model refused what it was asked. Nobody else is asked instead: that would be shopping
// for the one that does not refuse.
bool IsContentRefusal(const Error& error);
// How long the provider asked to be left alone.
std::optional<std::chrono::milliseconds> RetryAfterOf(const Error& error);

// What an answer with an error status, or an error inside of a stream, says.
struct ErrorReport {
  int status = 0;  // 0: inside of a stream
  std::vector<std::string> words =
      {};  // "overloaded_error", "rate_limit_exceeded"; exact ones first
  std::optional<std::chrono::milliseconds> retry_after = {};
};

// By the first of its words that is known, or else by its status.
Error ReportedFailure(const ErrorReport& report);

// The seconds of a Retry-After header, whole or not, up to a day. Nothing for anything else: a date
// is as good as no word, because clocks differ.
std::optional<std::chrono::milliseconds> ParseRetryAfter(std::string_view seconds);

}  // namespace falconer::agent
