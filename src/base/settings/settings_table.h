#pragma once
// One row per setting. To add one: a member of Settings, a row in settings_table.cc, and
// `make docs`.

#include <span>
#include <string>
#include <string_view>

#include "base/settings/settings.h"

namespace falconer {

enum class Secrecy { kPublic, kSecret };

// Joins a row to a member of Settings.
struct SettingBinding {
  // "duration", "list", ...: what the reader of the help should write.
  std::string_view type;
  // "1ms to 1h", "auto, on or off"; empty when every text will do.
  std::string (*allowed)();
  // Stores the value; false when the text is not allowed.
  bool (*parse)(std::string_view text, Settings& settings);
  std::string (*print)(const Settings& settings);
  // JSON Schema of the value.
  json::object (*schema)();
};

// A second name in the environment that older tools use.
struct OldName {
  std::string_view name;
  // Put behind a plain number: the old name may have been in seconds.
  std::string_view unit;
};

struct SettingRow {
  std::string_view key;
  std::string_view fallback;  // the default, as one would write it
  SettingBinding binding;
  std::string_view help;
  Secrecy secrecy = Secrecy::kPublic;
  OldName old_names[2] = {};
};

std::span<const SettingRow> AllSettings();
// The row of a key, or null.
const SettingRow* SettingNamed(std::string_view key);
// "browser.count" is FALCONER_BROWSER_COUNT.
std::string EnvironmentName(const SettingRow& row);

}  // namespace falconer
