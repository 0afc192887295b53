#pragma once
// Fingerprint: what an element is known by when its selectors find it no more: what it is, what it
// says, what it stands in. From a page, so untrusted; never what was typed into it.

#include <map>
#include <string>
#include <vector>

#include "base/json/json_reader.h"

namespace falconer::model {

inline constexpr std::size_t kMaxFingerprintText = 120;  // bytes of each text
inline constexpr std::size_t kMaxFingerprintSelectors = 8;

struct Fingerprint {
  std::string role;
  std::string name;  // accessible name
  std::string text;  // what is seen of it; "" for fields
  std::string tag;
  std::string type;   // of an input or a button
  std::string label;  // of a field
  // Attributes that authors give: id, name, test id, placeholder, title, alt, autocomplete, and the
  // path that a link leads to.
  std::map<std::string, std::string> attributes;
  std::string landmark;  // what it stands in: `form "Order"`; "" when nothing has a name
  std::string item;      // what the row, card or entry around it says; "" when there is none
  std::string before;    // the nearest heading or text before it
  // Where its middle is, as shares of the page's width and height.
  double x = 0;
  double y = 0;
  bool is_enabled = true;
  // Address of its document without query and fragment; "" in the main frame.
  std::string frame;
  // Each finds it and nothing else at the time; the likeliest to last comes first.
  std::vector<std::string> selectors;

  // Strict. Fails with kInvalidArgument naming the field.
  static Result<Fingerprint> FromJson(const json::value& value, std::string path = "fingerprint");
  // Members at their defaults are left out.
  json::object ToJson() const;
  bool operator==(const Fingerprint&) const = default;
};

}  // namespace falconer::model
