#pragma once
// How events are told apart in a stream of bytes. Pieces may end anywhere.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace falconer::agent {

struct WireEvent {
  std::string name = {};  // "" where the framing has none
  std::string data;
};

// How much one event may hold.
inline constexpr std::size_t kMaxEventBytes = std::size_t{4} << 20;

class WireReader {
 public:
  virtual ~WireReader() = default;
  // The events that these bytes complete. kProviderAnswerInvalid for one that is too long.
  virtual Result<std::vector<WireEvent>> Take(std::string_view bytes) = 0;
  // Nothing more comes: what is left, if the framing lets an event end so.
  virtual std::vector<WireEvent> End() = 0;
};

enum class Framing : std::uint8_t { kServerSentEvents, kLines };

std::unique_ptr<WireReader> MakeWireReader(Framing framing);

}  // namespace falconer::agent
