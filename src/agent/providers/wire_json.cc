#include "agent/providers/wire_json.h"

#include <algorithm>

namespace falconer::agent {

const json::object* ObjectAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

const json::array* ArrayAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

std::int64_t CountAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_int64()) return 0;
  return std::clamp<std::int64_t>(value->get_int64(), 0, kMostCounted);
}

std::vector<const json::object*> ObjectsAt(const json::object& object, std::string_view key) {
  std::vector<const json::object*> out;
  const json::array* list = ArrayAt(object, key);
  if (list == nullptr) return out;
  for (const json::value& one : *list) {
    if (const json::object* found = one.if_object()) out.push_back(found);
  }
  return out;
}

bool HasError(const json::object& body) {
  const json::value* error = body.if_contains("error");
  return error != nullptr && !error->is_null();
}

std::vector<std::string> ErrorWordsIn(const json::object& body) {
  const json::object* error = ObjectAt(body, "error");
  if (error == nullptr) return {};
  std::vector<std::string> words;
  for (const std::string_view key : {"code", "type"}) {
    if (std::string word = TextAt(*error, key); !word.empty()) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace falconer::agent
