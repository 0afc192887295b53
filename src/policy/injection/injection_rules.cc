#include "policy/injection/injection_rules.h"

namespace falconer::policy {
namespace {

constexpr Meanings kIgnore = BitOf(Cue::kIgnore);
constexpr Meanings kPrevious = BitOf(Cue::kPrevious);
constexpr Meanings kInstruction = BitOf(Cue::kInstruction);
constexpr Meanings kModelWord = BitOf(Cue::kModel);
constexpr Meanings kReveal = BitOf(Cue::kReveal);
constexpr Meanings kSystemWord = BitOf(Cue::kSystem);
constexpr Meanings kSend = BitOf(Cue::kSend);
constexpr Meanings kSecretWord = BitOf(Cue::kSecret);
constexpr Meanings kNot = BitOf(Cue::kNot);
constexpr Meanings kTell = BitOf(Cue::kTell);
constexpr Meanings kUser = BitOf(Cue::kUser);
constexpr Meanings kNew = BitOf(Cue::kNew);
constexpr Meanings kYour = BitOf(Cue::kYour);
constexpr Meanings kYou = BitOf(Cue::kYou);
constexpr Meanings kAre = BitOf(Cue::kAre);
constexpr Meanings kAnswer = BitOf(Cue::kAnswer);
constexpr Meanings kShape = BitOf(Cue::kShape);
constexpr Meanings kUnbound = BitOf(Cue::kUnbound);
constexpr Meanings kFollow = BitOf(Cue::kFollow);
constexpr Meanings kIf = BitOf(Cue::kIf);
constexpr Meanings kFor = BitOf(Cue::kFor);
constexpr Meanings kDestination = BitOf(Cue::kDestination);

// Alone, a rule of 40 or more makes a text suspicious, one of 80 puts it away. 0 in `needs` asks
// for nothing. Of rows with the same name the heaviest counts.
constexpr InjectionRule kRuleTable[] = {
    {"override_instructions", 65, 25, {kIgnore, kPrevious, kInstruction}, 9},
    {"override_instructions", 50, 30, {kIgnore, kYour, kInstruction}, 7},
    {"new_instructions", 20, 10, {kNew, kInstruction, kFollow | kModelWord}, 8},
    {"reveal_prompt", 55, 20, {kReveal, kSystemWord, kInstruction}, 8},
    {"reveal_prompt", 30, 15, {kReveal, kYour, kInstruction}, 6},
    {"exfiltrate", 45, 25, {kSend, kSecretWord, kDestination}, 18},
    {"conceal_from_user", 45, 10, {kNot, kTell, kUser}, 6, RuleOrder::kAny},
    {"addressed_to_models", 40, 10, {kIf, kYou, kModelWord}, 6, RuleOrder::kAsWritten},
    {"instructions_for_models", 30, 10, {kInstruction, kFor, kModelWord}, 5, RuleOrder::kAsWritten},
    {"unbound_role", 45, 15, {kYou, kAre, kUnbound}, 5, RuleOrder::kAsWritten},
    {"shape_answer",
     45,
     0,
     {kShape, kYour, kAnswer},
     16,
     RuleOrder::kAsWritten,
     RuleStart::kCommandOnly},
    {"shape_answer",
     45,
     0,
     {kYour, kAnswer, kShape},
     8,
     RuleOrder::kAsWritten,
     RuleStart::kCommandOnly},
};

constexpr std::string_view kPromptMarks[] = {
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|endoftext|>",
    "<|start_header",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "### system",
    "### instruction",
    "### new instruction",
    "<system>",
    "</system>",
    "[system message]",
    "[system prompt]",
    "begin system prompt",
    "system override",
    "end of user input",
    "end of system prompt",
    "<|user|>",
    "<|assistant|>",
};

}  // namespace

std::span<const InjectionRule> AllInjectionRules() {
  return kRuleTable;
}

std::span<const std::string_view> PromptMarks() {
  return kPromptMarks;
}

}  // namespace falconer::policy
