#include "browser/context/file_name.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kLongestName = 120;
constexpr std::size_t kLongestEnding = 12;
constexpr std::string_view kForbidden = "<>:\"/\\|?*";
constexpr std::string_view kReserved[] = {"CON", "PRN", "AUX", "NUL"};

bool IsHarmless(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && !kForbidden.contains(c);
}

bool IsReserved(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find('.'));
  return std::ranges::any_of(kReserved,
                             [&](std::string_view reserved) { return IsSameWord(stem, reserved); });
}

// Cuts at a character, keeping a short ending such as ".pdf".
std::string Shorten(std::string name) {
  if (name.size() <= kLongestName) return name;
  const auto dot = name.rfind('.');
  const std::string ending =
      dot != std::string::npos && name.size() - dot <= kLongestEnding ? name.substr(dot) : "";
  return std::string(Utf8Prefix(name, kLongestName - ending.size())) + ending;
}

}  // namespace

std::string SafeFileName(std::string_view suggested) {
  if (const auto slash = suggested.find_last_of("/\\"); slash != std::string_view::npos) {
    suggested.remove_prefix(slash + 1);
  }
  std::string name;
  std::ranges::copy_if(suggested, std::back_inserter(name), IsHarmless);
  const auto first = name.find_first_not_of(". ");
  name = first == std::string::npos ? "" : name.substr(first);
  while (name.ends_with('.') || name.ends_with(' ')) name.pop_back();
  if (name.empty()) return "download";
  if (IsReserved(name)) name.insert(0, "_");
  return Shorten(std::move(name));
}

}  // namespace falconer::browser
