#pragma once
// The environment variables that steer a benchmark.

#include <cstdlib>
#include <string>

namespace falconer::bench {

inline std::string FromEnvironment(const char* name, std::string otherwise) {
  // Nothing in a benchmark changes its environment, so reading it is safe on any thread.
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr ? value : std::move(otherwise);
}

}  // namespace falconer::bench
