#include "api/tools/page_lines.h"

#include <algorithm>

namespace falconer::api {
namespace {

constexpr std::string_view kTags[] = {"<br>", "<sup>", "</sup>", "<sub>", "</sub>"};
constexpr std::string_view kMarks = "*~`\\[]";

// How many characters at the start of the text are markup: 0 where a word goes on.
std::size_t MarkupAt(std::string_view text) {
  if (text.starts_with("](")) return std::min(text.find(')'), text.size() - 1) + 1;
  for (const std::string_view tag : kTags)
    if (text.starts_with(tag)) return tag.size();
  return kMarks.contains(text.front()) ? 1 : 0;
}

// A line of markdown as its words alone: markup in the middle of a word must not hide it.
std::string WithoutMarks(std::string_view line) {
  std::string words;
  while (!line.empty()) {
    const std::size_t markup = MarkupAt(line);
    if (markup == 0) words += line.front();
    line.remove_prefix(std::max<std::size_t>(markup, 1));
  }
  return words;
}

}  // namespace

std::string CleanLine(std::string_view line, ViewGuard& guard) {
  const std::string words = WithoutMarks(line);
  if (words != line) {
    std::string shown = guard.Clean(words);
    if (shown != words) return shown;
  }
  return guard.Clean(line);
}

}  // namespace falconer::api
