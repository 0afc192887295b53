#pragma once
// The amount that a token limits purchases to. Amounts in different currencies are never compared:
// there is no rate that could be trusted.

#include <string_view>

#include "base/json/json.h"
#include "model/policy_facts.h"

namespace falconer::policy {

// {"amount": number or text, "currency": "EUR"}, or only a number, which is then in
// `default_currency`. Not negative; at most four decimals. kInvalidArgument.
Result<model::Money> ParseTokenAmount(const json::value& value, std::string_view default_currency);
json::object TokenAmountJson(const model::Money& amount);

}  // namespace falconer::policy
