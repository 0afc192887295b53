#include "model/contract/json_compare.h"

#include <algorithm>
#include <utility>

namespace falconer::model {
namespace {

bool NumbersEqual(const json::value& a, const json::value& b) {
  // Two whole numbers are compared exactly; as doubles, large neighbours would be one.
  if (!a.is_double() && !b.is_double()) return a == b;
  return a.to_number<double>() == b.to_number<double>();
}

bool ArraysEqual(const json::array& a, const json::array& b) {
  return std::ranges::equal(a, b, JsonEquals);
}

bool ObjectsEqual(const json::object& a, const json::object& b) {
  return a.size() == b.size() && std::ranges::all_of(a, [&b](const json::key_value_pair& member) {
           const json::value* other = b.if_contains(member.key());
           return other != nullptr && JsonEquals(member.value(), *other);
         });
}

bool Contains(const json::value& whole, const json::value& part) {
  if (const json::array* list = whole.if_array()) {
    return std::ranges::any_of(*list, [&part](const auto& one) { return JsonEquals(one, part); });
  }
  const json::string* text = part.if_string();
  if (text == nullptr) return false;
  if (const json::object* object = whole.if_object()) return object->contains(*text);
  const json::string* subject = whole.if_string();
  return subject != nullptr && std::string_view(*subject).contains(std::string_view(*text));
}

// -1, 0 or 1; nothing when one of them is no number.
std::optional<int> Order(const json::value& a, const json::value& b) {
  if (!a.is_number() || !b.is_number()) return std::nullopt;
  if (NumbersEqual(a, b)) return 0;
  if (a.is_int64() && b.is_int64()) return a.get_int64() < b.get_int64() ? -1 : 1;
  return a.to_number<double>() < b.to_number<double>() ? -1 : 1;
}

bool IsOrdered(FieldOp op, const std::optional<int>& order) {
  if (!order) return false;
  switch (op) {
    case FieldOp::kLess:
      return *order < 0;
    case FieldOp::kAtMost:
      return *order <= 0;
    case FieldOp::kGreater:
      return *order > 0;
    default:
      return *order >= 0;
  }
}

bool Matches(const json::value& value, const std::optional<Pattern>& pattern) {
  const std::optional<std::string> text = ScalarText(value);
  return text && pattern && pattern->Matches(*text);
}

}  // namespace

bool JsonEquals(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number()) return NumbersEqual(a, b);
  if (a.is_array() && b.is_array()) return ArraysEqual(a.get_array(), b.get_array());
  if (a.is_object() && b.is_object()) return ObjectsEqual(a.get_object(), b.get_object());
  return a == b;
}

std::optional<std::string> ScalarText(const json::value& value) {
  if (const json::string* text = value.if_string()) return std::string(*text);
  if (value.is_number() || value.is_bool()) return json::serialize(value);
  return std::nullopt;
}

bool FieldHolds(const JsonFieldRule& rule, const json::value* found) {
  if (rule.op == FieldOp::kAbsent) return found == nullptr;
  if (found == nullptr) return false;
  if (rule.op == FieldOp::kExists) return true;
  if (!rule.value) return false;
  switch (rule.op) {
    case FieldOp::kEqual:
      return JsonEquals(*found, *rule.value);
    case FieldOp::kNotEqual:
      return !JsonEquals(*found, *rule.value);
    case FieldOp::kContains:
      return Contains(*found, *rule.value);
    case FieldOp::kMatches:
      return Matches(*found, rule.pattern);
    case FieldOp::kType:
      return rule.value->is_string() && JsonTypeName(*found) == rule.value->get_string();
    default:
      return IsOrdered(rule.op, Order(*found, *rule.value));
  }
}

}  // namespace falconer::model
