#pragma once
// How many tokens a text costs a model, without the megabytes of a tokenizer's tables: text is cut
// into pieces as current byte-pair tokenizers do it, and each kind of piece has a price. Meant to
// be a little too high, never too low: a budget kept by the estimate is kept.

#include <cstddef>
#include <string_view>

namespace falconer::model {

std::size_t EstimateTokens(std::string_view utf8);

}  // namespace falconer::model
