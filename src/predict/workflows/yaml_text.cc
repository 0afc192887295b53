// YamlText: JSON as a YAML text that people can read and change.

#include <algorithm>
#include <fmt/format.h>

#include "base/json/canonical_json.h"
#include "base/text.h"
#include "predict/workflows/yaml_document.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kYamlIndent = 2;
// What some readers of YAML take for something else than a word.
constexpr std::string_view kNoWords[] = {"true", "false", "null", "yes", "no",
                                         "on",   "off",   "nan",  "inf"};
// What ends a word, and what some readers take for the end of a line.
constexpr std::string_view kNotInWords[] = {": ", " #", "\u0085", "\u2028", "\u2029", "\ufeff"};

bool BeginsPlainly(std::string_view text) {
  return !text.empty() && (IsLetter(text[0]) || text[0] == '/' || text[0] == '^');
}

bool IsPlainWord(std::string_view text) {
  if (!BeginsPlainly(text) || text.back() == ' ' || text.back() == ':') return false;
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (std::ranges::any_of(text, is_control)) return false;
  return std::ranges::none_of(kNotInWords, [&](auto one) { return text.contains(one); }) &&
         std::ranges::none_of(kNoWords, [&](auto word) { return IsSameWord(word, text); });
}

bool IsPlainKey(std::string_view key) {
  return IsPlainWord(key) && std::ranges::all_of(key, [](char c) {
           return IsLetterOrDigit(c) || c == '_' || c == '-';
         });
}

std::string InYamlQuotes(std::string_view text) {
  return json::serialize(json::string(text));
}

// Whatever JSON writes in quotes reads the same in YAML.
std::string YamlWord(std::string_view text) {
  return IsPlainWord(text) ? std::string(text) : InYamlQuotes(text);
}

std::string YamlNumber(double number) {
  std::string text = EcmaNumber(number);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

std::string YamlScalarText(const json::value& value) {
  if (const json::string* text = value.if_string()) return YamlWord(*text);
  if (const double* number = value.if_double()) return YamlNumber(*number);
  return json::serialize(value);
}

bool IsYamlBlock(const json::value& value) {
  const json::object* object = value.if_object();
  const json::array* array = value.if_array();
  return (object != nullptr && !object->empty()) || (array != nullptr && !array->empty());
}

void WriteYaml(std::string& out, const json::value& value, std::size_t depth);

void WriteYamlMap(std::string& out, const json::object& object, std::size_t depth) {
  bool is_first = true;
  for (const auto& member : object) {
    // The first member stands behind the dash of a list.
    if (!is_first) out.append(depth * kYamlIndent, ' ');
    is_first = false;
    const std::string_view key = member.key();
    out += (IsPlainKey(key) ? std::string(key) : InYamlQuotes(key)) + ":";
    if (!IsYamlBlock(member.value())) {
      out += " " + YamlScalarText(member.value()) + "\n";
      continue;
    }
    out += "\n";
    out.append((depth + 1) * kYamlIndent, ' ');
    WriteYaml(out, member.value(), depth + 1);
  }
}

void WriteYamlList(std::string& out, const json::array& array, std::size_t depth) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (i > 0) out.append(depth * kYamlIndent, ' ');
    out += "- ";
    if (IsYamlBlock(array[i])) {
      WriteYaml(out, array[i], depth + 1);
    } else {
      out += YamlScalarText(array[i]) + "\n";
    }
  }
}

// Begins where the line has been indented already. A document is not deep.
void WriteYaml(std::string& out, const json::value& value, std::size_t depth) {
  if (const json::object* object = value.if_object()) return WriteYamlMap(out, *object, depth);
  if (const json::array* array = value.if_array()) return WriteYamlList(out, *array, depth);
  out += YamlScalarText(value) + "\n";
}

}  // namespace

std::string YamlText(const json::value& value) {
  std::string out;
  if (IsYamlBlock(value)) {
    WriteYaml(out, value, 0);
  } else {
    out = YamlScalarText(value) + "\n";
  }
  return out;
}

}  // namespace falconer::predict
