#pragma once
// IntentWords: what an instruction in words asks for: which action, on what, and with which text.
// English verbs; an instruction that begins with none of them asks for a click.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/action/action_type.h"

namespace falconer::predict {

inline constexpr std::size_t kMaxInstruction = 1024;  // bytes

struct IntentWords {
  model::ActionType action = model::ActionType::kClick;
  // What the element is called; "" when the action needs none.
  std::string target;
  // What is typed or chosen: the caller's own, and kept nowhere.
  std::optional<std::string> text = std::nullopt;
  std::string key = {};  // of a press
  std::string url = {};  // to go to
  // The roles that the action can be done to.
  std::vector<std::string> roles = {};
  // The instruction with {text} in the place of the text, folded: what it is known by.
  std::string known_as;
  bool operator==(const IntentWords&) const = default;
};

// kInvalidArgument: empty, too long, or a text that is to be typed nowhere.
Result<IntentWords> ParseIntent(std::string_view instruction);

}  // namespace falconer::predict
