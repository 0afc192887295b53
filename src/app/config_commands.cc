#include "app/config_commands.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace falconer::app {
namespace {

Result<LoadedSettings> LoadFrom(const Arguments& arguments) {
  TRY_ASSIGN(const SettingsInput input, SettingsInputFrom(arguments));
  return LoadSettings(input);
}

void PrintRow(Terminal& terminal, const json::value& row, std::size_t width) {
  const std::string source = TextAt(row.get_object(), "source");
  const bool is_default = source == "default";
  const std::string line = fmt::format("{:<{}}  {:<26}", TextAt(row.get_object(), "key"), width,
                                       TextAt(row.get_object(), "value"));
  terminal.Print(terminal.Paint(is_default ? Ink::kPlain : Ink::kBold, line) + "  " +
                 terminal.Paint(is_default ? Ink::kDim : Ink::kGreen, source));
}

// JSON with one member per line, for files that people read too.
void WriteIndented(std::ostream& out, const json::value& value, int depth) {
  const auto* object = value.if_object();
  if (object == nullptr || object->empty()) {
    out << json::serialize(value);
    return;
  }
  const std::string indent(static_cast<std::size_t>(depth + 1) * 2, ' ');
  const char* separator = "{\n";
  for (const auto& [key, member] : *object) {
    out << separator << indent << json::serialize(key) << ": ";
    WriteIndented(out, member, depth + 1);
    separator = ",\n";
  }
  out << "\n" << indent.substr(2) << "}";
}

}  // namespace

int RunConfigShow(const Arguments& arguments, Terminal& terminal) {
  const auto settings = LoadFrom(arguments);
  if (!settings) {
    PrintError(terminal, arguments.form(), settings.error());
    return kExitUsage;
  }
  json::array rows = ShowSettings(*settings);
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", true}, {"settings", std::move(rows)}});
    return kExitOk;
  }
  std::size_t width = 0;
  for (const json::value& row : rows)
    width = std::max(width, TextAt(row.get_object(), "key").size());
  for (const json::value& row : rows) PrintRow(terminal, row, width);
  return kExitOk;
}

int RunConfigSchema(const Arguments& arguments, Terminal& terminal) {
  const json::object schema = SettingsSchema();
  if (arguments.wants_json) {
    PrintJson(terminal, schema);
    return kExitOk;
  }
  std::ostringstream text;
  WriteIndented(text, schema, 0);
  terminal.Print(text.str());
  return kExitOk;
}

int RunConfigValidate(const Arguments& arguments, Terminal& terminal) {
  const auto settings = LoadSettings({.file = arguments.file});
  if (!settings) {
    PrintError(terminal, arguments.form(), settings.error());
    return kExitUsage;
  }
  const std::size_t count = settings->sources.size();
  if (arguments.wants_json) {
    PrintJson(terminal,
              json::object{{"ok", true}, {"file", arguments.file.string()}, {"settings", count}});
  } else {
    terminal.Print(fmt::format("{}: ok, {} {}", arguments.file.string(), count,
                               count == 1 ? "setting" : "settings"));
  }
  return kExitOk;
}

int RunConfigDocs(const Arguments& arguments, Terminal& terminal) {
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", true}, {"markdown", SettingsMarkdown()}});
  } else {
    terminal.PrintText(SettingsMarkdown());
  }
  return kExitOk;
}

}  // namespace falconer::app
