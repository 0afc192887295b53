#pragma once
// HostPattern: one entry of an allow or deny list.
//
//   example.com          that host, any port
//   example.com:8443     that host, that port
//   *.example.com        every host below it, not itself
//   127.0.0.1, [::1]:80  that address
//   10.0.0.0/8           every address of that network; [fd00::]/8, 10.0.0.0/8:8080
//   *                    every public host (in a deny list: every host)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "policy/host_name.h"

namespace falconer::policy {

class HostPattern {
 public:
  // Fails with kInvalidArgument, quoting the text.
  static Result<HostPattern> Parse(std::string_view text);

  bool Matches(const Host& host, std::uint16_t port) const;
  // For a host that matches: whether it is meant in person (the host itself, its network, or a
  // suffix that is private like it) and not only covered along with others. Allowing what is not
  // public needs that; a metadata service must be named itself.
  bool Names(const Host& host) const;

  // Whether every host matches, ports aside.
  bool is_all() const { return kind_ == Kind::kAll; }
  // The addresses it is about; nothing when it is about a host or what is below one.
  const std::optional<IpNetwork>& network() const { return network_; }
  const std::string& text() const { return text_; }

 private:
  enum class Kind : std::uint8_t { kExact, kBelow, kNetwork, kAll };

  HostPattern(std::string text, Kind kind, std::optional<std::uint16_t> port)
      : text_(std::move(text)), kind_(kind), port_(port) {}

  std::string text_;
  Kind kind_;
  Host host_;  // of kExact; for kBelow: what is above
  std::optional<IpNetwork> network_;
  std::optional<std::uint16_t> port_;
};

// A port in decimal digits, without sign or space, from 1.
std::optional<std::uint16_t> ParsePort(std::string_view text);

}  // namespace falconer::policy
