#include "api/http/idempotency_key.h"

#include "base/text.h"

namespace falconer::api {
namespace {

constexpr std::size_t kLongestKey = 255;

}  // namespace

Result<std::optional<std::string>> IdempotencyKey(const net::HttpRequest& request) {
  const auto header = request.headers.Find("idempotency-key");
  if (!header) return std::nullopt;
  std::string_view key = Trim(*header);
  if (key.size() >= 2 && key.starts_with('"') && key.ends_with('"'))
    key = key.substr(1, key.size() - 2);
  if (key.empty() || key.size() > kLongestKey) {
    return Fail(ErrorCode::kInvalidArgument,
                "Idempotency-Key: must have 1 to " + std::to_string(kLongestKey) + " characters");
  }
  return std::string(key);
}

}  // namespace falconer::api
