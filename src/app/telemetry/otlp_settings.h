#pragma once
// Where spans are exported to, as the settings say.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/settings/settings.h"
#include "net/https_client.h"
#include "policy/secrets/secret_reference.h"

namespace falconer::app {

// A header whose value may name secrets, which are looked up when it is sent.
struct OtlpHeader {
  // A text, or a secret in its place.
  struct Piece {
    std::string text;
    std::optional<policy::SecretReference> secret = {};
    bool operator==(const Piece&) const = default;
  };
  std::string name;
  std::vector<Piece> value;
};

struct OtlpConfig {
  std::string url;  // of the collector's traces
  std::vector<OtlpHeader> headers = {};
  net::TlsTrust trust = {};
  // Of all traces, chosen by their ids.
  double sample_ratio = 1;
  // Spans that may wait, and that are sent at once.
  std::size_t queue = 4096;
  std::size_t batch = 256;
  // How long spans wait for others to go with.
  Duration gather = std::chrono::seconds(1);
  Duration timeout = std::chrono::seconds(10);
  // How long to wait before each further try; the collector may ask for more, up to a limit.
  std::vector<Duration> pauses = {std::chrono::milliseconds(500), std::chrono::seconds(2),
                                  std::chrono::seconds(5), std::chrono::seconds(10)};
  Duration longest_pause = std::chrono::seconds(60);
  // For what still waits when the program ends.
  Duration flush = std::chrono::seconds(3);
};

// "NAME=VALUE", with {secret:NAME} or {secret:NAME:FIELD} in the value. kInvalidArgument.
Result<OtlpHeader> ParseOtlpHeader(std::string_view text);

// Nothing when there is no endpoint. kInvalidSetting.
Result<std::optional<OtlpConfig>> OtlpFrom(const Settings& settings);

// Whether a ratio of all traces has this one: the same answer everywhere, by the last 56 bits of
// its id as OpenTelemetry asks.
bool IsSampled(std::string_view trace_id, double ratio);

}  // namespace falconer::app
