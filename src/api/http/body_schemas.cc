#include "api/http/body_schemas.h"

#include <string_view>
#include <utility>

#include "base/json/json_reader.h"
#include "model/action/load_state.h"
#include "policy/rules/policy_document.h"
#include "policy/tokens/capability_rules.h"

namespace falconer::api {
namespace {

json::object BodyText(std::size_t most, std::size_t least = 0) {
  json::object schema{{"type", "string"}, {"maxLength", most}};
  if (least > 0) schema["minLength"] = least;
  return schema;
}

json::object BodyWhole(std::int64_t least, std::int64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}

template <typename E, std::size_t N>
json::object BodyChoice(const EnumName<E> (&table)[N]) {
  json::array names;
  for (const EnumName<E>& row : table) names.emplace_back(row.name);
  return {{"type", "string"}, {"enum", std::move(names)}};
}

json::object BodyList(json::object items, std::size_t most) {
  return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", most}};
}

json::object BodyObject(json::object properties, json::array required = {}) {
  json::object schema{
      {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

// Names such as READ; MUTATE is WRITE and SUBMIT.
json::object CapabilityList() {
  return BodyList({{"type", "string"}}, 32);
}

json::object AmountText() {
  return {{"type", "string"}, {"examples", {"49.90 USD"}}};
}

json::object PolicyQuestionSchema() {
  return BodyObject({{"rules", BodyChoice(policy::kRuleSets)},
                     {"tenant", BodyText(256)},
                     {"agent", BodyText(256)},
                     {"tier", BodyText(256)},
                     {"action", {{"type", "string"}}},
                     {"capabilities", CapabilityList()},
                     {"url", BodyText(8192)},
                     {"page", BodyText(8192)},
                     {"amount", AmountText()},
                     {"at_ms", {{"type", "integer"}, {"minimum", 0}}},
                     {"label", BodyText(256)},
                     {"method", BodyText(256)}});
}

json::object TokenRequestSchema() {
  return BodyObject({{"agent", BodyText(256, 1)},
                     {"capabilities", CapabilityList()},
                     {"plan", BodyText(256)},
                     {"constraints", {{"type", "object"}}},
                     {"lifetime_s", BodyWhole(1, 86'400)},
                     {"auth", BodyChoice(policy::kTokenProofs)},
                     {"tier", BodyText(256)}},
                    {"agent", "capabilities"});
}

json::object TokenCheckSchema() {
  return BodyObject({{"token", BodyText(65'536, 1)},
                     {"capabilities", CapabilityList()},
                     {"urls", BodyList({{"type", "string"}}, 16)},
                     {"amount", AmountText()}},
                    {"token"});
}

json::object CrawlOptionsSchema() {
  return BodyObject({{"wait_until", BodyChoice(model::kLoadStates)},
                     {"wait_for_selector", BodyText(1024)},
                     {"timeout", BodyWhole(5, 300)},
                     {"max_chars", BodyWhole(1, 1'000'000)}});
}

json::object CrawlSchema() {
  return BodyObject({{"url", BodyText(8192, 1)}, {"options", CrawlOptionsSchema()}}, {"url"});
}

json::object CrawlBatchSchema() {
  json::object urls = BodyList(BodyText(8192, 1), 50);
  urls["minItems"] = 1;
  return BodyObject({{"urls", std::move(urls)},
                     {"concurrent", BodyWhole(1, 10)},
                     {"format", {{"type", "string"}, {"enum", {"page", "markdown"}}}},
                     {"options", CrawlOptionsSchema()}},
                    {"urls"});
}

json::object CrawlJobSchema() {
  return BodyObject(
      {{"job_type", {{"type", "string"}, {"enum", {"crawl_url", "batch_crawl", "markdown_only"}}}},
       {"input", {{"type", "object"}}}},
      {"job_type", "input"});
}

}  // namespace

json::object BodySchemas() {
  return {{"Crawl", CrawlSchema()},
          {"CrawlBatch", CrawlBatchSchema()},
          {"CrawlJob", CrawlJobSchema()},
          {"PolicyQuestion", PolicyQuestionSchema()},
          {"TokenRequest", TokenRequestSchema()},
          {"TokenCheck", TokenCheckSchema()},
          {"Reason", BodyObject({{"reason", BodyText(200)}})},
          {"AgentRevocation",
           BodyObject({{"agent", BodyText(256, 1)}, {"reason", BodyText(200)}}, {"agent"})}};
}

}  // namespace falconer::api
