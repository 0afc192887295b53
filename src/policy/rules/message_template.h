#pragma once
// The message of an approval: text with ${names} of facts in it.

#include <optional>
#include <string>
#include <string_view>

#include "model/policy_facts.h"

namespace falconer::policy {

// The first ${name} that is no fact, or what is left of one that is not closed; nothing when the
// text is good.
std::optional<std::string> UnknownPlaceholder(std::string_view text);

// The text with the facts in place; "unknown" where there is none.
std::string FillMessage(std::string_view text, const model::PolicyFacts& facts,
                        std::string_view domain, model::Capability capability);

}  // namespace falconer::policy
