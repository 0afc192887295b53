#pragma once
// Lists as headers and settings write them: "gzip, br;q=0.5".

#include <string_view>
#include <vector>

namespace falconer {

// The parts between commas, trimmed; those that are empty are left out. They point into `list`.
std::vector<std::string_view> ListParts(std::string_view list);

}  // namespace falconer
