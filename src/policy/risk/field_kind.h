#pragma once
// What a field holds, by its type, its autocomplete attribute, its name and its label.

#include <string>
#include <string_view>
#include <unordered_map>

#include "model/policy_facts.h"

namespace falconer::policy {

model::FieldKind KindOf(const model::FieldFacts& field);
// By the name alone, as fields of requests have it; a path such as "payment.card.number" is one.
model::FieldKind KindOfName(std::string_view name);

// KindOfName for many names: those that differ only in their numbers, as items of a list do, are
// looked at once.
class FieldKinds {
 public:
  model::FieldKind Of(std::string_view name);

 private:
  std::unordered_map<std::string, model::FieldKind> known_;
};

// Fills in `kinds`.
void ClassifyFields(model::FormFacts& form);

// 13 to 19 digits, with spaces or dashes at most, that pass the Luhn check.
bool LooksLikeCardNumber(std::string_view text);

}  // namespace falconer::policy
