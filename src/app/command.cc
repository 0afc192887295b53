#include "app/command.h"

#include <fmt/format.h>

#include "app/config_commands.h"
#include "app/demo/demo.h"
#include "app/doctor/doctor.h"
#include "app/suggest.h"
#include "app/version.h"
#include "base/settings/settings_table.h"

namespace falconer::app {
namespace {

constexpr OptionRow kCommon[] = {
    {"--json", "", "Answer with one JSON object on one line.", &Arguments::wants_json},
    {"--config", "FILE", "Read settings from this YAML file.", &Arguments::config},
    {"--set", "KEY=VALUE", "Set one setting; wins over file and environment. Repeatable.",
     &Arguments::settings},
};

constexpr OptionRow kDemoOptions[] = {
    {"--visible", "", "Show the window of the full Chromium (needs a display).",
     &Arguments::is_visible},
    {"--keep-open", "", "Leave the browser open until Enter (or the end of input).",
     &Arguments::stays_open},
    {"--output", "DIR", "Where the screenshot goes; falconer-demo when not given.",
     &Arguments::output},
};

constexpr OptionRow kFileOption[] = {
    {"FILE", "FILE", "The settings file to check.", &Arguments::file},
};

constexpr Command kCommands[] = {
    {"demo", "Drive a real browser through a small order form and show every step.",
     "  falconer demo\n"
     "  falconer demo --visible --keep-open\n"
     "  falconer demo --json --output /tmp/demo",
     kDemoOptions, &RunDemo},
    {"doctor",
     "Check that this machine can run browsers, and say how to cure what is wrong.",
     "  falconer doctor\n"
     "  falconer doctor --json\n"
     "  falconer doctor --set browser.path=/opt/chromium/chrome",
     {},
     &RunDoctor},
    {"config show",
     "The settings in effect, each with where it was said; secrets are masked.",
     "  falconer config show\n"
     "  falconer config show --config falconer.yaml --json",
     {},
     &RunConfigShow},
    {"config schema",
     "JSON Schema of the settings file, for editors and checks.",
     "  falconer config schema > falconer.schema.json",
     {},
     &RunConfigSchema},
    {"config validate", "Check a settings file without starting anything.",
     "  falconer config validate falconer.yaml", kFileOption, &RunConfigValidate},
    {"config docs",
     "Every setting as a Markdown page.",
     "  falconer config docs > docs/config.md",
     {},
     &RunConfigDocs},
    {"version",
     "The version of this program.",
     "  falconer version\n"
     "  falconer version --json",
     {},
     &RunVersion},
};

std::vector<std::string> SettingKeys() {
  std::vector<std::string> keys;
  for (const SettingRow& row : AllSettings()) keys.emplace_back(row.key);
  return keys;
}

Result<std::pair<std::string, std::string>> ParseAssignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--set {}: expected key=value, such as timeouts.default=30s", text));
  }
  std::string key = text.substr(0, equals);
  if (SettingNamed(key) == nullptr) {
    const auto meant = Closest(key, SettingKeys());
    return Fail(ErrorCode::kInvalidSetting,
                fmt::format("--set: there is no setting \"{}\"{}", key,
                            meant ? fmt::format("; did you mean {}?", *meant) : ""));
  }
  return std::pair(std::move(key), text.substr(equals + 1));
}

}  // namespace

std::span<const Command> AllCommands() {
  return kCommands;
}

std::span<const OptionRow> CommonOptions() {
  return kCommon;
}

Result<SettingsInput> SettingsInputFrom(const Arguments& arguments) {
  SettingsInput input{.environment = arguments.environment};
  if (!arguments.config.empty()) input.file = arguments.config;
  for (const std::string& text : arguments.settings) {
    TRY_ASSIGN(auto assignment, ParseAssignment(text));
    input.flags.push_back(std::move(assignment));
  }
  return input;
}

}  // namespace falconer::app
