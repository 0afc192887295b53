// The judgement of bodies: their shape, and whether they say failure under a status of success.

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "model/network.h"

namespace falconer::model {
namespace {

constexpr int kShapeDepth = 2;
constexpr std::size_t kShapeKeys = 12;
constexpr std::size_t kIdLength = 8;  // letters and digits together, from here on, are an id

std::string ShapeOf(const json::value& value, int depth);

std::string ObjectShape(const json::object& object, int depth) {
  std::vector<std::string_view> keys;
  for (const json::key_value_pair& member : object) keys.push_back(member.key());
  std::ranges::sort(keys);
  if (keys.size() > kShapeKeys) keys.resize(kShapeKeys);
  std::string out = "{";
  for (const std::string_view key : keys) {
    // The length keeps keys with odd characters from looking like structure.
    out += fmt::format("{}:{}={};", key.size(), key, ShapeOf(object.at(key), depth + 1));
  }
  return out + "}";
}

std::string ShapeOf(const json::value& value, int depth) {
  if (depth >= kShapeDepth) return std::string(JsonTypeName(value));
  if (const json::object* object = value.if_object()) return ObjectShape(*object, depth);
  const json::array* array = value.if_array();
  if (array == nullptr) return std::string(JsonTypeName(value));
  // Lists are alike whatever their length; the first element stands for all.
  return array->empty() ? "[]" : "[" + ShapeOf(array->front(), depth + 1) + "]";
}

// FNV-1a: shapes are compared, not defended.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

// What an error's value tells about its kind: a code before a message.
std::string ErrorText(const json::value& error) {
  if (const json::string* text = error.if_string()) return std::string(*text);
  const json::object* object = error.if_object();
  if (object == nullptr) return "";
  for (const std::string_view key : {"code", "type", "name", "message"}) {
    const json::value* value = object->if_contains(key);
    if (value == nullptr) continue;
    if (const json::string* text = value->if_string()) return std::string(*text);
  }
  return "";
}

// null, false, 0, "", [] and {} are how servers say "no error".
bool IsEmpty(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return true;
    case json::kind::bool_:
      return !value.get_bool();
    case json::kind::int64:
      return value.get_int64() == 0;
    case json::kind::string:
      return value.get_string().empty();
    case json::kind::array:
      return value.get_array().empty();
    case json::kind::object:
      return value.get_object().empty();
    default:
      return false;
  }
}

std::string Named(std::string_view kind, const json::value& error) {
  const std::string signature = ErrorSignature(ErrorText(error));
  return signature.empty() ? std::string(kind) : fmt::format("{}: {}", kind, signature);
}

bool IsWordChar(char c) {
  return IsLetterOrDigit(c) || c == '-' || c == '_';
}

// The word as it goes into a signature: ids and numbers all look the same.
std::string SignatureWord(std::string_view word) {
  const bool has_digit = std::ranges::any_of(word, IsDigit);
  if (!has_digit) return ToLower(word);
  if (word.size() >= kIdLength || std::ranges::all_of(word, IsDigit)) return "#";
  std::string out;
  for (const char c : ToLower(word)) {
    if (!IsDigit(c)) {
      out += c;
    } else if (!out.ends_with('#')) {
      out += '#';
    }
  }
  return out;
}

}  // namespace

std::string JsonShapeHash(const json::value& value) {
  return fmt::format("{:016x}", Hash(ShapeOf(value, 0)));
}

std::string ErrorSignature(std::string_view message) {
  std::string out;
  while (!message.empty()) {
    const auto word_end = std::ranges::find_if_not(message, IsWordChar);
    std::size_t length = static_cast<std::size_t>(word_end - message.begin());
    if (length > 0) {
      out += SignatureWord(message.substr(0, length));
    } else if (message[0] == '"' || message[0] == '\'') {
      const std::size_t close = message.find(message[0], 1);
      length = close == message.npos ? 1 : close + 1;
      out += '#';
    } else {
      length = 1;
      const bool is_space = IsSpace(message[0]);
      if (!is_space || !out.ends_with(' ')) out += is_space ? ' ' : message[0];
    }
    message.remove_prefix(length);
  }
  return std::string(Utf8Prefix(Trim(out), kMaxSignature));
}

std::optional<std::string> DetectSilentFailure(const json::value& body) {
  const json::object* object = body.if_object();
  if (object == nullptr) return std::nullopt;
  if (const json::value* error = object->if_contains("error"); error && !IsEmpty(*error)) {
    return Named("error", *error);
  }
  if (const json::value* errors = object->if_contains("errors"); errors && !IsEmpty(*errors)) {
    const json::array* list = errors->if_array();
    return Named("errors", list != nullptr ? list->front() : *errors);
  }
  const json::value* success = object->if_contains("success");
  if (success != nullptr && success->is_bool() && !success->get_bool()) return "success_false";
  return std::nullopt;
}

BodyJudgement JudgeJsonBody(std::string_view body) {
  const Result<json::value> value = ParseJson(body);
  if (!value) return {.json_shape_hash = "", .failure = "parse_error"};
  return {.json_shape_hash = JsonShapeHash(*value), .failure = DetectSilentFailure(*value)};
}

}  // namespace falconer::model
