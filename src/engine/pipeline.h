#pragma once
// The one pipeline there is, by name: what a plan says it was made for.

#include <string_view>

namespace falconer::engine {

inline constexpr std::string_view kPipelineVersion = "falconer-1";
inline constexpr std::string_view kGraph = "graph/contract";
inline constexpr std::string_view kProfile = "simple";

}  // namespace falconer::engine
