#pragma once
// Get and Put for every field type of the protocol. Included by the generated code only.

#include <utility>

#include "cdp/protocol.h"

namespace falconer::cdp {

inline bool Take(const json::value& from, std::string& to) {
  if (!from.is_string()) return false;
  to.assign(from.get_string().data(), from.get_string().size());
  return true;
}

inline bool Take(const json::value& from, bool& to) {
  if (!from.is_bool()) return false;
  to = from.get_bool();
  return true;
}

inline bool Take(const json::value& from, double& to) {
  if (!from.is_number()) return false;
  to = from.to_number<double>();
  return true;
}

// Some integer fields arrive as doubles without a fraction.
inline bool Take(const json::value& from, std::int64_t& to) {
  if (!from.is_number()) return false;
  boost::system::error_code inexact;
  to = from.to_number<std::int64_t>(inexact);
  if (inexact) to = static_cast<std::int64_t>(from.to_number<double>());
  return true;
}

// Messages live in a memory pool that is dropped after dispatch: copies must own their storage.
inline bool Take(const json::value& from, json::value& to) {
  to = json::value(from, json::storage_ptr());
  return true;
}

inline bool Take(const json::value& from, json::object& to) {
  if (!from.is_object()) return false;
  to = json::object(from.get_object(), json::storage_ptr());
  return true;
}

template <typename T>
bool Take(const json::value& from, T& to) {
  if (!from.is_object()) return false;
  Reader in(from.get_object());
  Read(in, to);
  return in.is_ok();
}

template <typename T>
bool Take(const json::value& from, std::vector<T>& to) {
  if (!from.is_array()) return false;
  for (const json::value& item : from.get_array()) {
    if (T element{}; Take(item, element)) {
      to.push_back(std::move(element));
    } else {
      return false;
    }
  }
  return true;
}

template <typename T>
void Get(Reader& in, std::string_view key, T& to) {
  const json::value* from = in.Find(key);
  if (from == nullptr || !Take(*from, to)) in.Complain(key);
}

template <typename T>
void Get(Reader& in, std::string_view key, std::optional<T>& to) {
  const json::value* from = in.Find(key);
  if (from == nullptr || from->is_null()) return;
  if (!Take(*from, to.emplace())) in.Complain(key);
}

inline json::value ToValue(const std::string& from) {
  return json::value(std::string_view(from));
}
inline json::value ToValue(bool from) {
  return json::value(from);
}
inline json::value ToValue(double from) {
  return json::value(from);
}
inline json::value ToValue(std::int64_t from) {
  return json::value(from);
}
inline json::value ToValue(const json::value& from) {
  return from;
}
inline json::value ToValue(const json::object& from) {
  return from;
}

template <typename T>
json::value ToValue(const T& from) {
  json::object out;
  Write(out, from);
  return out;
}

template <typename T>
json::value ToValue(const std::vector<T>& from) {
  json::array out;
  out.reserve(from.size());
  for (const T& item : from) out.push_back(ToValue(item));
  return out;
}

template <typename T>
void Put(json::object& out, std::string_view key, const T& from) {
  out[key] = ToValue(from);
}

// An absent optional is left out: an explicit null makes the browser refuse the whole command.
template <typename T>
void Put(json::object& out, std::string_view key, const std::optional<T>& from) {
  if (from) out[key] = ToValue(*from);
}

}  // namespace falconer::cdp
