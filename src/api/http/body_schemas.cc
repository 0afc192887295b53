#include "api/http/body_schemas.h"

#include <string_view>
#include <utility>

#include "agent/crawl/crawl_options.h"
#include "api/tools/predict_wishes.h"
#include "base/json/json_reader.h"
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

json::object CrawlSchema() {
  return BodyObject({{"url", agent::CrawlUrlSchema()}, {"options", agent::CrawlOptionsSchema()}},
                    {"url"});
}

json::object CrawlBatchSchema() {
  json::object urls = BodyList(agent::CrawlUrlSchema(), agent::kBatchUrls.max);
  urls["minItems"] = agent::kBatchUrls.min;
  return BodyObject({{"urls", std::move(urls)},
                     {"sitemap", agent::CrawlUrlSchema()},
                     {"limit", BodyWhole(agent::kSitePages.min, agent::kSitePages.max)},
                     {"concurrent", BodyWhole(agent::kBatchAtOnce.min, agent::kBatchAtOnce.max)},
                     {"format", BodyChoice(agent::kCrawlForms)},
                     {"options", agent::CrawlOptionsSchema()}});
}

json::object SitemapSchema() {
  return BodyObject({{"url", agent::CrawlUrlSchema()},
                     {"limit", BodyWhole(agent::kSiteUrls.min, agent::kSiteUrls.max)}},
                    {"url"});
}

// Those that a job may have beside its input.
json::object WithCallback(json::object schema) {
  json::object& properties = schema["properties"].as_object();
  properties["callback_url"] = BodyText(8192, 1);
  properties["callback_secret"] = BodyText(257, 1);
  return schema;
}

json::object CreatedJobSchema() {
  return WithCallback(BodyObject(
      {{"job_type",
        {{"type", "string"},
         {"enum", {"crawl_url", "batch_crawl", "markdown_only", "agent_run", "workflow_run"}}}},
       {"input", {{"type", "object"}}}},
      {"job_type", "input"}));
}

// What else a task may say is the agent's business.
json::object AgentRunJobSchema() {
  json::object schema = WithCallback(BodyObject({{"task", BodyText(4000, 1)}}, {"task"}));
  schema["additionalProperties"] = true;
  return schema;
}

json::object GhostSchema() {
  return BodyObject({{"url", BodyText(8192, 1)},
                     {"session", BodyText(256, 1)},
                     {"prompt", BodyText(2000)},
                     {"viewport_only", {{"type", "boolean"}}},
                     {"allow_ghost", {{"type", "boolean"}}},
                     {"trigger", {{"type", "string"}, {"enum", {"always", "when_blocked"}}}},
                     {"method", {{"type", "string"}, {"enum", {"auto", "ocr", "vision"}}}},
                     {"timeout", BodyWhole(5, 300)},
                     {"max_chars", BodyWhole(1, 1'000'000)},
                     {"words", {{"type", "boolean"}}}});
}

json::object AgentRunSchema() {
  const json::object names = BodyList(BodyText(256, 1), 200);
  return BodyObject({{"task", BodyText(4000, 1)},
                     {"max_steps", BodyWhole(1, 50)},
                     {"max_wall_time_ms", BodyWhole(5000, 300'000)},
                     {"max_failures", BodyWhole(1, 50)},
                     {"max_tokens", BodyWhole(1, 1'000'000'000)},
                     {"max_cost", {{"type", "number"}, {"exclusiveMinimum", 0}}},
                     {"allowed_tools", names},
                     {"allowed_domains", names},
                     {"allow_ghost", {{"type", "boolean"}}},
                     {"session", BodyText(100, 1)},
                     {"instructions", BodyText(2000)}},
                    {"task"});
}

json::object ParameterValuesSchema() {
  return {{"type", "object"},
          {"maxProperties", predict::kMaxWorkflowParameters},
          {"additionalProperties",
           {{"type", {"string", "number", "boolean"}}, {"maxLength", kLongestParameter}}}};
}

json::object WorkflowRunProperties() {
  return {{"session", BodyText(kSessionNames.max, 1)},
          {"parameters", ParameterValuesSchema()},
          {"profile", BodyChoice(predict::kPredictProfiles)},
          {"dry_run", {{"type", "boolean"}}},
          {"ask_model", {{"type", "boolean"}}},
          {"max_iterations", BodyWhole(kRunIterations.min, kRunIterations.max)}};
}

json::object RecordingSchema() {
  return BodyObject({{"workflow", BodyText(64, 1)}, {"session", BodyText(kSessionNames.max, 1)}},
                    {"workflow"});
}

json::object IntentSchema() {
  return BodyObject({{"session", BodyText(kSessionNames.max, 1)},
                     {"instruction", BodyText(kInstructionSizes.max, 1)},
                     {"environment", BodyText(kEnvironmentSizes.max)},
                     {"dry_run", {{"type", "boolean"}}}},
                    {"session", "instruction"});
}

// What a document has besides is in docs/workflows.md.
json::object LearnedWorkflowSchema() {
  return {{"type", "object"},
          {"required", {"name", "version", "steps"}},
          {"properties",
           {{"name", {{"type", "string"}, {"pattern", predict::kWorkflowNamePattern}}},
            {"version", {{"type", "integer"}, {"minimum", 0}}},
            {"about", {{"type", "string"}}},
            {"recordings", {{"type", "integer"}, {"minimum", 0}}},
            {"parameters", BodyList({{"type", "object"}}, predict::kMaxWorkflowParameters)},
            {"steps", BodyList({{"type", "object"}}, predict::kMaxWorkflowSteps)}}}};
}

json::object LearntSchema() {
  return {{"type", "object"},
          {"required", {"node", "rows"}},
          {"properties", {{"node", {{"type", "string"}}}, {"rows", {{"type", "array"}}}}}};
}

}  // namespace

json::object BodySchemas() {
  return {{"AgentRun", AgentRunSchema()},
          {"Crawl", CrawlSchema()},
          {"CrawlBatch", CrawlBatchSchema()},
          {"ToolArguments", {{"type", "object"}}},
          {"Ghost", GhostSchema()},
          {"CrawlJob", WithCallback(CrawlSchema())},
          {"CrawlBatchJob", WithCallback(CrawlBatchSchema())},
          {"CreatedJob", CreatedJobSchema()},
          {"AgentRunJob", AgentRunJobSchema()},
          {"Sitemap", SitemapSchema()},
          {"WorkflowRun", BodyObject(WorkflowRunProperties())},
          {"PredictedRun", BodyObject(WorkflowRunProperties(), {"session"})},
          {"WorkflowPlan", BodyObject({{"parameters", ParameterValuesSchema()},
                                       {"session", BodyText(kSessionNames.max, 1)},
                                       {"optional_steps", {{"type", "boolean"}}}})},
          {"LearnedWorkflow", LearnedWorkflowSchema()},
          {"Learnt", LearntSchema()},
          {"Recording", RecordingSchema()},
          {"Intent", IntentSchema()},
          {"CacheSearch", BodyObject({{"query", BodyText(1000)},
                                      {"limit", BodyWhole(1, 1000)},
                                      {"offset", BodyWhole(0, 1'000'000)}})},
          {"CachedPage", BodyObject({{"url", agent::CrawlUrlSchema()},
                                     {"title", BodyText(1000)},
                                     {"markdown", BodyText(1'000'000)}},
                                    {"url", "markdown"})},
          {"CachePrune", BodyObject({{"older_than_ms", {{"type", "integer"}, {"minimum", 0}}}})},
          {"PolicyQuestion", PolicyQuestionSchema()},
          {"TokenRequest", TokenRequestSchema()},
          {"TokenCheck", TokenCheckSchema()},
          {"Reason", BodyObject({{"reason", BodyText(200)}})},
          {"AgentRevocation",
           BodyObject({{"agent", BodyText(256, 1)}, {"reason", BodyText(200)}}, {"agent"})}};
}

}  // namespace falconer::api
