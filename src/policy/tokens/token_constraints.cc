#include "policy/tokens/token_constraints.h"

#include <algorithm>

#include "policy/tokens/pattern_overlap.h"
#include "policy/tokens/token_fault.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kMostDomains = 256;
constexpr std::size_t kMostWindows = 16;
constexpr std::int64_t kMostTimeLimit = 86'400;

std::unexpected<Error> BadConstraint(std::string_view member, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument,
              "constraints." + std::string(member) + ": " + std::string(why));
}

Result<void> ReadDomains(const json::value& value, std::string_view /*currency*/,
                         TokenConstraints& out) {
  const json::array* list = value.if_array();
  if (list == nullptr || list->size() > kMostDomains) {
    return BadConstraint("domains", "expected a list of at most 256 hosts");
  }
  out.domains.emplace();
  for (const json::value& item : *list) {
    const json::string* text = item.if_string();
    if (text == nullptr) return BadConstraint("domains", "expected texts");
    Result<HostPattern> pattern = HostPattern::Parse(*text);
    if (!pattern) return BadConstraint("domains", pattern.error().message());
    out.domains->push_back(*std::move(pattern));
  }
  return {};
}

Result<void> ReadMaxPurchase(const json::value& value, std::string_view currency,
                             TokenConstraints& out) {
  Result<model::Money> amount = ParseTokenAmount(value, currency);
  if (!amount) return BadConstraint("max_purchase", amount.error().message());
  out.max_purchase = *std::move(amount);
  return {};
}

Result<void> ReadPiiAccess(const json::value& value, std::string_view /*currency*/,
                           TokenConstraints& out) {
  if (!value.is_bool()) return BadConstraint("pii_access", "expected true or false");
  out.pii_access = value.get_bool();
  return {};
}

Result<void> ReadTimeLimit(const json::value& value, std::string_view /*currency*/,
                           TokenConstraints& out) {
  const std::int64_t* seconds = value.if_int64();
  if (seconds == nullptr || *seconds < 1 || *seconds > kMostTimeLimit) {
    return BadConstraint("time_limit", "expected whole seconds, from 1 to 86400");
  }
  out.time_limit = std::chrono::seconds(*seconds);
  return {};
}

Result<void> ReadTimeWindows(const json::value& value, std::string_view /*currency*/,
                             TokenConstraints& out) {
  const json::array* list = value.if_array();
  if (list == nullptr || list->size() > kMostWindows) {
    return BadConstraint("time_windows", "expected a list of at most 16 windows");
  }
  for (const json::value& item : *list) {
    Result<TokenWindow> window = ParseTokenWindow(item);
    if (!window) return BadConstraint("time_windows", window.error().message());
    out.time_windows.push_back(*std::move(window));
  }
  return {};
}

struct ConstraintRow {
  std::string_view name;
  Result<void> (*read)(const json::value& value, std::string_view currency, TokenConstraints& out);
};

constexpr ConstraintRow kConstraintRows[] = {
    {"domains", &ReadDomains},          {"max_purchase", &ReadMaxPurchase},
    {"pii_access", &ReadPiiAccess},     {"time_limit", &ReadTimeLimit},
    {"time_windows", &ReadTimeWindows},
};

// Where both have it the smaller one, else the one there is.
template <typename T>
std::optional<T> Smaller(const std::optional<T>& one, const std::optional<T>& other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

Result<std::optional<model::Money>> SmallerAmount(const std::optional<model::Money>& one,
                                                  const std::optional<model::Money>& other) {
  if (!one || !other) return one ? one : other;
  if (one->currency != other->currency) return RefuseToken(TokenFault::kCurrencyOther);
  return one->ten_thousandths < other->ten_thousandths ? one : other;
}

std::optional<std::vector<HostPattern>> CommonDomains(
    const std::optional<std::vector<HostPattern>>& one,
    const std::optional<std::vector<HostPattern>>& other) {
  if (!one || !other) return one ? one : other;
  return OverlapOf(*one, *other);
}

}  // namespace

Result<TokenConstraints> ParseTokenConstraints(const json::value& value,
                                               std::string_view default_currency) {
  const json::object* object = value.if_object();
  if (object == nullptr) return Fail(ErrorCode::kInvalidArgument, "constraints: expected object");
  TokenConstraints out;
  for (const json::key_value_pair& member : *object) {
    const std::string_view name = member.key();
    const auto* const row = std::ranges::find(kConstraintRows, name, &ConstraintRow::name);
    if (row == std::end(kConstraintRows)) {
      return Fail(ErrorCode::kInvalidArgument, "constraints: there is a limit not known here");
    }
    TRY(row->read(member.value(), default_currency, out));
  }
  return out;
}

json::object ToJson(const TokenConstraints& constraints) {
  json::object out;
  if (constraints.domains) {
    json::array texts;
    for (const HostPattern& pattern : *constraints.domains) texts.emplace_back(pattern.text());
    out["domains"] = std::move(texts);
  }
  if (constraints.max_purchase) out["max_purchase"] = TokenAmountJson(*constraints.max_purchase);
  if (constraints.pii_access) out["pii_access"] = *constraints.pii_access;
  if (constraints.time_limit) out["time_limit"] = constraints.time_limit->count();
  if (!constraints.time_windows.empty()) {
    json::array windows;
    for (const TokenWindow& window : constraints.time_windows) windows.push_back(ToJson(window));
    out["time_windows"] = std::move(windows);
  }
  return out;
}

Result<TokenConstraints> Narrower(const TokenConstraints& one, const TokenConstraints& other) {
  TokenConstraints out{.domains = CommonDomains(one.domains, other.domains),
                       .pii_access = Smaller(one.pii_access, other.pii_access),
                       .time_limit = Smaller(one.time_limit, other.time_limit),
                       .time_windows = one.time_windows};
  TRY_ASSIGN(out.max_purchase, SmallerAmount(one.max_purchase, other.max_purchase));
  for (const TokenWindow& window : other.time_windows) {
    const bool is_new = std::ranges::find(out.time_windows, window) == out.time_windows.end();
    if (is_new) out.time_windows.push_back(window);
  }
  return out;
}

}  // namespace falconer::policy
