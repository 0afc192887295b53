#pragma once
// JsonReader reads one JSON object field by field into a typed value. The first thing that is wrong
// is kept and named by its path ("arguments.target: expected string, got number"); after it every
// read answers an empty value, so a reading function needs one line per field and one check at the
// end:
//
//   ClickArgs ReadClick(JsonReader& in) {
//     return {.target = in.String("target"),
//             .button = in.OptionalEnum("button", kButtons).value_or(Button::kLeft),
//             .count = in.OptionalInteger("count", {1, 3}).value_or(1)};
//   }
//   Result<ClickArgs> ParseClick(const json::value& arguments) {
//     return ReadJson(arguments, "arguments", ReadClick);
//   }
//
// Keys MUST be string literals (they are remembered). An optional field that is null counts as
// absent. A field nobody asked for is an error.

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json/json.h"

namespace falconer {

// Inclusive limits.
template <typename T>
struct Bounds {
  T min = std::numeric_limits<T>::lowest();
  T max = std::numeric_limits<T>::max();

  bool Contains(const T& value) const { return min <= value && value <= max; }
};

// One row of a table that gives an enumeration its names on the wire.
template <typename E>
struct EnumName {
  E value;
  std::string_view name;
};

// The wire name of a value, "" when the table lacks it.
template <typename E, std::size_t N>
constexpr std::string_view NameIn(const EnumName<E> (&table)[N], E value) {
  for (const EnumName<E>& row : table) {
    if (row.value == value) return row.name;
  }
  return {};
}

// The value with this wire name, if the table has it.
template <typename E, std::size_t N>
constexpr std::optional<E> ValueIn(const EnumName<E> (&table)[N], std::string_view name) {
  for (const EnumName<E>& row : table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

class JsonReader {
 public:
  // `object` MUST outlive the reader. `path` is the prefix of every message; "" for none.
  explicit JsonReader(const json::object& object, std::string path = {},
                      ErrorCode code = ErrorCode::kInvalidArgument);

  // Required fields. Text bounds are counted in bytes, array bounds in elements.
  std::string String(std::string_view key, Bounds<std::size_t> length = {});
  std::int64_t Integer(std::string_view key, Bounds<std::int64_t> bounds = {});
  double Number(std::string_view key, Bounds<double> bounds = {});
  bool Bool(std::string_view key);
  // A whole number of milliseconds.
  std::chrono::milliseconds Milliseconds(std::string_view key, Bounds<std::int64_t> bounds = {});
  std::vector<std::string> Strings(std::string_view key, Bounds<std::size_t> count = {});
  // Sub-objects and arrays taken as they are, for fields with a form of their own.
  json::object RawObject(std::string_view key);
  json::array RawArray(std::string_view key);
  json::value RawValue(std::string_view key);

  // The same for fields that may be absent.
  std::optional<std::string> OptionalString(std::string_view key, Bounds<std::size_t> length = {});
  std::optional<std::int64_t> OptionalInteger(std::string_view key,
                                              Bounds<std::int64_t> bounds = {});
  std::optional<double> OptionalNumber(std::string_view key, Bounds<double> bounds = {});
  std::optional<bool> OptionalBool(std::string_view key);
  std::optional<std::chrono::milliseconds> OptionalMilliseconds(std::string_view key,
                                                                Bounds<std::int64_t> bounds = {});
  std::optional<std::vector<std::string>> OptionalStrings(std::string_view key,
                                                          Bounds<std::size_t> count = {});
  std::optional<json::object> OptionalRawObject(std::string_view key);
  std::optional<json::array> OptionalRawArray(std::string_view key);
  std::optional<json::value> OptionalRawValue(std::string_view key);

  // A string that must be one of the table's names.
  template <typename E, std::size_t N>
  E Enum(std::string_view key, const EnumName<E> (&table)[N]);
  template <typename E, std::size_t N>
  std::optional<E> OptionalEnum(std::string_view key, const EnumName<E> (&table)[N]);

  // A sub-object read by `read(JsonReader&) -> T`; its unknown fields are errors too.
  template <typename Read>
  auto Object(std::string_view key, Read read);
  template <typename Read>
  auto OptionalObject(std::string_view key, Read read);
  // An array of sub-objects; absent reads as empty in the optional form.
  template <typename Read>
  auto Objects(std::string_view key, Read read, Bounds<std::size_t> count = {});
  template <typename Read>
  auto OptionalObjects(std::string_view key, Read read, Bounds<std::size_t> count = {});

  // True when the field is there and not null. Does not count as reading it.
  bool Has(std::string_view key) const;
  // Reports a rule of the caller's own: "path.key: why". The empty key names the object itself.
  void Reject(std::string_view key, std::string_view why);
  // Reports a failure of the caller's own, as it is.
  void Reject(Error error);
  bool failed() const { return failure_.has_value(); }
  const std::string& path() const { return path_; }

  // Ends the reading: the first thing that was wrong, or else the first field nobody asked for.
  Result<void> Done();

 private:
  // The value of `key`, or null with (required) or without (optional) a failure.
  const json::value* Required(std::string_view key);
  const json::value* Optional(std::string_view key);
  void Expected(std::string_view key, std::string_view type, const json::value& got);
  std::string PathOf(std::string_view key) const;
  void RejectEnum(std::string_view key, std::span<const std::string_view> names);
  const json::object* AsObject(std::string_view key, const json::value* value);
  const json::array* AsArray(std::string_view key, const json::value* value,
                             Bounds<std::size_t> count);

  template <typename E, std::size_t N>
  std::optional<E> ToEnum(std::string_view key, const EnumName<E> (&table)[N],
                          const std::optional<std::string>& name);
  template <typename Read>
  auto ReadChild(const json::object& object, std::string path, Read& read);
  template <typename Read>
  auto ReadChildren(std::string_view key, const json::value* value, Read& read,
                    Bounds<std::size_t> count);

  const json::object& object_;
  std::string path_;
  ErrorCode code_;
  std::optional<Error> failure_;
  std::vector<std::string_view> asked_;
};

// Reads a whole value with `read(JsonReader&) -> T`: fails when it is not an object, when a field
// is wrong, and when a field is unknown.
template <typename Read>
auto ReadJson(const json::value& value, std::string path, Read read,
              ErrorCode code = ErrorCode::kInvalidArgument)
    -> Result<std::invoke_result_t<Read&, JsonReader&>> {
  const json::object* object = value.if_object();
  if (object == nullptr) {
    const std::string where = path.empty() ? "" : path + ": ";
    return Fail(code, where + "expected object, got " + std::string(JsonTypeName(value)));
  }
  JsonReader reader(*object, std::move(path), code);
  auto result = read(reader);
  TRY(reader.Done());
  return result;
}

template <typename E, std::size_t N>
E JsonReader::Enum(std::string_view key, const EnumName<E> (&table)[N]) {
  std::optional<std::string> name;
  if (Required(key) != nullptr) name = OptionalString(key);
  return ToEnum(key, table, name).value_or(table[0].value);
}

template <typename E, std::size_t N>
std::optional<E> JsonReader::OptionalEnum(std::string_view key, const EnumName<E> (&table)[N]) {
  return ToEnum(key, table, OptionalString(key));
}

template <typename E, std::size_t N>
std::optional<E> JsonReader::ToEnum(std::string_view key, const EnumName<E> (&table)[N],
                                    const std::optional<std::string>& name) {
  if (!name || failed()) return std::nullopt;
  if (const std::optional<E> value = ValueIn(table, *name)) return value;
  std::vector<std::string_view> names;
  for (const EnumName<E>& row : table) names.push_back(row.name);
  RejectEnum(key, names);
  return std::nullopt;
}

template <typename Read>
auto JsonReader::ReadChild(const json::object& object, std::string path, Read& read) {
  JsonReader child(object, std::move(path), code_);
  auto value = read(child);
  if (Result<void> done = child.Done(); !done) Reject(std::move(done).error());
  return value;
}

template <typename Read>
auto JsonReader::OptionalObject(std::string_view key, Read read) {
  using T = std::invoke_result_t<Read&, JsonReader&>;
  const json::object* object = AsObject(key, Optional(key));
  if (object == nullptr) return std::optional<T>();
  return std::optional<T>(ReadChild(*object, PathOf(key), read));
}

template <typename Read>
auto JsonReader::Object(std::string_view key, Read read) {
  const json::object* object = AsObject(key, Required(key));
  if (object == nullptr) return std::invoke_result_t<Read&, JsonReader&>();
  return ReadChild(*object, PathOf(key), read);
}

template <typename Read>
auto JsonReader::ReadChildren(std::string_view key, const json::value* value, Read& read,
                              Bounds<std::size_t> count) {
  std::vector<std::invoke_result_t<Read&, JsonReader&>> out;
  const json::array* array = AsArray(key, value, count);
  if (array == nullptr) return out;
  for (std::size_t i = 0; i < array->size() && !failed(); ++i) {
    std::string path = PathOf(key) + "[" + std::to_string(i) + "]";
    const json::object* object = (*array)[i].if_object();
    if (object == nullptr) {
      Reject(Error(code_, path + ": expected object, got " + std::string(JsonTypeName((*array)[i])),
                   {{"field", path}}));
      break;
    }
    out.push_back(ReadChild(*object, std::move(path), read));
  }
  return out;
}

template <typename Read>
auto JsonReader::Objects(std::string_view key, Read read, Bounds<std::size_t> count) {
  return ReadChildren(key, Required(key), read, count);
}

template <typename Read>
auto JsonReader::OptionalObjects(std::string_view key, Read read, Bounds<std::size_t> count) {
  return ReadChildren(key, Optional(key), read, count);
}

}  // namespace falconer
