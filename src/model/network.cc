#include "model/network.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "model/url.h"
#include "model/write_text.h"

namespace falconer::model {
namespace {

constexpr int kClientError = 400;
constexpr int kServerError = 500;
constexpr std::string_view kSafeMethods[] = {"GET", "HEAD", "OPTIONS", "TRACE"};
constexpr Bounds<std::int64_t> kStatusBounds = {0, 999};

std::string ReadText(JsonReader& in, std::string_view key) {
  return in.OptionalString(key).value_or("");
}

NetworkEvent ReadNetworkEvent(JsonReader& in) {
  NetworkEvent event{
      .seq = static_cast<std::uint64_t>(in.Integer("seq", {.min = 0})),
      .ts = in.Milliseconds("ts"),
      .kind = in.Enum("kind", kNetworkEventKinds),
      .method = in.String("method"),
      .url = in.String("url"),
      .route_key = ReadText(in, "route_key"),
      .status = static_cast<int>(in.OptionalInteger("status", kStatusBounds).value_or(0)),
      .latency = in.OptionalMilliseconds("latency_ms"),
      .content_type = ReadText(in, "content_type"),
      .json_shape_hash = ReadText(in, "json_shape_hash"),
      .silent_failure = in.OptionalBool("silent_failure").value_or(false),
      .error_signature = ReadText(in, "error_signature"),
      .resource_type = ReadText(in, "resource_type"),
      .request_id = ReadText(in, "request_id"),
      .frame = ReadText(in, "frame"),
      .from_worker = in.OptionalBool("from_worker").value_or(false),
      .from_cache = in.OptionalBool("from_cache").value_or(false)};
  const std::string status_class = ReadText(in, "status_class");
  if (status_class != event.status_class()) in.Reject("status_class", "does not fit the status");
  return event;
}

void Count(const NetworkEvent& event, NetworkSummary& summary) {
  switch (event.kind) {
    case NetworkEventKind::kRequest:
      ++summary.requests;
      break;
    case NetworkEventKind::kRequestFailed:
      ++summary.failed;
      if (event.error_signature == kBlockedByRule) ++summary.refused;
      break;
    case NetworkEventKind::kResponse:
      ++summary.responses;
      if (event.status >= kServerError) {
        ++summary.server_errors;
      } else if (event.status >= kClientError) {
        ++summary.client_errors;
      }
  }
  if (event.silent_failure) ++summary.silent_failures;
}

}  // namespace

std::string NetworkEvent::status_class() const {
  return status == 0 ? "" : fmt::format("{}xx", status / 100);
}

bool IsSafeMethod(std::string_view method) {
  return std::ranges::find(kSafeMethods, method) != std::end(kSafeMethods);
}

bool NetworkEvent::is_failure() const {
  return kind == NetworkEventKind::kRequestFailed || status >= kClientError || silent_failure;
}

json::object NetworkEvent::ToJson() const {
  json::object out{{"seq", static_cast<std::int64_t>(seq)},
                   {"ts", ts.count()},
                   {"kind", NameIn(kNetworkEventKinds, kind)},
                   {"method", method},
                   {"url", url}};
  WriteText(out, "route_key", route_key);
  if (status != 0) {
    out["status"] = status;
    out["status_class"] = status_class();
  }
  if (latency) out["latency_ms"] = latency->count();
  WriteText(out, "content_type", content_type);
  WriteText(out, "json_shape_hash", json_shape_hash);
  if (silent_failure) out["silent_failure"] = true;
  WriteText(out, "error_signature", error_signature);
  WriteText(out, "resource_type", resource_type);
  WriteText(out, "request_id", request_id);
  WriteText(out, "frame", frame);
  if (from_worker) out["from_worker"] = true;
  if (from_cache) out["from_cache"] = true;
  return out;
}

Result<NetworkEvent> NetworkEvent::FromJson(const json::value& value) {
  return ReadJson(value, "event", ReadNetworkEvent);
}

json::object NetworkSummary::ToJson() const {
  json::object out{{"requests", requests},
                   {"responses", responses},
                   {"failed", failed},
                   {"refused", refused},
                   {"client_errors", client_errors},
                   {"server_errors", server_errors},
                   {"silent_failures", silent_failures},
                   {"dropped", dropped}};
  json::array& list = out["failures"].emplace_array();
  for (const NetworkEvent& event : failures) list.emplace_back(event.ToJson());
  return out;
}

NetworkSummary Summarize(std::span<const NetworkEvent> events, std::size_t dropped) {
  NetworkSummary summary{.dropped = dropped};
  for (const NetworkEvent& event : events) {
    Count(event, summary);
    if (event.is_failure() && summary.failures.size() < kMaxSummaryFailures) {
      summary.failures.push_back(event);
    }
  }
  return summary;
}

std::string RouteKey(std::string_view url) {
  const UrlParts parts = SplitUrl(url);
  if (parts.host.empty()) return parts.scheme.empty() ? "" : parts.scheme + ":";
  std::string key = parts.host;
  if (!parts.port.empty()) key += ":" + parts.port;
  std::string_view path = parts.path;
  for (int part = 0; part < 2; ++part) {
    while (path.starts_with('/')) path.remove_prefix(1);
    const std::string_view name = path.substr(0, path.find('/'));
    if (name.empty()) break;
    key += fmt::format("/{}", name);
    path.remove_prefix(name.size());
  }
  return key;
}

}  // namespace falconer::model
