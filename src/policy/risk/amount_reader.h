#pragma once
// Amounts of money in texts and fields.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/policy_facts.h"
#include "policy/body/request_body.h"

namespace falconer::policy {

// Every amount that stands beside a currency: "$1,234.56", "1.234,56 €", "USD 20", "10円". A sign
// that several currencies share counts as the most common one; "kr" says no currency.
std::vector<model::Money> AmountsIn(std::string_view text);

// The number alone, with whatever separators: "1.234,56", "1 234.56", "1'234". One separator before
// three digits separates thousands.
std::optional<std::int64_t> LooseTenThousandths(std::string_view text);

// Every amount that the fields of a request or a form name.
std::vector<model::Money> AmountsOf(std::span<const BodyField> fields);

// The amount that the fields of a request or a form name: the greatest, since nobody knows which
// one will be charged. Names that say so ("amount_cents") are read in the smaller unit. Nothing
// when there is none, or when there are several currencies.
std::optional<model::Money> AmountOf(std::span<const BodyField> fields);

// The greatest of several; nothing when there is none, or when there are several currencies.
std::optional<model::Money> GreatestOf(const std::vector<model::Money>& amounts);

}  // namespace falconer::policy
