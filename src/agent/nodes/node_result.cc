#include "agent/nodes/node_result.h"

#include <utility>

#include <boost/json/value_from.hpp>

#include "base/utf8.h"

namespace falconer::agent {
namespace {

// Of an error, what was measured stays; what a stranger wrote to standard error does not.
Error WithoutWords(const Error& error) {
  json::object details = error.details();
  details.erase("errors");
  return {error.code(), error.message(), std::move(details)};
}

std::optional<std::chrono::milliseconds> NodeRetryAfter(const Error& error) {
  const json::value* wait = error.details().if_contains("retry_after_ms");
  if (wait == nullptr || !wait->is_number()) return std::nullopt;
  return std::chrono::milliseconds(wait->to_number<std::int64_t>());
}

ToolResult NodeResultOf(const NodeUse& use) {
  return {.structured = NodeRecord(use), .policy_flags = {"external_node"}};
}

}  // namespace

json::object NodeRecord(const NodeUse& use) {
  return {{"node",
           {{"boundary", "external"},
            {"node_id", use.node},
            {"cpu_ms", use.used.cpu_time.count()},
            {"memory_bytes", use.used.peak_memory_bytes},
            {"bounds", json::value_from(use.bounds)}}}};
}

json::object NodeResultSchema(json::object result) {
  return {{"type", "object"},
          {"properties",
           {{"result", std::move(result)},
            {"node",
             {{"type", "object"},
              {"properties",
               {{"boundary", {{"type", "string"}}},
                {"node_id", {{"type", "string"}}},
                {"cpu_ms", {{"type", "integer"}}},
                {"memory_bytes", {{"type", "integer"}}},
                {"bounds", {{"type", "array"}, {"items", {{"type", "string"}}}}}}}}}}},
          {"required", {"node"}}};
}

ToolResult NodeAnswer(const NodeUse& use, std::string text, std::optional<json::object> result) {
  ToolResult out = NodeResultOf(use);
  out.text = MendedUtf8(std::move(text));
  out.page_at = 0;
  if (result) (*out.structured)["result"] = *std::move(result);
  return out;
}

ToolResult NodeFailure(const NodeUse& use, const Error& error, std::string words) {
  ToolResult out = NodeResultOf(use);
  if (words.empty()) words = TextAt(error.details(), "errors");
  out.text = Describe(error);
  if (!words.empty()) {
    out.text += "\n";
    out.page_at = out.text.size();
    out.text += MendedUtf8(std::move(words));
  }
  Error plain = WithoutWords(error);
  out.failure = ToolFailure{
      .error = plain, .is_retriable = plain.is_retryable(), .retry_after = NodeRetryAfter(plain)};
  return out;
}

}  // namespace falconer::agent
