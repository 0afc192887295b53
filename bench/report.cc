#include "bench/report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

namespace falconer::bench {
namespace json = boost::json;

namespace {

// Plain decimals: the serializer of Boost.JSON writes 37 as 3.7E1, which people read badly.
std::string NumberText(std::optional<double> number) {
  return number && std::isfinite(*number) ? fmt::format("{:.6g}", *number) : "null";
}

std::string Quoted(std::string_view text) {
  return json::serialize(json::string(text));
}

std::string RowToJson(const Row& row) {
  const auto met = row.met();
  return fmt::format(
      R"({{"name":{},"value":{},"unit":{},"baseline":{},"against":{},"ratio":{},"aim":{},"met":{}}})",
      Quoted(row.name), NumberText(row.value), Quoted(row.unit),
      NumberText(row.baseline ? row.baseline->value : std::nullopt),
      row.baseline ? Quoted(row.baseline->name) : "null", NumberText(row.ratio()),
      row.aim ? Quoted(row.aim->Text()) : "null", met ? (*met ? "true" : "false") : "null");
}

std::vector<std::string> RowToCells(const Row& row) {
  const auto met = row.met();
  return {row.name,
          FormatNumber(row.value),
          row.unit,
          row.baseline ? FormatNumber(row.baseline->value) : "",
          row.baseline ? row.baseline->name : "",
          row.baseline ? FormatNumber(row.ratio()) : "",
          row.aim ? row.aim->Text() : "",
          met ? (*met ? "yes" : "NO") : ""};
}

}  // namespace

bool Aim::Holds(double number) const {
  return bound == Bound::kAtMost ? number <= limit : number >= limit;
}

std::string Aim::Text() const {
  return fmt::format("{} {} {}", of == Of::kRatio ? "ratio" : "value",
                     bound == Bound::kAtMost ? "<=" : ">=", limit);
}

std::optional<double> Row::ratio() const {
  if (!value || !baseline || !baseline->value || baseline->ratio == Ratio::kNone) return {};
  const double over = baseline->ratio == Ratio::kShare ? *value : *baseline->value;
  const double under = baseline->ratio == Ratio::kShare ? *baseline->value : *value;
  if (under == 0) return {};
  return over / under;
}

std::optional<bool> Row::met() const {
  if (!aim) return {};
  const auto number = aim->of == Aim::Of::kRatio ? ratio() : value;
  return number && aim->Holds(*number);
}

std::string FormatNumber(std::optional<double> number) {
  if (!number) return "-";
  const double size = std::abs(*number);
  if (size != 0 && size < 0.001) return fmt::format("{:.1e}", *number);
  const int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return fmt::format("{:.{}f}", *number, digits);
}

std::string FormatGrid(std::span<const std::vector<std::string>> lines) {
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += i == 0 ? fmt::format("{:<{}}", line[i], widths[i])
                     : fmt::format("  {:>{}}", line[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

std::string FormatTable(std::span<const Row> rows) {
  std::vector<std::vector<std::string>> lines;
  lines.push_back({"figure", "value", "unit", "baseline", "against", "ratio", "aim", "met"});
  for (const Row& row : rows) lines.push_back(RowToCells(row));
  return FormatGrid(lines);
}

std::string FormatJson(std::span<const Row> rows) {
  std::string out = "[";
  for (const Row& row : rows) {
    out += out.size() == 1 ? "\n  " : ",\n  ";
    out += RowToJson(row);
  }
  return out + "\n]\n";
}

Outcome<void> WriteJson(const std::string& path, std::span<const Row> rows) {
  std::error_code failed;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) return Fail("cannot create " + folder.string() + ": " + failed.message());
  std::ofstream file(path, std::ios::trunc);
  file << FormatJson(rows);
  file.close();
  if (!file) return Fail("cannot write " + path);
  return {};
}

}  // namespace falconer::bench
