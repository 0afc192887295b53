#pragma once
// Whether people see a text, judged from what was observed of it (model/text_visibility.h).

#include <string_view>

#include "model/text_visibility.h"

namespace falconer::policy {

// Why people do not see the text: "not_displayed", "tiny", "transparent", "no_contrast",
// "clipped", "off_screen", "covered", "empty_box", "attribute"; "" when they do. aria-hidden text
// is seen; it only counts for the filter.
std::string_view WhyNotSeen(const model::TextVisibility& facts);

// Of the words of one text, how many the other has too, 0 to 1 (of the union).
double WordSimilarity(std::string_view left, std::string_view right);

// Whether what was extracted from a page is another text than what it shows: both are long, and
// they have next to nothing in common.
bool IsAnotherText(std::string_view extracted, std::string_view visible);

}  // namespace falconer::policy
