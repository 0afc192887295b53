#pragma once
// Texts of pages that have several lines, or markdown in them, on their way to a model.

#include <string>
#include <string_view>

#include "api/tools/view_guard.h"

namespace falconer::api {

// A line as it may be shown. What would be put away without its markup is put away with it.
std::string CleanLine(std::string_view line, ViewGuard& guard);

}  // namespace falconer::api
