#pragma once
// Texts and identifiers as lists of words, folded (policy/rules/fold_text.h).

#include <string>
#include <string_view>
#include <vector>

namespace falconer::policy {

using Words = std::vector<std::string>;

// The words of a text that people read. Letters of other scripts are part of words; digits are
// words of their own.
Words WordsOf(std::string_view text);

// The words of a name that programs read: "deleteItem", "delete-item" and "items[delete]" all hold
// "delete" and "item" or "items".
Words IdentifierWords(std::string_view identifier);

// Whether the words of `phrase` (folded, separated by spaces) stand one after the other in `words`.
bool HasPhrase(const Words& words, std::string_view phrase);

}  // namespace falconer::policy
