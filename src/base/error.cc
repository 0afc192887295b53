#include "base/error.h"

#include <utility>

namespace falconer {
namespace {

using enum Retry;
using enum TemporalRule;

constexpr ErrorTraits kTable[] = {
#define FALCONER_X(id, name, http, rpc, retry, temporal) \
  {ErrorCode::id, name, http, rpc, retry, temporal},
    FALCONER_ERROR_CODES(FALCONER_X)
#undef FALCONER_X
};

}  // namespace

const ErrorTraits& TraitsOf(ErrorCode code) {
  return kTable[std::to_underlying(code)];
}

std::span<const ErrorTraits> AllErrorCodes() {
  return kTable;
}

std::optional<ErrorCode> ErrorCodeNamed(std::string_view name) {
  for (const ErrorTraits& row : kTable) {
    if (row.name == name) return row.code;
  }
  return std::nullopt;
}

Error Error::In(std::string_view where) && {
  return Error(code_, std::string(where) + ": " + message_, std::move(details_));
}

boost::json::object Error::ToJson() const {
  boost::json::object json{{"code", name()}, {"message", message_}, {"retryable", is_retryable()}};
  if (!details_.empty()) json["details"] = details_;
  return json;
}

std::string Describe(const Error& error) {
  return std::string(error.name()) + ": " + error.message();
}

}  // namespace falconer
