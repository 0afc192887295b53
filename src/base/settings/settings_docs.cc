// The settings table as text for people and for the API.
#include <fmt/format.h>

#include "base/settings/settings.h"
#include "base/settings/settings_table.h"

namespace falconer {
namespace {

std::string AllowedOf(const SettingRow& row) {
  const std::string allowed = row.binding.allowed();
  return allowed.empty() ? std::string(row.binding.type)
                         : fmt::format("{}: {}", row.binding.type, allowed);
}

std::string OldNamesOf(const SettingRow& row) {
  std::string out;
  for (const OldName& old : row.old_names) {
    if (old.name.empty()) continue;
    const std::string unit = old.unit.empty() ? "" : fmt::format(" (in {})", old.unit);
    out += fmt::format("{}`{}`{}", out.empty() ? "" : ", ", old.name, unit);
  }
  return out;
}

}  // namespace

std::string DescribeSettings() {
  std::string out;
  for (const SettingRow& row : AllSettings()) {
    const std::string fallback =
        row.fallback.empty() ? "" : fmt::format(", default {}", row.fallback);
    out += fmt::format("  {}\n      {}\n      [{}{}] {}\n", row.key, row.help, AllowedOf(row),
                       fallback, EnvironmentName(row));
  }
  return out;
}

std::string SettingsMarkdown() {
  std::string out =
      "# Settings\n\n"
      "This page is printed by `falconer config docs`; do not edit it, run `make docs`.\n\n"
      "A setting is looked for in a YAML file (`--config FILE` or `FALCONER_CONFIG`), then in the\n"
      "environment, then on the command line (`--set KEY=VALUE`); the later one wins. All are read "
      "once,\n"
      "at start: a change takes effect at the next one. In the file, groups may be nested\n"
      "(`sessions:` over `max: 20`) or written with dots (`sessions.max: 20`). The environment's "
      "name\n"
      "of a setting is its key in capitals with `FALCONER_` before it (`FALCONER_SESSIONS_MAX`); "
      "the\n"
      "other names listed are understood too. An unknown key, a wrong type or a value out of "
      "bounds\n"
      "stops the program and names the place.\n\n"
      "Durations are written `500ms`, `20s`, `5m` or `1h` (a plain number is milliseconds), sizes\n"
      "`64KiB`, `512MiB` or `1GiB` (a plain number is bytes).\n\n"
      "| key | default | allowed | what it does | other names |\n"
      "|---|---|---|---|---|\n";
  for (const SettingRow& row : AllSettings()) {
    out += fmt::format(
        "| `{}` | {} | {} | {}{} | {} |\n", row.key,
        row.fallback.empty() ? "" : fmt::format("`{}`", row.fallback), AllowedOf(row), row.help,
        row.secrecy == Secrecy::kSecret ? " Secret: never shown." : "", OldNamesOf(row));
  }
  return out;
}

json::array ShowSettings(const LoadedSettings& settings) {
  json::array out;
  for (const SettingRow& row : AllSettings()) {
    const std::string value = row.binding.print(settings.values);
    const bool is_hidden = row.secrecy == Secrecy::kSecret && !value.empty();
    const auto source = settings.sources.find(row.key);
    out.push_back({{"key", row.key},
                   {"value", is_hidden ? "***" : value},
                   {"source", source == settings.sources.end() ? "default" : source->second}});
  }
  return out;
}

}  // namespace falconer
