#pragma once
// JsonPointer (RFC 6901): the way to one value inside a JSON document.

#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace falconer::model {

inline constexpr std::size_t kMaxPointerLength = 256;  // bytes
inline constexpr std::size_t kMaxPointerSteps = 32;

class JsonPointer {
 public:
  // Names the whole document.
  JsonPointer() = default;
  // "" or "/a/b~1c/0". Fails with kInvalidArgument: too long, no slash in front, a "~" that is
  // followed by neither 0 nor 1.
  static Result<JsonPointer> Parse(std::string_view text);

  // The value it leads to; null when the document has nothing there. "-" never leads anywhere.
  const json::value* Find(const json::value& document) const;

  const std::string& text() const { return text_; }
  bool operator==(const JsonPointer& other) const { return text_ == other.text_; }

 private:
  std::string text_;
  std::vector<std::string> steps_;
};

}  // namespace falconer::model
