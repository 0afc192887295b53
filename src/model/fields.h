#pragma once
// Plain structs described by tables: one row per field gives its name on the wire and its use. From
// the table come JSON writing and strict reading, field-level differences and their application, so
// that the four can never disagree.
//
//   template <>
//   struct Fields<TabState> {
//     static constexpr auto kAll = std::tuple(Field{"tab_id", &TabState::tab_id}, ...);
//   };
//
// A field equal to its default is left out of the JSON; reading puts the default back.

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

// Who gets to see a field. Only kContent is part of a state's identity.
enum class FieldUse : std::uint8_t {
  kContent,   // what the page says
  kSight,     // what scrolling and time change: in sight or not, bytes received
  kPlace,     // where things are
  kInternal,  // for the driver, never for a model
};

enum class FieldSet : std::uint8_t { kAll, kContent, kModel, kModelWithPlaces };

constexpr bool Includes(FieldSet set, FieldUse use) {
  switch (set) {
    case FieldSet::kAll:
      return true;
    case FieldSet::kContent:
      return use == FieldUse::kContent;
    case FieldSet::kModel:
      return use == FieldUse::kContent || use == FieldUse::kSight;
    case FieldSet::kModelWithPlaces:
      return use != FieldUse::kInternal;
  }
  std::unreachable();
}

template <typename T, typename M>
struct Field {
  constexpr Field(std::string_view field_name, M T::* field_member,
                  FieldUse field_use = FieldUse::kContent)
      : name(field_name), member(field_member), use(field_use) {}

  std::string_view name;
  M T::* member;
  FieldUse use;
};

// Specialised for every described struct.
template <typename T>
struct Fields;

template <typename T>
concept Described = requires { Fields<T>::kAll; };

// Specialised for enumerations that are fields: the table of their names.
template <typename E>
struct EnumNames;

template <typename T, typename Visit>
constexpr void ForEachField(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, Fields<T>::kAll);
}

// What is wrong with a value, and where in it.
struct DecodeFailure {
  std::string path;  // "elements[3].name", "" for the value itself
  std::string why;

  DecodeFailure At(std::string_view step) && {
    const bool needs_dot = !path.empty() && path.front() != '[';
    path = std::string(step) + (needs_dot ? "." : "") + path;
    return std::move(*this);
  }
  // kInvalidArgument: "<root>.<path>: <why>".
  Error ToError(std::string_view root) && {
    return {ErrorCode::kInvalidArgument, std::move(*this).At(root).Message()};
  }
  std::string Message() const { return path + ": " + why; }
};

using Decoded = std::expected<void, DecodeFailure>;

inline std::unexpected<DecodeFailure> WrongType(std::string_view expected, const json::value& got) {
  return std::unexpected(DecodeFailure{
      .path = "",
      .why = "expected " + std::string(expected) + ", got " + std::string(JsonTypeName(got))});
}

template <typename T>
json::object Write(const T& item, FieldSet set);
template <Described T>
Decoded Decode(const json::value& in, T& out);

inline json::value Encode(const std::string& value, FieldSet) {
  return json::value(value);
}
inline json::value Encode(bool value, FieldSet) {
  return json::value(value);
}
inline json::value Encode(double value, FieldSet) {
  return json::value(value);
}
template <std::integral I>
json::value Encode(I value, FieldSet) {
  return json::value(value);
}
template <typename E>
  requires std::is_enum_v<E>
json::value Encode(E value, FieldSet) {
  return json::value(NameIn(EnumNames<E>::kTable, value));
}
template <Described T>
json::value Encode(const T& value, FieldSet set) {
  return Write(value, set);
}
template <typename T>
json::value Encode(const std::optional<T>& value, FieldSet set) {
  return value ? Encode(*value, set) : json::value();
}
template <typename List>
json::value EncodeList(const List& list, FieldSet set) {
  json::array out;
  out.reserve(list.size());
  for (const auto& item : list) out.push_back(Encode(item, set));
  return out;
}
template <typename T>
json::value Encode(const std::vector<T>& list, FieldSet set) {
  return EncodeList(list, set);
}
template <typename T, std::size_t N>
json::value Encode(const std::array<T, N>& list, FieldSet set) {
  return EncodeList(list, set);
}

inline Decoded Decode(const json::value& in, std::string& out) {
  const json::string* text = in.if_string();
  if (text == nullptr) return WrongType("string", in);
  out.assign(text->data(), text->size());
  return {};
}
inline Decoded Decode(const json::value& in, bool& out) {
  const bool* value = in.if_bool();
  if (value == nullptr) return WrongType("bool", in);
  out = *value;
  return {};
}
inline Decoded Decode(const json::value& in, double& out) {
  if (!in.is_number()) return WrongType("number", in);
  out = in.to_number<double>();
  return {};
}
template <std::integral I>
Decoded Decode(const json::value& in, I& out) {
  if (const std::int64_t* value = in.if_int64(); value != nullptr && std::in_range<I>(*value)) {
    out = static_cast<I>(*value);
    return {};
  }
  if (const std::uint64_t* value = in.if_uint64(); value != nullptr && std::in_range<I>(*value)) {
    out = static_cast<I>(*value);
    return {};
  }
  if (!in.is_number()) return WrongType("whole number", in);
  return std::unexpected(DecodeFailure{.path = "", .why = "not a whole number in range"});
}
template <typename E>
  requires std::is_enum_v<E>
Decoded Decode(const json::value& in, E& out) {
  const json::string* text = in.if_string();
  if (text == nullptr) return WrongType("string", in);
  const std::optional<E> value = ValueIn(EnumNames<E>::kTable, *text);
  if (!value) return std::unexpected(DecodeFailure{.path = "", .why = "unknown word"});
  out = *value;
  return {};
}
template <typename T>
Decoded Decode(const json::value& in, std::optional<T>& out) {
  return Decode(in, out.emplace());
}
template <typename T>
Decoded DecodeAt(const json::array& in, std::size_t index, T& out) {
  Decoded done = Decode(in[index], out);
  if (done) return done;
  return std::unexpected(std::move(done).error().At("[" + std::to_string(index) + "]"));
}
template <typename T>
Decoded Decode(const json::value& in, std::vector<T>& out) {
  const json::array* list = in.if_array();
  if (list == nullptr) return WrongType("array", in);
  out.clear();
  out.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    Decoded done = DecodeAt(*list, i, out.emplace_back());
    if (!done) return done;
  }
  return {};
}
template <typename T, std::size_t N>
Decoded Decode(const json::value& in, std::array<T, N>& out) {
  const json::array* list = in.if_array();
  if (list == nullptr) return WrongType("array", in);
  if (list->size() != N) {
    const std::string why = "expected " + std::to_string(N) + " elements";
    return std::unexpected(DecodeFailure{.path = "", .why = why});
  }
  for (std::size_t i = 0; i < N; ++i) {
    Decoded done = DecodeAt(*list, i, out[i]);
    if (!done) return done;
  }
  return {};
}

// The value every field has when nothing is said about it.
template <typename T>
const T& DefaultOf() {
  static const T value{};
  return value;
}

template <typename T>
void WriteTo(json::object& out, const T& item, FieldSet set) {
  ForEachField<T>([&](const auto& field) {
    if (!Includes(set, field.use) || item.*field.member == DefaultOf<T>().*field.member) return;
    out.emplace(field.name, Encode(item.*field.member, set));
  });
}

template <typename T>
json::object Write(const T& item, FieldSet set) {
  json::object out;
  WriteTo(out, item, set);
  return out;
}

// Sets the named field; null stands for the default.
template <typename T>
Decoded DecodeField(T& item, std::string_view name, const json::value& value) {
  Decoded done = std::unexpected(DecodeFailure{.path = "", .why = "unknown field"});
  ForEachField<T>([&](const auto& field) {
    if (field.name != name) return;
    done = {};
    if (value.is_null()) {
      item.*field.member = DefaultOf<T>().*field.member;
    } else {
      done = Decode(value, item.*field.member);
    }
  });
  if (done) return done;
  return std::unexpected(std::move(done).error().At(name));
}

// Sets the fields that `changes` names and leaves the others alone.
template <typename T>
Decoded ApplyFields(T& item, const json::object& changes) {
  for (const json::key_value_pair& change : changes) {
    Decoded done = DecodeField(item, change.key(), change.value());
    if (!done) return done;
  }
  return {};
}

template <Described T>
Decoded Decode(const json::value& in, T& out) {
  const json::object* object = in.if_object();
  if (object == nullptr) return WrongType("object", in);
  // What the text does not mention has its default, whatever was there before.
  out = T();
  return ApplyFields(out, *object);
}

// The fields in which `next` differs, with their new values; null where the default is back.
template <typename T>
json::object DiffFields(const T& prev, const T& next) {
  json::object out;
  ForEachField<T>([&](const auto& field) {
    if (prev.*field.member == next.*field.member) return;
    const bool is_default = next.*field.member == DefaultOf<T>().*field.member;
    out.emplace(field.name,
                is_default ? json::value() : Encode(next.*field.member, FieldSet::kAll));
  });
  return out;
}

// The members of `changes` that belong to `set`.
template <typename T>
json::object FilterFields(const json::object& changes, FieldSet set) {
  json::object out;
  ForEachField<T>([&](const auto& field) {
    const json::value* value = changes.if_contains(field.name);
    if (value != nullptr && Includes(set, field.use)) out.emplace(field.name, *value);
  });
  return out;
}

}  // namespace falconer::model
