#include "policy/tokens/token_amount.h"

#include "base/json/canonical_json.h"

namespace falconer::policy {
namespace {

std::unexpected<Error> BadAmount(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, std::string(why));
}

Result<std::int64_t> AmountOf(const json::value& value) {
  const json::string* text = value.if_string();
  if (text == nullptr && !value.is_number()) return BadAmount("amount: expected a number");
  // The shortest text that means a number is what was written: 19.99, not 19.989999.
  const std::string digits =
      text != nullptr ? std::string(*text) : EcmaNumber(value.to_number<double>());
  const std::optional<std::int64_t> amount = model::ParseTenThousandths(digits);
  if (amount && *amount >= 0) return *amount;
  return BadAmount("amount: expected digits such as 19.99, with at most four decimals");
}

}  // namespace

Result<model::Money> ParseTokenAmount(const json::value& value, std::string_view default_currency) {
  const json::object* object = value.if_object();
  if (object == nullptr) {
    TRY_ASSIGN(const std::int64_t amount, AmountOf(value));
    return model::Money{amount, std::string(default_currency)};
  }
  const json::value* number = object->if_contains("amount");
  if (number == nullptr || object->size() != 2) {
    return BadAmount("expected {\"amount\", \"currency\"}");
  }
  std::string currency = TextAt(*object, "currency");
  if (!model::IsCurrencyCode(currency)) {
    return BadAmount("currency: expected three capital letters");
  }
  TRY_ASSIGN(const std::int64_t amount, AmountOf(*number));
  return model::Money{amount, std::move(currency)};
}

json::object TokenAmountJson(const model::Money& amount) {
  return {{"amount", model::Money{amount.ten_thousandths, ""}.ToText()},
          {"currency", amount.currency}};
}

}  // namespace falconer::policy
