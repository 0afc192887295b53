#pragma once
// YamlDocument: a YAML text as JSON in which every part knows its line. Only what a document of
// people needs: no anchors, aliases, tags or several documents, and bounded. And back.

#include <map>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer::predict {

inline constexpr std::size_t kMaxYamlBytes = 2 << 20;
inline constexpr std::size_t kMaxYamlNodes = 100'000;
inline constexpr std::size_t kMaxYamlDepth = 32;

struct YamlDocument {
  json::value value;
  // Of each part: "steps[0].id".
  std::map<std::string, int, std::less<>> lines;

  // Of the part, or of what it would be in.
  int LineOf(std::string_view path) const;
};

// Words in quotes are texts; true, false, null and numbers without them are what they look like.
// kInvalidArgument: "line 3, column 5: why", with the details line and column.
Result<YamlDocument> ParseYamlDocument(std::string_view text);

// A text that reads as this value.
std::string YamlText(const json::value& value);

}  // namespace falconer::predict
