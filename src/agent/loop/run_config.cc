#include "agent/loop/run_config.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "agent/tools/tool_descriptor.h"
#include "base/text.h"
#include "base/utf8.h"
#include "policy/host_pattern.h"

namespace falconer::agent {
namespace {

constexpr std::int64_t kMicros = 1'000'000;
constexpr double kMostCost = 1'000'000;
constexpr std::int64_t kMostTokens = 1'000'000'000;
constexpr std::int64_t kLeastWallMs = 5000;
constexpr std::size_t kMostNames = 200;
constexpr std::size_t kMostInstructions = 2000;  // bytes

json::array NameList(const std::vector<std::string>& names) {
  return json::array(names.begin(), names.end());
}

Error BadRunSetting(std::string_view key, const std::string& why) {
  return {ErrorCode::kInvalidSetting, fmt::format("{}: {}", key, why), {{"setting", key}}};
}

Result<void> CheckDomains(std::string_view key, const std::vector<std::string>& domains) {
  for (const std::string& domain : domains) {
    if (const auto pattern = policy::HostPattern::Parse(domain); !pattern)
      return Fail(BadRunSetting(key, pattern.error().message()));
  }
  return {};
}

std::string ReadTask(JsonReader& in) {
  std::string task = in.String("task", {1, kMaxTaskChars * 4});
  if (in.failed()) return task;
  if (Trim(task).empty()) in.Reject("task", "says nothing");
  if (Utf8Length(task) > kMaxTaskChars)
    in.Reject("task", fmt::format("has more than {} characters", kMaxTaskChars));
  if (HasControl(task)) in.Reject("task", "has a control character in it");
  return task;
}

std::vector<std::string> ReadAllowedTools(JsonReader& in, const RunConfig& most) {
  auto names = in.OptionalStrings("allowed_tools", {1, kMostNames});
  if (!names) return most.allowed_tools;
  for (const std::string& name : *names) {
    if (std::ranges::find(most.allowed_tools, name) == most.allowed_tools.end())
      in.Reject("allowed_tools", name + " is not in agent.internal.allowed_tools");
  }
  return *std::move(names);
}

std::vector<std::string> ReadAllowedDomains(JsonReader& in) {
  auto domains =
      in.OptionalStrings("allowed_domains", {0, kMostNames}).value_or(std::vector<std::string>());
  for (const std::string& domain : domains) {
    if (const auto pattern = policy::HostPattern::Parse(domain); !pattern)
      in.Reject("allowed_domains", pattern.error().message());
  }
  return domains;
}

std::int64_t ReadMost(JsonReader& in, std::string_view key, std::int64_t most,
                      std::int64_t least = 1) {
  return in.OptionalInteger(key, {least, most}).value_or(most);
}

// A limit that 0 stands for no limit of.
std::int64_t ReadTokens(JsonReader& in, std::int64_t most) {
  const auto tokens = in.OptionalInteger("max_tokens", {1, most > 0 ? most : kMostTokens});
  return tokens.value_or(most);
}

std::int64_t ReadCost(JsonReader& in, std::int64_t most) {
  const double bound = most > 0 ? static_cast<double>(most) / kMicros : kMostCost;
  const auto cost = in.OptionalNumber("max_cost", {0.000001, bound});
  return cost ? static_cast<std::int64_t>(std::llround(*cost * kMicros)) : most;
}

// Of two limits that 0 stands for none of.
std::int64_t LesserLimit(std::int64_t one, std::int64_t other) {
  if (one == 0 || other == 0) return std::max(one, other);
  return std::min(one, other);
}

bool IsOfNode(std::string_view tool, const json::array& nodes) {
  return std::ranges::any_of(nodes, [tool](const json::value& row) {
    const json::object* node = row.if_object();
    return node != nullptr && tool.starts_with(TextAt(*node, "name") + "__");
  });
}

RunWish ReadRunWish(JsonReader& in, const RunConfig& most) {
  RunWish wish{.task = ReadTask(in), .config = most};
  RunConfig& config = wish.config;
  config.max_steps = ReadMost(in, "max_steps", most.max_steps);
  config.max_wall_time = std::chrono::milliseconds(
      ReadMost(in, "max_wall_time_ms", most.max_wall_time.count(), kLeastWallMs));
  config.max_failures = ReadMost(in, "max_failures", most.max_failures);
  config.max_tokens = ReadTokens(in, most.max_tokens);
  config.max_cost_micros = ReadCost(in, most.max_cost_micros);
  config.allowed_tools = ReadAllowedTools(in, most);
  config.allowed_domains = ReadAllowedDomains(in);
  config.allow_ghost = in.OptionalBool("allow_ghost").value_or(false);
  config.session = in.OptionalString("session", {1, 100}).value_or("");
  config.instructions = in.OptionalString("instructions", {0, kMostInstructions}).value_or("");
  return wish;
}

RunConfig ReadRecordedConfig(JsonReader& in) {
  return {.max_steps = in.Integer("max_steps"),
          .max_wall_time = in.Milliseconds("max_wall_time_ms"),
          .max_failures = in.Integer("max_failures"),
          .no_op_limit = in.Integer("no_op_limit"),
          .max_tokens = in.Integer("max_tokens"),
          .max_cost_micros = in.Integer("max_cost_micros"),
          .allowed_tools = in.Strings("allowed_tools"),
          .house_domains = in.Strings("house_domains"),
          .allowed_domains = in.Strings("allowed_domains"),
          .allow_ghost = in.Bool("allow_ghost"),
          .session = in.String("session"),
          .instructions = in.String("instructions")};
}

Result<void> CheckEnabled(const Settings& settings) {
  const Settings::AgentLoop& from = settings.agent_loop;
  if (!from.enabled) return {};
  if (settings.agent.providers.empty())
    return Fail(BadRunSetting("agent.internal.enabled",
                              "true needs a model to ask: agent.providers names none"));
  if (from.allowed_tools.empty())
    return Fail(
        BadRunSetting("agent.internal.allowed_tools", "names no tool that the agent may use"));
  return {};
}

}  // namespace

json::object RunConfig::ToJson() const {
  return {{"max_steps", max_steps},
          {"max_wall_time_ms", max_wall_time.count()},
          {"max_failures", max_failures},
          {"no_op_limit", no_op_limit},
          {"max_tokens", max_tokens},
          {"max_cost_micros", max_cost_micros},
          {"allowed_tools", NameList(allowed_tools)},
          {"house_domains", NameList(house_domains)},
          {"allowed_domains", NameList(allowed_domains)},
          {"allow_ghost", allow_ghost},
          {"session", session},
          {"instructions", instructions}};
}

Result<RunConfig> RunConfig::FromJson(const json::value& value) {
  return ReadJson(value, "config", ReadRecordedConfig);
}

std::optional<std::int64_t> ParseCostMicros(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto whole = ParseWhole(text.substr(0, point));
  if (!whole || *whole < 0 || *whole > static_cast<std::int64_t>(kMostCost)) return std::nullopt;
  if (point == std::string_view::npos) return *whole * kMicros;
  std::string digits(text.substr(point + 1));
  const bool is_plain = std::ranges::all_of(digits, IsDigit);
  if (digits.empty() || digits.size() > 6 || !is_plain) return std::nullopt;
  digits.resize(6, '0');
  return *whole * kMicros + ParseWhole(digits).value_or(0);
}

Result<RunConfig> RunConfigFrom(const Settings& settings) {
  const Settings::AgentLoop& from = settings.agent_loop;
  TRY(CheckEnabled(settings));
  const auto cost = ParseCostMicros(from.max_cost);
  if (!cost)
    return Fail(BadRunSetting("agent.internal.max_cost", "must be an amount such as 0.50"));
  TRY(CheckDomains("agent.internal.allowed_domains", from.allowed_domains));
  return RunConfig{.max_steps = from.max_steps,
                   .max_wall_time = from.max_wall_time,
                   .max_failures = from.max_failures,
                   .max_tokens = from.max_tokens,
                   .max_cost_micros = *cost,
                   .allowed_tools = from.allowed_tools,
                   .house_domains = from.allowed_domains};
}

Result<RunWish> ParseRunWish(const json::value& value, const RunConfig& most) {
  return ReadJson(value, "", [&most](JsonReader& in) { return ReadRunWish(in, most); });
}

RunConfig Narrowed(RunConfig config, const RunConfig& most) {
  config.max_steps = std::min(config.max_steps, most.max_steps);
  config.max_wall_time = std::min(config.max_wall_time, most.max_wall_time);
  config.max_failures = std::min(config.max_failures, most.max_failures);
  config.no_op_limit = std::min(config.no_op_limit, most.no_op_limit);
  config.max_tokens = LesserLimit(config.max_tokens, most.max_tokens);
  config.max_cost_micros = LesserLimit(config.max_cost_micros, most.max_cost_micros);
  std::erase_if(config.allowed_tools, [&most](const std::string& tool) {
    return std::ranges::find(most.allowed_tools, tool) == most.allowed_tools.end();
  });
  config.house_domains = most.house_domains;
  return config;
}

Result<void> CheckToolNames(const RunConfig& config,
                            const std::vector<const ToolDescriptor*>& tools,
                            const json::array& nodes) {
  for (const std::string& name : config.allowed_tools) {
    const bool is_known =
        std::ranges::any_of(tools, [&](const ToolDescriptor* tool) { return tool->name == name; });
    if (!is_known && !IsOfNode(name, nodes))
      return Fail(BadRunSetting("agent.internal.allowed_tools", "there is no tool " + name));
  }
  return {};
}

}  // namespace falconer::agent
