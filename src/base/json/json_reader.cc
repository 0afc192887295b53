#include "base/json/json_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace falconer {
namespace {

// A whole number as JSON writers produce it: also 3.0, and unsigned values that fit.
std::optional<std::int64_t> WholeNumber(const json::value& value) {
  if (const std::int64_t* whole = value.if_int64()) return *whole;
  const double* number = value.if_double();
  constexpr double kExact = 9007199254740992.0;  // 2^53: beyond it doubles skip whole numbers
  if (number == nullptr || std::abs(*number) > kExact || std::trunc(*number) != *number) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

std::optional<double> AnyNumber(const json::value& value) {
  if (const double* number = value.if_double()) return *number;
  if (const std::int64_t* whole = value.if_int64()) return static_cast<double>(*whole);
  if (const std::uint64_t* whole = value.if_uint64()) return static_cast<double>(*whole);
  return std::nullopt;
}

// "at least 1", "at most 9" or "between 1 and 9": only the sides that are limited.
template <typename T>
std::string Describe(Bounds<T> bounds) {
  const bool has_min = bounds.min != Bounds<T>().min;
  const bool has_max = bounds.max != Bounds<T>().max;
  if (has_min && has_max) return fmt::format("between {} and {}", bounds.min, bounds.max);
  if (has_min) return fmt::format("at least {}", bounds.min);
  return fmt::format("at most {}", bounds.max);
}

}  // namespace

JsonReader::JsonReader(const json::object& object, std::string path, ErrorCode code)
    : object_(object), path_(std::move(path)), code_(code) {
}

std::string JsonReader::PathOf(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void JsonReader::Reject(std::string_view key, std::string_view why) {
  const std::string where = PathOf(key);
  const std::string prefix = where.empty() ? "" : where + ": ";
  Reject(Error(code_, prefix + std::string(why), {{"field", where}}));
}

void JsonReader::Reject(Error error) {
  if (!failure_) failure_ = std::move(error);
}

void JsonReader::Expected(std::string_view key, std::string_view type, const json::value& got) {
  Reject(key, fmt::format("expected {}, got {}", type, JsonTypeName(got)));
}

void JsonReader::RejectEnum(std::string_view key, std::span<const std::string_view> names) {
  Reject(key, fmt::format("expected one of {}", fmt::join(names, ", ")));
}

const json::value* JsonReader::Optional(std::string_view key) {
  if (std::ranges::find(asked_, key) == asked_.end()) asked_.push_back(key);
  const json::value* value = object_.if_contains(key);
  return failed() || value == nullptr || value->is_null() ? nullptr : value;
}

const json::value* JsonReader::Required(std::string_view key) {
  const json::value* value = Optional(key);
  if (value == nullptr) Reject(key, "is required");
  return value;
}

bool JsonReader::Has(std::string_view key) const {
  const json::value* value = object_.if_contains(key);
  return value != nullptr && !value->is_null();
}

std::optional<std::string> JsonReader::OptionalString(std::string_view key,
                                                      Bounds<std::size_t> length) {
  const json::value* value = Optional(key);
  if (value == nullptr) return std::nullopt;
  const json::string* text = value->if_string();
  if (text == nullptr) {
    Expected(key, "string", *value);
    return std::nullopt;
  }
  if (!length.Contains(text->size())) {
    Reject(key, fmt::format("length must be {} bytes, is {}", Describe(length), text->size()));
    return std::nullopt;
  }
  return std::string(*text);
}

std::optional<std::int64_t> JsonReader::OptionalInteger(std::string_view key,
                                                        Bounds<std::int64_t> bounds) {
  const json::value* value = Optional(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::int64_t> whole = WholeNumber(*value);
  if (!whole) {
    Expected(key, "integer", *value);
  } else if (!bounds.Contains(*whole)) {
    Reject(key, fmt::format("must be {}, is {}", Describe(bounds), *whole));
  } else {
    return whole;
  }
  return std::nullopt;
}

std::optional<double> JsonReader::OptionalNumber(std::string_view key, Bounds<double> bounds) {
  const json::value* value = Optional(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<double> number = AnyNumber(*value);
  if (!number) {
    Expected(key, "number", *value);
  } else if (!bounds.Contains(*number)) {
    Reject(key, fmt::format("must be {}, is {}", Describe(bounds), *number));
  } else {
    return number;
  }
  return std::nullopt;
}

std::optional<bool> JsonReader::OptionalBool(std::string_view key) {
  const json::value* value = Optional(key);
  if (value == nullptr) return std::nullopt;
  if (const bool* flag = value->if_bool()) return *flag;
  Expected(key, "bool", *value);
  return std::nullopt;
}

std::optional<std::chrono::milliseconds> JsonReader::OptionalMilliseconds(
    std::string_view key, Bounds<std::int64_t> bounds) {
  const std::optional<std::int64_t> count = OptionalInteger(key, bounds);
  if (!count) return std::nullopt;
  return std::chrono::milliseconds(*count);
}

std::optional<std::vector<std::string>> JsonReader::OptionalStrings(std::string_view key,
                                                                    Bounds<std::size_t> count) {
  const json::array* array = AsArray(key, Optional(key), count);
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> out;
  for (const json::value& element : *array) {
    const json::string* text = element.if_string();
    if (text == nullptr) {
      Expected(fmt::format("{}[{}]", key, out.size()), "string", element);
      return std::nullopt;
    }
    out.emplace_back(*text);
  }
  return out;
}

std::optional<json::object> JsonReader::OptionalRawObject(std::string_view key) {
  const json::object* object = AsObject(key, Optional(key));
  return object == nullptr ? std::nullopt : std::optional(*object);
}

std::optional<json::array> JsonReader::OptionalRawArray(std::string_view key) {
  const json::array* array = AsArray(key, Optional(key), {});
  return array == nullptr ? std::nullopt : std::optional(*array);
}

std::optional<json::value> JsonReader::OptionalRawValue(std::string_view key) {
  const json::value* value = Optional(key);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

// The required forms: the optional form, after the check that the field is there.
std::string JsonReader::String(std::string_view key, Bounds<std::size_t> length) {
  Required(key);
  return OptionalString(key, length).value_or("");
}

std::int64_t JsonReader::Integer(std::string_view key, Bounds<std::int64_t> bounds) {
  Required(key);
  return OptionalInteger(key, bounds).value_or(0);
}

double JsonReader::Number(std::string_view key, Bounds<double> bounds) {
  Required(key);
  return OptionalNumber(key, bounds).value_or(0);
}

bool JsonReader::Bool(std::string_view key) {
  Required(key);
  return OptionalBool(key).value_or(false);
}

std::chrono::milliseconds JsonReader::Milliseconds(std::string_view key,
                                                   Bounds<std::int64_t> bounds) {
  return std::chrono::milliseconds(Integer(key, bounds));
}

std::vector<std::string> JsonReader::Strings(std::string_view key, Bounds<std::size_t> count) {
  Required(key);
  return OptionalStrings(key, count).value_or(std::vector<std::string>());
}

json::object JsonReader::RawObject(std::string_view key) {
  Required(key);
  return OptionalRawObject(key).value_or(json::object());
}

json::array JsonReader::RawArray(std::string_view key) {
  Required(key);
  return OptionalRawArray(key).value_or(json::array());
}

json::value JsonReader::RawValue(std::string_view key) {
  const json::value* value = Required(key);
  return value == nullptr ? json::value() : *value;
}

const json::object* JsonReader::AsObject(std::string_view key, const json::value* value) {
  if (value == nullptr) return nullptr;
  const json::object* object = value->if_object();
  if (object == nullptr) Expected(key, "object", *value);
  return object;
}

const json::array* JsonReader::AsArray(std::string_view key, const json::value* value,
                                       Bounds<std::size_t> count) {
  if (value == nullptr) return nullptr;
  const json::array* array = value->if_array();
  if (array == nullptr) {
    Expected(key, "array", *value);
  } else if (!count.Contains(array->size())) {
    Reject(key, fmt::format("must have {} elements, has {}", Describe(count), array->size()));
    return nullptr;
  }
  return array;
}

Result<void> JsonReader::Done() {
  for (const json::key_value_pair& member : object_) {
    const std::string_view key(member.key());
    if (std::ranges::find(asked_, key) != asked_.end()) continue;
    Reject(key, fmt::format("unknown field; known are {}", fmt::join(asked_, ", ")));
    break;
  }
  if (!failure_) return {};
  return std::unexpected(*failure_);
}

}  // namespace falconer
