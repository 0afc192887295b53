#pragma once
// What `falconer act` is given: one contract, many, or a plan. Everything is read and checked here,
// before anything is done.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/act/act_end.h"
#include "base/json/json.h"
#include "model/contract/plan_dag.h"

namespace falconer::app {

inline constexpr std::size_t kMaxActBytes = 16 * 1024 * 1024;
// The workflow of a contract that names none.
inline constexpr std::string_view kActWorkflow = "cli";

enum class ActShape : std::uint8_t { kContract, kContracts, kPlan };
enum class ActMode : std::uint8_t { kReal, kDry };

// What contracts get that people need not write.
struct ActDefaults {
  std::string workflow;  // replaces what the contracts say; "" for none
  std::string run;       // of contracts that name none
  ActMode mode = ActMode::kReal;
};

// A contract, or a step of the plan.
struct ActItem {
  std::string name;  // "2/3", or the step's id
  std::string what;  // "click #send"; nothing that is typed
  Escalation escalation = Escalation::kByDefault;
  json::object contract;  // with the defaults
};

struct ActInput {
  ActShape shape = ActShape::kContract;
  std::vector<ActItem> items;
  std::optional<model::TaskPlan> plan;  // exactly with kPlan
};

// The file, or standard input for "-". kNotFound, kIoError; kInvalidArgument when there are more
// than `most` bytes.
Result<std::string> ReadActText(const std::filesystem::path& file, std::size_t most = kMaxActBytes);

// Fails with kInvalidArgument, naming line and column, when the text is not JSON or holds nothing;
// with the codes of a contract, naming the contract and the field, when one is wrong.
Result<ActInput> ParseActInput(std::string_view text, const ActDefaults& defaults);

}  // namespace falconer::app
