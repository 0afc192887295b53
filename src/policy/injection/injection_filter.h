#pragma once
// InjectionFilter: judges texts of pages for instructions that are meant for a model. It lowers the
// noise; it is not what keeps a page from acting. That is the rule that text of a page can never
// raise a capability, widen a domain set or approve, whatever this filter thought of it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "model/text_visibility.h"

namespace falconer::policy {

enum class InjectionDecision : std::uint8_t {
  kClean,
  kSuspicious,  // passed on with its flags
  kQuarantine,  // replaced; the original is kept for auditors
};

inline constexpr EnumName<InjectionDecision> kInjectionDecisions[] = {
    {InjectionDecision::kClean, "clean"},
    {InjectionDecision::kSuspicious, "suspicious"},
    {InjectionDecision::kQuarantine, "quarantine"},
};

struct InjectionVerdict {
  InjectionDecision decision = InjectionDecision::kClean;
  int score = 0;
  std::vector<std::string_view> rules;  // what it was found by, each once
  std::string_view hidden_by;           // why people do not see the text; "" when they do
  // prompt_injection_keywords, hidden_text_suspected, invisible_characters, quarantined.
  std::vector<std::string_view> flags;

  json::object ToJson() const;
};

inline constexpr int kSuspiciousScore = 40;
inline constexpr int kQuarantineScore = 80;

// One text and how it is shown.
InjectionVerdict JudgeText(std::string_view text, const model::TextVisibility& visibility = {});

}  // namespace falconer::policy
