#pragma once
// HostPattern: one entry of an allow or deny list.
//
//   example.com          that host, any port
//   example.com:8443     that host, that port
//   *.example.com        every host below it, not itself
//   127.0.0.1, [::1]:80  that address
//   *                    every public host (in a deny list: every host)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "policy/host_name.h"

namespace falconer::policy {

class HostPattern {
 public:
  // Fails with kInvalidArgument, quoting the text.
  static Result<HostPattern> Parse(std::string_view text);

  bool Matches(const Host& host, std::uint16_t port) const;
  // For a host that matches: whether it is meant in person (the host itself, or a suffix that is
  // private like it) and not only covered along with others. Allowing what is not public needs
  // that.
  bool Names(const Host& host) const;

  // Whether it is one host and no other.
  bool is_exact() const { return kind_ == Kind::kExact; }
  const std::string& text() const { return text_; }

 private:
  enum class Kind : std::uint8_t { kExact, kBelow, kAll };

  HostPattern(std::string text, Kind kind, Host host, std::optional<std::uint16_t> port);

  std::string text_;
  Kind kind_;
  Host host_;  // for kBelow: what is above
  std::optional<std::uint16_t> port_;
};

// A port in decimal digits, without sign or space, from 1.
std::optional<std::uint16_t> ParsePort(std::string_view text);

}  // namespace falconer::policy
