#pragma once
// What the name of a field says about its value: "password", "cc-number", "X-Api-Key",
// "user[secret_token]".

#include <cstdint>
#include <optional>
#include <string_view>

#include "policy/redaction/finding.h"

namespace falconer::policy {

// A token that is a number counts something ("tokens": 512); a card number may be one.
enum class NumberRule : std::uint8_t { kStays, kIsSecretToo };

struct FieldMeaning {
  FindingKind kind;
  NumberRule numbers;
};

// Without regard to case, separators and percent escapes. Nothing for ordinary names, among them
// counts ("tokens_used") and places in lists ("next_page_token").
std::optional<FieldMeaning> MeaningOfField(std::string_view name);

// Whether a name that ends where the text ends can mean anything: a quick look before the exact
// one, which needs the beginning of the name.
bool CanEndFieldName(std::string_view text);

}  // namespace falconer::policy
