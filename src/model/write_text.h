#pragma once
// Text on the wire: what is empty is left out.

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer::model {

inline void WriteText(json::object& out, std::string_view key, const std::string& text) {
  if (!text.empty()) out[key] = text;
}

}  // namespace falconer::model
