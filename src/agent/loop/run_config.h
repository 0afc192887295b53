#pragma once
// RunConfig: what a run of the built-in agent may use up and touch. The settings say the most that
// any run may; whoever starts one may ask for less, never for more.

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/json/json_reader.h"
#include "base/settings/settings.h"

namespace falconer::agent {

struct ToolDescriptor;

struct RunConfig {
  std::int64_t max_steps = 12;
  // Without the time in which people decide, drive or have paused the run.
  std::chrono::milliseconds max_wall_time = std::chrono::seconds(90);
  std::int64_t max_failures = 3;  // in a row
  std::int64_t no_op_limit = 3;
  std::int64_t max_tokens = 0;       // asked and answered, over the run; 0: no limit
  std::int64_t max_cost_micros = 0;  // millionths of the currency of the prices; 0: no limit
  std::vector<std::string> allowed_tools = {};
  // An address that a tool is given must be in both, where they are not empty. What the runtime's
  // policy forbids is forbidden all the same.
  std::vector<std::string> house_domains = {};  // as the settings say
  std::vector<std::string> allowed_domains = {};
  // The setting agent.ghost.enabled must say so too.
  bool allow_ghost = false;
  std::string session = {};  // "": one of the run's own
  // Added to what the model is told once.
  std::string instructions = {};

  // Everything: a run can be told again by it.
  json::object ToJson() const;
  // What ToJson wrote. kInvalidArgument.
  static Result<RunConfig> FromJson(const json::value& value);
};

inline constexpr std::size_t kMaxTaskChars = 4000;

struct RunWish {
  std::string task;
  RunConfig config;
};

// What the settings allow. kInvalidSetting, naming the setting; also when the agent is enabled and
// no provider is there to ask.
Result<RunConfig> RunConfigFrom(const Settings& settings);

// {"task", "max_steps"?, "max_wall_time_ms"?, "max_failures"?, "max_tokens"?, "max_cost"?,
// "allowed_tools"?, "allowed_domains"?, "allow_ghost"?, "session"?, "instructions"?}.
// kInvalidArgument, naming the field, for what is wrong and for what is more than `most`.
Result<RunWish> ParseRunWish(const json::value& value, const RunConfig& most);

// As much of it as `most` allows: for a run that is taken up again under other settings.
RunConfig Narrowed(RunConfig config, const RunConfig& most);

// kInvalidSetting for a tool that is allowed and does not exist. Those of `nodes`, the rows of
// agent.nodes, are taken at their word: a node says later which tools it has.
Result<void> CheckToolNames(const RunConfig& config,
                            const std::vector<const ToolDescriptor*>& tools,
                            const json::array& nodes);

// "0.50" in millionths, nothing for what is no amount.
std::optional<std::int64_t> ParseCostMicros(std::string_view text);

}  // namespace falconer::agent
