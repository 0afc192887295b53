#pragma once
// The smallest picture and sound that are whole.

#include <string_view>

namespace falconer::test {

// One red pixel.
inline constexpr std::string_view kSamplePng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg"
    "==";
// One silent sample.
inline constexpr std::string_view kSampleWav =
    "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

}  // namespace falconer::test
