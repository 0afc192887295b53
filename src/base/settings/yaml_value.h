#pragma once
// YamlValue: a part of a YAML text as JSON. Only for files of this folder: it brings the library's
// headers.

#include <string>
#include <yaml-cpp/yaml.h>

#include "base/json/json.h"

namespace falconer {

// Words in quotes are texts; true, false, null and numbers without them are what they look like.
// kInvalidSetting, naming `source`, for keys that are no words or come twice, and for depth beyond
// that of an honest file.
Result<json::value> YamlValue(const YAML::Node& node, const std::string& source);

}  // namespace falconer
