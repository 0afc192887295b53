#include "app/act/act_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"

namespace falconer::app {
namespace {

constexpr std::size_t kLongestWhat = 100;  // bytes

Result<std::string> ReadStandardInput(std::size_t most) {
  std::string text;
  std::array<char, 65536> block;
  while (text.size() < most) {
    const ssize_t n =
        ::read(STDIN_FILENO, block.data(), std::min(block.size(), most - text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoFailure("standard input", "cannot read");
    if (n == 0) break;
    text.append(block.data(), static_cast<std::size_t>(n));
  }
  return text;
}

struct TextPlace {
  std::size_t line = 1;
  std::size_t column = 1;  // in bytes
};

TextPlace PlaceIn(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t start = before.rfind('\n');
  return {.line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
          .column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1};
}

// The parser counts bytes; people look for lines. `part` is inside `text`.
Error Located(const Error& error, std::string_view text, std::string_view part) {
  const json::value* offset = error.details().if_contains("offset");
  if (offset == nullptr) return error;
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  const TextPlace place = PlaceIn(text, begin + offset->to_number<std::size_t>());
  const std::size_t colon = error.message().find(": ");
  return {error.code(),
          fmt::format("line {}, column {}: not JSON: {}", place.line, place.column,
                      std::string_view(error.message()).substr(colon + 2)),
          {{"line", place.line}, {"column", place.column}}};
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// One JSON value, or an object on each line: then the values as an array.
Result<json::value> ParseText(std::string_view text) {
  auto whole = ParseJson(text);
  if (whole) return whole;
  const auto lines = LinesOf(text);
  if (lines.size() < 2 || !ParseJsonObject(lines.front()))
    return Fail(Located(whole.error(), text, text));
  json::array values;
  for (const std::string_view line : lines) {
    auto value = ParseJson(line);
    if (!value) return Fail(Located(value.error(), text, line));
    values.push_back(*std::move(value));
  }
  return values;
}

void Complete(json::object& contract, const ActDefaults& defaults, std::size_t index) {
  if (!defaults.workflow.empty()) contract["workflow_id"] = defaults.workflow;
  if (!contract.contains("workflow_id")) contract["workflow_id"] = kActWorkflow;
  if (!contract.contains("run_id")) contract["run_id"] = defaults.run;
  // Two contracts of one text are two actions, also when they say the same.
  if (!contract.contains("step_index")) contract["step_index"] = static_cast<std::int64_t>(index);
  if (defaults.mode == ActMode::kDry) contract["dry_run"] = true;
}

std::string TargetOf(const model::ActionSpec& spec) {
  if (spec.url) return *spec.url;
  if (spec.target) {
    if (!spec.target->eid.empty()) return spec.target->eid;
    if (const auto selectors = spec.target->Selectors(); !selectors.empty())
      return selectors.front().text;
    if (spec.target->point)
      return fmt::format("{},{}", spec.target->point->x, spec.target->point->y);
  }
  return spec.key.value_or("");
}

std::string WhatOf(const model::ActionContract& contract) {
  const std::string name(contract.action_spec.traits().name);
  const std::string target = TargetOf(contract.action_spec);
  const std::string what = target.empty() ? name : name + " " + target;
  const std::string_view shown = Utf8Prefix(what, kLongestWhat);
  return std::string(shown) + (shown.size() < what.size() ? "..." : "");
}

Escalation EscalationOf(const json::object& contract) {
  return contract.contains("escalation") ? Escalation::kAskedFor : Escalation::kByDefault;
}

Result<ActItem> ReadItem(json::value value, const ActDefaults& defaults, std::size_t index) {
  if (json::object* object = value.if_object()) {
    if (object->empty()) return Fail(ErrorCode::kInvalidContract, "is empty");
    if (object->contains("steps"))
      return Fail(ErrorCode::kInvalidContract, "is a plan; a plan is sent alone");
    Complete(*object, defaults, index);
  }
  TRY_ASSIGN(const auto contract, model::ActionContract::FromJson(value));
  return ActItem{.name = {},
                 .what = WhatOf(contract),
                 .escalation = EscalationOf(value.get_object()),
                 .contract = std::move(value.get_object())};
}

Result<ActInput> ReadMany(json::array values, const ActDefaults& defaults) {
  ActInput input{.shape = ActShape::kContracts};
  if (values.empty()) return Fail(ErrorCode::kInvalidArgument, "the list holds no contract");
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto item = ReadItem(std::move(values[i]), defaults, i);
    if (!item) return Fail(std::move(item).error().In(fmt::format("contract {}", i + 1)));
    item->name = fmt::format("{}/{}", i + 1, values.size());
    input.items.push_back(*std::move(item));
  }
  return input;
}

Result<ActInput> ReadOne(json::object contract, const ActDefaults& defaults) {
  auto item = ReadItem(std::move(contract), defaults, 0);
  if (!item) return Fail(std::move(item).error().In("contract"));
  item->name = "1/1";
  ActInput input;
  input.items.push_back(*std::move(item));
  return input;
}

void CompleteStep(json::value& step, const ActDefaults& defaults, std::size_t index) {
  json::object* object = step.if_object();
  if (object == nullptr) return;
  for (const char* part : {"contract", "compensation"}) {
    json::value* contract = object->if_contains(part);
    if (contract != nullptr && contract->is_object())
      Complete(contract->get_object(), defaults, index);
  }
}

Result<ActInput> ReadPlan(json::object value, const ActDefaults& defaults) {
  if (json::array* steps = value["steps"].if_array()) {
    for (std::size_t i = 0; i < steps->size(); ++i) CompleteStep((*steps)[i], defaults, i);
  }
  auto plan = model::TaskPlan::FromJson(value);
  if (!plan) return Fail(std::move(plan).error().In("plan"));
  ActInput input{.shape = ActShape::kPlan, .items = {}, .plan = *std::move(plan)};
  const json::array& steps = value["steps"].get_array();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const model::PlanStep& step = input.plan->steps[i];
    const json::object& contract = steps[i].at("contract").get_object();
    input.items.push_back({.name = step.step_id.value(),
                           .what = WhatOf(step.contract),
                           .escalation = EscalationOf(contract),
                           .contract = contract});
  }
  return input;
}

}  // namespace

Result<std::string> ReadActText(const std::filesystem::path& file, std::size_t most) {
  const bool is_standard = file == "-";
  TRY_ASSIGN(std::string text,
             is_standard ? ReadStandardInput(most + 1) : ReadFile(file, most + 1));
  if (text.size() <= most) return text;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} has more than {} MiB", is_standard ? "standard input" : file.string(),
                          most >> 20));
}

Result<ActInput> ParseActInput(std::string_view text, const ActDefaults& defaults) {
  if (Trim(text).empty())
    return Fail(ErrorCode::kInvalidArgument, "the input holds no contract and no plan");
  TRY_ASSIGN(json::value value, ParseText(text));
  if (json::array* many = value.if_array()) return ReadMany(std::move(*many), defaults);
  json::object* one = value.if_object();
  if (one == nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("expected a contract, a list of contracts or a plan, got {}",
                            JsonTypeName(value)));
  }
  return one->contains("steps") ? ReadPlan(std::move(*one), defaults)
                                : ReadOne(std::move(*one), defaults);
}

}  // namespace falconer::app
