#include "app/telemetry/otlp_json.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace falconer::app {
namespace {

constexpr int kStatusError = 2;

json::object ValueOf(const json::value& value) {
  if (value.is_bool()) return {{"boolValue", value}};
  if (value.is_double()) return {{"doubleValue", value}};
  if (value.is_int64()) return {{"intValue", std::to_string(value.get_int64())}};
  if (value.is_uint64()) return {{"intValue", std::to_string(value.get_uint64())}};
  if (value.is_string()) return {{"stringValue", value}};
  return {{"stringValue", json::serialize(value)}};
}

json::array AttributesOf(const json::object& attributes) {
  json::array told;
  for (const auto& [name, value] : attributes)
    told.push_back(json::object{{"key", name}, {"value", ValueOf(value)}});
  return told;
}

std::string NanosOf(std::chrono::system_clock::time_point time) {
  return std::to_string(
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

json::object SpanJson(const model::Span& span) {
  json::object told{{"traceId", span.trace_id}, {"spanId", span.span_id}};
  if (!span.parent_id.empty()) told["parentSpanId"] = span.parent_id;
  told["name"] = span.name;
  told["kind"] = static_cast<int>(span.kind);
  told["startTimeUnixNano"] = NanosOf(span.begin);
  told["endTimeUnixNano"] = NanosOf(std::max(span.begin, span.end));
  told["attributes"] = AttributesOf(span.attributes);
  if (span.failure) {
    told["status"] =
        json::object{{"code", kStatusError}, {"message", TraitsOf(*span.failure).name}};
  }
  return told;
}

json::object ResourceJson(const OtlpResource& resource) {
  return {{"attributes", AttributesOf({{"service.name", "falconer"},
                                       {"service.version", resource.version},
                                       {"service.instance.id", resource.instance}})}};
}

}  // namespace

std::string OtlpTraces(const OtlpResource& resource, const std::vector<model::Span>& spans) {
  json::array told;
  for (const model::Span& span : spans) told.push_back(SpanJson(span));
  const json::object scope{{"name", "falconer"}, {"version", resource.version}};
  const json::object scoped{{"scope", scope}, {"spans", std::move(told)}};
  return json::serialize(json::object{
      {"resourceSpans", json::array{json::object{{"resource", ResourceJson(resource)},
                                                 {"scopeSpans", json::array{scoped}}}}}});
}

std::size_t RejectedSpans(std::string_view reply) {
  const auto read = ParseJsonObject(reply);
  const json::value* partial = read ? read->if_contains("partialSuccess") : nullptr;
  if (partial == nullptr || !partial->is_object()) return 0;
  const json::value* rejected = partial->get_object().if_contains("rejectedSpans");
  if (rejected == nullptr) return 0;
  // A whole number is a text in this form of JSON, but not everybody knows.
  if (rejected->is_string())
    return ParseWhole<std::size_t>(std::string_view(rejected->get_string())).value_or(0);
  return rejected->is_int64() && rejected->get_int64() > 0
             ? static_cast<std::size_t>(rejected->get_int64())
             : 0;
}

}  // namespace falconer::app
