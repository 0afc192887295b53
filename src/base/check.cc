#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace falconer {

void CheckFailed(std::string_view condition, std::string_view why, std::source_location where) {
  fmt::print(stderr, "{}:{}: check failed: {} ({})\n", where.file_name(), where.line(), why,
             condition);
  std::abort();
}

}  // namespace falconer
