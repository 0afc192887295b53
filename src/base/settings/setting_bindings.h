#pragma once
// The kinds of settings: how each is read, bounded and written. `At` is a function that picks the
// member: [](auto& settings) -> auto& { return settings.sessions.max; }.

#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "base/settings/settings_table.h"
#include "base/text.h"
#include "base/units.h"

namespace falconer {

// "true", "yes", "on", "1" and their opposites.
std::optional<bool> ParseFlag(std::string_view text);
// "0.25", from 0 to 1.
std::optional<double> ParseFraction(std::string_view text);
// Words separated by spaces, or a JSON array of strings where a word holds spaces.
std::optional<std::vector<std::string>> ParseWords(std::string_view text);
// A path; a leading "~/" is the home folder.
std::filesystem::path ExpandHome(std::string_view text);

// "http://host:port" or "ws://host:port/path"; the port may be left out.
bool IsDebuggerAddress(std::string_view text);

inline std::string NothingAllowed() {
  return {};
}

// A JSON array of objects.
std::optional<json::array> ParseRecords(std::string_view text);

// Schemas of values that are numbers with bounds, alone or as text with a unit.
json::object NumberSchema(std::int64_t min, std::int64_t max);
json::object UnitSchema(std::string_view pattern, std::int64_t min, std::int64_t max);
json::object PlainSchema(std::string_view type);

template <auto At>
constexpr SettingBinding Text() {
  return {.type = "text",
          .allowed = NothingAllowed,
          .parse =
              [](std::string_view text, Settings& settings) {
                At(settings) = text;
                return true;
              },
          .print = [](const Settings& settings) { return At(settings); },
          .schema = [] { return PlainSchema("string"); }};
}

// A browser's debugging port; empty for none.
template <auto At>
constexpr SettingBinding DebuggerAddress() {
  return {
      .type = "address",
      .allowed = [] { return std::string("http://host:port or ws://host:port/path"); },
      .parse =
          [](std::string_view text, Settings& settings) {
            if (!text.empty() && !IsDebuggerAddress(text)) return false;
            At(settings) = text;
            return true;
          },
      .print = [](const Settings& settings) { return At(settings); },
      .schema =
          [] { return json::object{{"type", "string"}, {"pattern", "^((http|ws)://[^/]+.*)?$"}}; }};
}

template <auto At>
constexpr SettingBinding Path() {
  return {.type = "path",
          .allowed = NothingAllowed,
          .parse =
              [](std::string_view text, Settings& settings) {
                At(settings) = ExpandHome(text);
                return true;
              },
          .print = [](const Settings& settings) { return At(settings).string(); },
          .schema = [] { return PlainSchema("string"); }};
}

template <auto At>
constexpr SettingBinding Flag() {
  return {.type = "flag",
          .allowed = [] { return std::string("true or false"); },
          .parse =
              [](std::string_view text, Settings& settings) {
                const std::optional<bool> value = ParseFlag(text);
                if (value) At(settings) = *value;
                return value.has_value();
              },
          .print =
              [](const Settings& settings) { return std::string(At(settings) ? "true" : "false"); },
          .schema = [] { return PlainSchema("boolean"); }};
}

template <auto At>
constexpr SettingBinding List() {
  return {
      .type = "list",
      .allowed = [] { return std::string("words separated by spaces, or a list of strings"); },
      .parse =
          [](std::string_view text, Settings& settings) {
            std::optional<std::vector<std::string>> words = ParseWords(text);
            if (!words) return false;
            At(settings) = *std::move(words);
            return true;
          },
      .print =
          [](const Settings& settings) { return fmt::format("{}", fmt::join(At(settings), " ")); },
      .schema =
          [] {
            return json::object{{"type", {"array", "string"}}, {"items", PlainSchema("string")}};
          }};
}

// Objects whose fields are the reader's business.
template <auto At>
constexpr SettingBinding Records() {
  return {.type = "records",
          .allowed = [] { return std::string("a list of objects, as JSON outside of the file"); },
          .parse =
              [](std::string_view text, Settings& settings) {
                std::optional<json::array> records = ParseRecords(text);
                if (!records) return false;
                At(settings) = *std::move(records);
                return true;
              },
          .print = [](const Settings& settings) { return json::serialize(At(settings)); },
          .schema =
              [] {
                return json::object{{"type", {"array", "string"}},
                                    {"items", PlainSchema("object")}};
              }};
}

template <auto At, std::int64_t Min, std::int64_t Max>
constexpr SettingBinding Whole() {
  return {.type = "number",
          .allowed = [] { return fmt::format("{} to {}", Min, Max); },
          .parse =
              [](std::string_view text, Settings& settings) {
                const std::optional<std::int64_t> value = ParseWhole(text);
                if (!value || *value < Min || *value > Max) return false;
                At(settings) = *value;
                return true;
              },
          .print = [](const Settings& settings) { return std::to_string(At(settings)); },
          .schema = [] { return NumberSchema(Min, Max); }};
}

// A part of a whole, from 0 to 1.
template <auto At>
constexpr SettingBinding Fraction() {
  return {
      .type = "fraction",
      .allowed = [] { return std::string("0 to 1"); },
      .parse =
          [](std::string_view text, Settings& settings) {
            const std::optional<double> value = ParseFraction(text);
            if (value) At(settings) = *value;
            return value.has_value();
          },
      .print = [](const Settings& settings) { return fmt::format("{}", At(settings)); },
      .schema = [] { return json::object{{"type", "number"}, {"minimum", 0}, {"maximum", 1}}; }};
}

template <auto At, std::int64_t Min, std::int64_t Max>
constexpr SettingBinding Bytes() {
  return {.type = "size",
          .allowed = [] { return FormatBytes(Min) + " to " + FormatBytes(Max); },
          .parse =
              [](std::string_view text, Settings& settings) {
                const std::optional<std::int64_t> value = ParseBytes(text);
                if (!value || *value < Min || *value > Max) return false;
                At(settings) = *value;
                return true;
              },
          .print = [](const Settings& settings) { return FormatBytes(At(settings)); },
          .schema = [] { return UnitSchema("^[0-9]+(B|KiB|MiB|GiB|TiB)?$", Min, Max); }};
}

// Bounds in milliseconds.
template <auto At, std::int64_t Min, std::int64_t Max>
constexpr SettingBinding TimeSpan() {
  using std::chrono::milliseconds;
  return {.type = "duration",
          .allowed =
              [] {
                return FormatDuration(milliseconds(Min)) + " to " +
                       FormatDuration(milliseconds(Max));
              },
          .parse =
              [](std::string_view text, Settings& settings) {
                const std::optional<milliseconds> value = ParseDuration(text);
                if (!value || value->count() < Min || value->count() > Max) return false;
                At(settings) = *value;
                return true;
              },
          .print = [](const Settings& settings) { return FormatDuration(At(settings)); },
          .schema = [] { return UnitSchema("^[0-9]+(ms|s|m|h)?$", Min, Max); }};
}

// One of the names of a table of EnumName rows.
template <auto At, const auto& Names>
constexpr SettingBinding Choice() {
  return {
      .type = "choice",
      .allowed =
          [] {
            std::vector<std::string_view> names;
            for (const auto& row : Names) names.push_back(row.name);
            return fmt::format("{}", fmt::join(names, ", "));
          },
      .parse =
          [](std::string_view text, Settings& settings) {
            const auto value = ValueIn(Names, text);
            if (value) At(settings) = *value;
            return value.has_value();
          },
      .print = [](const Settings& settings) { return std::string(NameIn(Names, At(settings))); },
      .schema =
          [] {
            json::array names;
            for (const auto& row : Names) names.emplace_back(row.name);
            return json::object{{"enum", std::move(names)}};
          }};
}

}  // namespace falconer
