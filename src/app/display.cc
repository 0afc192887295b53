#include "app/display.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace falconer::app {
namespace {

constexpr const char* kDisplays[] = {"DISPLAY", "WAYLAND_DISPLAY"};

bool IsSet(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets it
  return value != nullptr && *value != '\0';
}

}  // namespace

bool HasDisplay() {
  return std::any_of(std::begin(kDisplays), std::end(kDisplays), IsSet);
}

}  // namespace falconer::app
