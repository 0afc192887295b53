#pragma once
// CHECK(condition, "why"): for our own bugs and for states that leave no honest way on. Always on;
// says where and why on standard error and aborts. What a caller can meet in production is a
// Result instead.

#include <source_location>
#include <string_view>

namespace falconer {

[[noreturn]] void CheckFailed(std::string_view condition, std::string_view why,
                              std::source_location where = std::source_location::current());

}  // namespace falconer

#define CHECK(condition, why)                                   \
  do {                                                          \
    if (!(condition)) ::falconer::CheckFailed(#condition, why); \
  } while (false)
