#pragma once
// What was seen on the network: events, their summary, and the pure functions that judge an answer.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

inline constexpr std::size_t kMaxSummaryFailures = 20;
inline constexpr std::size_t kMaxSignature = 80;  // bytes
// The error signature of a request that never left because a rule forbids it.
inline constexpr std::string_view kBlockedByRule = "blocked_by_rule";

enum class NetworkEventKind : std::uint8_t { kRequest, kResponse, kRequestFailed };

inline constexpr EnumName<NetworkEventKind> kNetworkEventKinds[] = {
    {NetworkEventKind::kRequest, "request"},
    {NetworkEventKind::kResponse, "response"},
    {NetworkEventKind::kRequestFailed, "request_failed"},
};

struct NetworkEvent {
  std::uint64_t seq = 0;            // rises by one with every event of a session
  std::chrono::milliseconds ts{0};  // since the Unix epoch
  NetworkEventKind kind = NetworkEventKind::kRequest;
  std::string method;
  std::string url;
  std::string route_key;
  int status = 0;  // 0 before there is an answer
  std::optional<std::chrono::milliseconds> latency;
  std::string content_type;
  std::string json_shape_hash;  // "" when the body is not JSON or was not read
  bool silent_failure = false;  // a status that says success, a body that does not
  std::string error_signature;
  std::string resource_type;
  std::string request_id;
  std::string frame;
  bool from_worker = false;
  bool from_cache = false;  // answered without asking the server

  // "2xx" and so on, "" without a status.
  std::string status_class() const;
  bool is_failure() const;
  // All fields; those without a value are left out.
  json::object ToJson() const;
  // Strict. Fails with kInvalidArgument.
  static Result<NetworkEvent> FromJson(const json::value& value);
  bool operator==(const NetworkEvent&) const = default;
};

struct NetworkSummary {
  std::size_t requests = 0;
  std::size_t responses = 0;
  std::size_t failed = 0;         // requests that got no answer
  std::size_t refused = 0;        // those of them that a rule forbids
  std::size_t client_errors = 0;  // 4xx
  std::size_t server_errors = 0;  // 5xx
  std::size_t silent_failures = 0;
  std::size_t dropped = 0;             // events that no longer fit the ring
  std::vector<NetworkEvent> failures;  // the first kMaxSummaryFailures, oldest first

  json::object ToJson() const;
  bool operator==(const NetworkSummary&) const = default;
};

NetworkSummary Summarize(std::span<const NetworkEvent> events, std::size_t dropped = 0);

// Is this a method that by its meaning changes nothing (GET, HEAD, OPTIONS, TRACE)? Methods are
// upper case; one that is not known changes something.
bool IsSafeMethod(std::string_view method);

// Which part of which service: host (with a port that is given) and the first two parts of the
// path. "data:", "blob:" and the like for addresses without a host.
std::string RouteKey(std::string_view url);

// 16 hex digits that depend on the types and keys of the value down to depth 2 (the first 12 keys
// of each object in order), and not on the values or the order of keys.
std::string JsonShapeHash(const json::value& value);

// A text of an error with what varies from case to case (numbers, ids, quoted parts) taken out.
std::string ErrorSignature(std::string_view message);

// Why a body says failure although it came with success: "success_false", "error: ...",
// "errors: ..."; nothing when it does not.
std::optional<std::string> DetectSilentFailure(const json::value& body);

// What a body that claims to be JSON shows. A body that is not JSON is a silent failure too.
struct BodyJudgement {
  std::string json_shape_hash;
  std::optional<std::string> failure;
};
BodyJudgement JudgeJsonBody(std::string_view body);

}  // namespace falconer::model
