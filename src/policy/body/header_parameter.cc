#include "policy/body/header_parameter.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::policy {
namespace {

// Where the part that begins the text ends: at a semicolon outside of quotes.
std::size_t ParameterEnd(std::string_view text) {
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') is_quoted = !is_quoted;
    if (text[at] == ';' && !is_quoted) return at;
  }
  return text.size();
}

std::string_view ParameterValue(std::string_view text) {
  text = Trim(text);
  if (!text.starts_with('"')) return text.substr(0, text.find_first_of(" \t\r\n"));
  text.remove_prefix(1);
  return text.substr(0, text.find('"'));
}

}  // namespace

std::optional<std::string> HeaderParameter(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = ParameterEnd(header);
    const std::string_view part = header.substr(0, end);
    const std::size_t equals = part.find('=');
    if (equals != part.npos && IsSameWord(Trim(part.substr(0, equals)), name)) {
      return std::string(ParameterValue(part.substr(equals + 1)));
    }
    header.remove_prefix(std::min(end + 1, header.size()));
  }
  return std::nullopt;
}

}  // namespace falconer::policy
