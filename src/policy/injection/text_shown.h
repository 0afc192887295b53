#pragma once
// Whether people see a text, judged from what was observed of it (model/text_visibility.h).

#include <string_view>

#include "model/text_visibility.h"

namespace falconer::policy {

// Why people do not see the text: "not_displayed", "tiny", "transparent", "no_contrast",
// "clipped", "off_screen", "covered", "empty_box", "attribute"; "" when they do. aria-hidden text
// is seen; it only counts for the filter.
std::string_view WhyNotSeen(const model::TextVisibility& facts);

}  // namespace falconer::policy
