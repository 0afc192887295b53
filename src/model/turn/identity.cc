#include "model/turn/identity.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/json/json.h"
#include "base/sha256.h"
#include "base/text.h"

namespace falconer::model {
namespace {

constexpr std::string_view kPrefix = "evt/";
constexpr std::string_view kNoTurn = "-";
constexpr std::size_t kMaxIdentityLength = 128;
constexpr std::size_t kNumberDigits = 6;

bool IsIdentityChar(char c) {
  return IsLetterOrDigit(c) || c == '.' || c == '_' || c == ':' || c == '-';
}

std::unexpected<Error> NotAnEventId() {
  return Fail(ErrorCode::kInvalidArgument, "event_id must look like evt/<session>/<turn>/000001");
}

// Digits only, without more leading zeros than the six-digit form has.
std::optional<std::int64_t> ParseNumber(std::string_view text) {
  if (text.size() < kNumberDigits || !std::ranges::all_of(text, IsDigit)) return std::nullopt;
  if (text.size() > kNumberDigits && text[0] == '0') return std::nullopt;
  const std::optional<std::int64_t> number = ParseWhole(text);
  return number && *number > 0 ? number : std::nullopt;
}

}  // namespace

TurnId MakeTurnId(const SessionId& session, std::int64_t number) {
  return TurnId(fmt::format("{}.t{:06}", session.value(), number));
}

std::string FormatEventId(const EventName& name) {
  const std::string_view turn = name.turn.empty() ? kNoTurn : std::string_view(name.turn.value());
  return fmt::format("{}{}/{}/{:06}", kPrefix, name.session.value(), turn, name.number);
}

Result<EventName> ParseEventId(std::string_view text) {
  if (!text.starts_with(kPrefix)) return NotAnEventId();
  text.remove_prefix(kPrefix.size());
  const std::size_t first = text.find('/');
  const std::size_t second = first == text.npos ? first : text.find('/', first + 1);
  if (second == text.npos) return NotAnEventId();
  const std::string_view session = text.substr(0, first);
  const std::string_view turn = text.substr(first + 1, second - first - 1);
  const std::optional<std::int64_t> number = ParseNumber(text.substr(second + 1));
  if (!number || !CheckIdText("session_id", session) || !CheckIdText("turn_id", turn)) {
    return NotAnEventId();
  }
  return EventName{.session = SessionId(std::string(session)),
                   .turn = TurnId(turn == kNoTurn ? std::string() : std::string(turn)),
                   .number = *number};
}

Result<void> CheckIdText(std::string_view what, std::string_view id) {
  if (!id.empty() && id.size() <= kMaxIdentityLength && std::ranges::all_of(id, IsIdentityChar))
    return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} must be 1 to {} letters, digits, '.', '_', ':' or '-'", what,
                          kMaxIdentityLength));
}

std::string IdempotencyKey(const TenantId& tenant, const WorkflowId& workflow,
                           std::string_view action_id) {
  const json::array parts{tenant.value(), workflow.value(), action_id};
  return Sha256Hex(json::serialize(parts));
}

}  // namespace falconer::model
