#pragma once
// DefaultPort: the port of an address that names none.

#include <cstdint>
#include <string_view>

namespace falconer::model {

struct SchemePort {
  std::string_view scheme;
  std::uint16_t port;
};

// The schemes whose addresses have a host that something is sent to.
inline constexpr SchemePort kDefaultPorts[] = {
    {"https", 443}, {"http", 80}, {"wss", 443}, {"ws", 80}};

// 0 for every other scheme. `scheme` is in lower case, without the colon.
constexpr std::uint16_t DefaultPort(std::string_view scheme) {
  for (const SchemePort& row : kDefaultPorts) {
    if (row.scheme == scheme) return row.port;
  }
  return 0;
}

}  // namespace falconer::model
