#pragma once
// Error and Result<T>: how every room reports an expected failure. Exceptions are for nobody: those
// of libraries are turned into an Error in the function that calls the library.

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "base/error_codes.h"

namespace falconer {

// May the same request succeed if it is simply sent again?
enum class Retry { kFinal, kRetryable };
// Does a Temporal activity failing with this code let the service retry it?
enum class TemporalRule { kNoRetry, kMayRetry };

struct ErrorTraits {
  ErrorCode code;
  std::string_view name;
  int http_status;
  int json_rpc_code;
  Retry retry;
  TemporalRule temporal;
};

// The row of a code.
const ErrorTraits& TraitsOf(ErrorCode code);
// All rows, in the order of the table.
std::span<const ErrorTraits> AllErrorCodes();
// The code with this stable name, if there is one.
std::optional<ErrorCode> ErrorCodeNamed(std::string_view name);

class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}
  Error(ErrorCode code, std::string message, boost::json::object details)
      : code_(code), message_(std::move(message)), details_(std::move(details)) {}

  ErrorCode code() const { return code_; }
  std::string_view name() const { return TraitsOf(code_).name; }
  const std::string& message() const { return message_; }
  // Machine-readable facts (candidates, the interceptor, the field at fault). Never page secrets.
  const boost::json::object& details() const { return details_; }
  bool is_retryable() const { return TraitsOf(code_).retry == Retry::kRetryable; }

  // Prefixes the message: "navigate: " + message. Use at a room's border, once.
  Error In(std::string_view where) &&;
  // {"code", "message", "retryable", "details"?}: the one JSON form of an error.
  boost::json::object ToJson() const;

 private:
  ErrorCode code_;
  std::string message_;
  boost::json::object details_;
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Fail(ErrorCode code, std::string message) {
  return std::unexpected(Error(code, std::move(message)));
}

inline std::unexpected<Error> Fail(Error error) {
  return std::unexpected(std::move(error));
}

// "CODE: message", for logs, terminals and test output.
std::string Describe(const Error& error);

}  // namespace falconer

#define FALCONER_CONCAT_INNER(a, b) a##b
#define FALCONER_CONCAT(a, b) FALCONER_CONCAT_INNER(a, b)
#define FALCONER_ASSIGN_IMPL(ret, tmp, decl, expr)       \
  auto tmp = (expr);                                     \
  if (!tmp) ret std::unexpected(std::move(tmp).error()); \
  decl = *std::move(tmp)
#define FALCONER_TRY_IMPL(ret, tmp, expr)                  \
  do {                                                     \
    auto tmp = (expr);                                     \
    if (!tmp) ret std::unexpected(std::move(tmp).error()); \
  } while (false)

// Declares `decl` from a Result-returning expression, or returns its error.
#define TRY_ASSIGN(decl, expr) \
  FALCONER_ASSIGN_IMPL(return, FALCONER_CONCAT(result_, __LINE__), decl, expr)
#define CO_TRY_ASSIGN(decl, expr) \
  FALCONER_ASSIGN_IMPL(co_return, FALCONER_CONCAT(result_, __LINE__), decl, expr)
// Returns the error of a Result-returning expression, if it has one.
#define TRY(expr) FALCONER_TRY_IMPL(return, FALCONER_CONCAT(result_, __LINE__), expr)
#define CO_TRY(expr) FALCONER_TRY_IMPL(co_return, FALCONER_CONCAT(result_, __LINE__), expr)
