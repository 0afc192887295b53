#pragma once
// What a benchmark reports: rows of (figure, baseline, ratio, aim), printed as a table for people
// and written as a JSON array for machines. Every benchmark of the project reports through this
// file.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/outcome.h"

namespace falconer::bench {

// How the ratio of a row is formed.
enum class Ratio {
  kNone,           // there is no baseline
  kShare,          // value / baseline: 1.2 means twenty per cent above the baseline
  kTimesBaseline,  // baseline / value: 8 means eight times faster (or smaller) than the baseline
};

// What a row must reach to count as met.
struct Aim {
  enum class Bound { kAtMost, kAtLeast };
  enum class Of { kValue, kRatio };
  Bound bound = Bound::kAtMost;
  double limit = 0;
  Of of = Of::kRatio;

  bool Holds(double number) const;
  std::string Text() const;  // "ratio <= 1.5"
};

struct Baseline {
  std::string name;             // which contestant or earlier figure
  std::optional<double> value;  // absent when it could not be measured
  Ratio ratio = Ratio::kShare;
};

struct Row {
  std::string name;
  std::optional<double> value;  // absent when it could not be measured
  std::string unit;
  std::optional<Baseline> baseline = std::nullopt;
  std::optional<Aim> aim = std::nullopt;

  // Absent without a baseline, or when either side is missing or zero.
  std::optional<double> ratio() const;
  // Absent without an aim; false when there is an aim and nothing to hold against it.
  std::optional<bool> met() const;
};

// Lines up cells in columns: the first column to the left, the others to the right.
std::string FormatGrid(std::span<const std::vector<std::string>> lines);

// A number with three or four significant digits, "-" when absent.
std::string FormatNumber(std::optional<double> number);

std::string FormatTable(std::span<const Row> rows);

// [{name,value,unit,baseline,against,ratio,aim,met}, ...]; what is absent is null.
std::string FormatJson(std::span<const Row> rows);

// Writes FormatJson to `path`, creating its folder. Fails when the file cannot be written.
Outcome<void> WriteJson(const std::string& path, std::span<const Row> rows);

}  // namespace falconer::bench
