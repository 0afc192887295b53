#include "model/selector/selector_role.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"

namespace falconer::model {
namespace {

template <typename T>
struct RoleState {
  std::string_view name;
  std::optional<T> RoleMatch::* member;
};

constexpr RoleState<TriState> kRoleTriStates[] = {
    {"checked", &RoleMatch::checked},
    {"pressed", &RoleMatch::pressed},
};

constexpr RoleState<bool> kFlagStates[] = {
    {"selected", &RoleMatch::selected},
    {"expanded", &RoleMatch::expanded},
    {"disabled", &RoleMatch::disabled},
};

Result<TextMatch> ParseName(SelectorScan& scan) {
  const bool is_part = scan.Take("*=");
  if (!is_part && !scan.Take("=")) return scan.Refuse("expected '=' or '*='");
  scan.SkipSpaces();
  if (!is_part && scan.peek() == '/') return scan.Regex();
  if (!scan.at_quote()) return scan.Refuse(R"(expected a name in quotes: [name="Save"])");
  TextMatch match{.mode = is_part ? TextMode::kSubstring : TextMode::kExact};
  TRY(AssignTo(match.text, scan.QuotedText()));
  if (is_part && match.text.empty()) return scan.Refuse("the name is empty");
  return match;
}

// `=value` up to the bracket; an attribute without a value is true.
std::string ParseValue(SelectorScan& scan) {
  if (!scan.Take("=")) return "true";
  const std::string_view value = scan.rest().substr(0, scan.rest().find(']'));
  scan.Take(value);
  return std::string(Trim(value));
}

Result<TriState> ToTriState(const SelectorScan& scan, std::string_view value) {
  if (value == "mixed") return TriState::kMixed;
  const Result<bool> flag = scan.Flag(value);
  if (!flag) return scan.Refuse("expected true, false or mixed");
  return *flag ? TriState::kTrue : TriState::kFalse;
}

Result<int> ToLevel(const SelectorScan& scan, std::string_view value) {
  const std::optional<int> level = ParseWhole<int>(value);
  if (!level || *level < 1) return scan.Refuse("level takes a number from 1 up");
  return *level;
}

Result<void> ParseAttribute(SelectorScan& scan, std::string_view name, RoleMatch& role) {
  const std::size_t start = scan.position() - name.size();
  scan.SkipSpaces();
  if (name == "name") return AssignTo(role.name, ParseName(scan));
  const std::string value = ParseValue(scan);
  for (const RoleState<TriState>& state : kRoleTriStates) {
    if (state.name == name) return AssignTo(role.*state.member, ToTriState(scan, value));
  }
  for (const RoleState<bool>& state : kFlagStates) {
    if (state.name == name) return AssignTo(role.*state.member, scan.Flag(value));
  }
  if (name == "include-hidden") return AssignTo(role.include_hidden, scan.Flag(value));
  if (name == "level") return AssignTo(role.level, ToLevel(scan, value));
  return scan.RefuseAt(start,
                       "no such attribute of a role; they are name, checked, pressed, selected, "
                       "expanded, disabled, level and include-hidden");
}

}  // namespace

Result<RoleMatch> ParseRole(SelectorScan& scan) {
  scan.SkipSpaces();
  RoleMatch role{.role = std::string(scan.Word())};
  if (role.role.empty()) return scan.Refuse("role needs the name of a role");
  if (role.role != ToLower(role.role)) return scan.Refuse("roles are in lower case");
  std::vector<std::string_view> seen;
  while (scan.Take("[")) {
    scan.SkipSpaces();
    const std::string_view name = scan.Word();
    if (std::ranges::find(seen, name) != seen.end()) {
      return scan.Refuse(fmt::format("{} is given twice", name));
    }
    seen.push_back(name);
    TRY(ParseAttribute(scan, name, role));
    scan.SkipSpaces();
    if (!scan.Take("]")) return scan.Refuse("expected ']'");
  }
  return role;
}

}  // namespace falconer::model
