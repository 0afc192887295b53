#include "base/settings/yaml_value.h"

namespace falconer {
namespace {

constexpr int kMaxYamlDepth = 8;
// The library's mark of a scalar that stood in quotes.
constexpr std::string_view kQuotedTag = "!";

json::value YamlScalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == kQuotedTag) return json::value(text);
  // What JSON reads as a word or a number is one here, too.
  const Result<json::value> plain = ParseJson(text);
  const bool is_plain = plain && !plain->is_object() && !plain->is_array() && !plain->is_string();
  return is_plain ? *plain : json::value(text);
}

Result<json::value> ValueAtDepth(const YAML::Node& node, const std::string& source, int depth) {
  if (depth > kMaxYamlDepth) return Fail(ErrorCode::kInvalidSetting, source + ": nested too deep");
  if (node.IsScalar()) return YamlScalar(node);
  if (node.IsSequence()) {
    json::array out;
    for (const YAML::Node& member : node) {
      TRY_ASSIGN(json::value value, ValueAtDepth(member, source, depth + 1));
      out.push_back(std::move(value));
    }
    return out;
  }
  if (!node.IsMap()) return json::value(nullptr);
  json::object out;
  for (const auto& member : node) {
    const std::string key = member.first.IsScalar() ? member.first.Scalar() : "";
    if (key.empty() || out.contains(key))
      return Fail(ErrorCode::kInvalidSetting, source + ": a key must be a word, and given once");
    TRY_ASSIGN(out[key], ValueAtDepth(member.second, source, depth + 1));
  }
  return out;
}

}  // namespace

Result<json::value> YamlValue(const YAML::Node& node, const std::string& source) {
  return ValueAtDepth(node, source, 0);
}

}  // namespace falconer
