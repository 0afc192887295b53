#pragma once
// The server name in the first bytes of a TLS connection. A tunnel is opened for one host; a client
// that then asks the server for another one would reach past the rules.

#include <cstdint>
#include <string>
#include <string_view>

namespace falconer::net {

struct HelloName {
  enum class Found : std::uint8_t {
    kNeedMore,  // the greeting is not whole yet
    kTooLong,   // nor is it going to be
    kNotTls,    // something else is spoken here
    kNone,      // a greeting without a name
    kName,
  };
  Found found = Found::kNotTls;
  std::string name = {};  // lower case
};

// Beyond this many bytes a greeting is no longer waited for.
inline constexpr std::size_t kMaxHelloBytes = std::size_t{32} << 10;

HelloName ReadHelloName(std::string_view bytes);

}  // namespace falconer::net
