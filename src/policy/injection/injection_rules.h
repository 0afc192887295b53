#pragma once
// The rules of the injection filter: meanings that stand close together in one sentence, and marks
// that only the inside of a model's prompt has. One table, with weights.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "policy/injection/injection_lexicon.h"

namespace falconer::policy {

enum class RuleOrder : std::uint8_t { kAny, kAsWritten };
// Commands begin a sentence; talk about them does not.
enum class RuleStart : std::uint8_t { kAnywhere, kCommandOnly };

struct InjectionRule {
  std::string_view name;
  int weight;
  int command_bonus;  // more when the sentence begins with it
  std::array<Meanings, 3> needs;
  int window;  // the most words from the first to the last
  RuleOrder order = RuleOrder::kAny;
  RuleStart start = RuleStart::kAnywhere;
};

std::span<const InjectionRule> AllInjectionRules();

// Marks of prompt formats, in lower case, as they stand in a text.
std::span<const std::string_view> PromptMarks();
inline constexpr int kPromptMarkWeight = 45;

}  // namespace falconer::policy
