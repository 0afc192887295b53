#pragma once
// Traffic: what people and agents might do on many sites, made up: the same each time. From each
// step a few others follow, some of them often; each site has pages of its own.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace falconer::bench {

struct TrafficStep {
  std::vector<std::uint64_t> history;  // of the session, oldest first
  std::uint64_t page = 0;
  std::uint64_t next = 0;
};

class Traffic {
 public:
  explicit Traffic(std::uint64_t seed) : chance_(seed) {}

  // The next step of the session, or the first one of another.
  TrafficStep Next();

  // What the step is called, as an action's signature.
  static std::string SignatureOf(std::uint64_t symbol);

 private:
  void BeginSession();

  std::mt19937_64 chance_;
  std::vector<std::uint64_t> session_;
  std::uint64_t site_ = 0;
  std::uint64_t place_ = 0;
  std::size_t length_ = 0;
};

}  // namespace falconer::bench
