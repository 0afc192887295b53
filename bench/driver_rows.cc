#include "bench/driver_rows.h"

#include <iterator>

#include "bench/measure.h"

namespace falconer::bench {
namespace {

struct RowRule {
  std::string_view name;
  std::string_view figure;
  std::string_view unit;
  std::string_view against;  // empty: no baseline
  Ratio ratio = Ratio::kNone;
  std::optional<Aim> aim = std::nullopt;
  std::string_view part_of = "";  // the figure to ask for when it measures several at once
};

constexpr Aim RatioAtMost(double limit) {
  return {Aim::Bound::kAtMost, limit, Aim::Of::kRatio};
}
constexpr Aim RatioAtLeast(double limit) {
  return {Aim::Bound::kAtLeast, limit, Aim::Of::kRatio};
}
constexpr Aim ValueAtMost(double limit) {
  return {Aim::Bound::kAtMost, limit, Aim::Of::kValue};
}

constexpr RowRule kRules[] = {
    {"session_create", "session_create", "ms", "floor", Ratio::kShare},
    {"navigate", "navigate", "ms", "floor", Ratio::kShare, RatioAtMost(1.5)},
    {"click", "click", "ms", "floor", Ratio::kShare, RatioAtMost(1.5)},
    {"fill", "fill", "ms", "floor", Ratio::kShare, RatioAtMost(1.5)},
    {"click_vs_playwright", "click", "ms", "playwright", Ratio::kTimesBaseline, RatioAtLeast(8)},
    {"fill_vs_playwright", "fill", "ms", "playwright", Ratio::kTimesBaseline, RatioAtLeast(3)},
    {"state_form", "state_form", "ms", "playwright", Ratio::kTimesBaseline},
    {"state_table", "state_table", "ms", "playwright", Ratio::kTimesBaseline, RatioAtLeast(20)},
    {"state_app", "state_app", "ms", "playwright", Ratio::kTimesBaseline, RatioAtLeast(10)},
    {"delta_table", "delta_table", "ms", "floor", Ratio::kTimesBaseline},
    {"screenshot", "screenshot", "ms", "floor", Ratio::kShare},
    {"launch", "launch", "ms", "floor", Ratio::kShare, RatioAtMost(1.1)},
    {"own_memory", "own_memory", "MiB", "playwright", Ratio::kTimesBaseline, ValueAtMost(10),
     "memory"},
    {"own_memory_per_session", "own_memory_per_session", "MiB", "playwright", Ratio::kTimesBaseline,
     ValueAtMost(0.5), "memory"},
    {"browser_memory_per_session", "browser_memory_per_session", "MiB", "floor", Ratio::kShare,
     RatioAtMost(1.0), "memory"},
    {"throughput_16", "throughput_16", "actions/s", "floor", Ratio::kShare, RatioAtLeast(0.9)},
    {"failed_cycles_16", "failed_cycles_16", "cycles", "", Ratio::kNone, ValueAtMost(0),
     "throughput_16"},
    {"lost_events_16", "lost_events_16", "events", "", Ratio::kNone, ValueAtMost(0),
     "throughput_16"},
};

Row MakeRow(const Results& results, const RowRule& rule, std::string_view subject) {
  Row row{std::string(rule.name),
          results.Get(rule.figure, subject),
          std::string(rule.unit),
          {},
          rule.aim};
  if (!rule.against.empty()) {
    row.baseline =
        Baseline{std::string(rule.against), results.Get(rule.figure, rule.against), rule.ratio};
  }
  return row;
}

// The tail of every operation, next to the floor's.
void AddTails(std::vector<Row>& rows, const Results& results, const Settings& settings,
              std::string_view subject) {
  for (const auto& figure : LatencyFigures()) {
    if (!settings.Wants(figure)) continue;
    const auto tail = figure + "_p95";
    rows.push_back(MakeRow(results, {tail, tail, "ms", "floor", Ratio::kShare}, subject));
  }
}

std::string Cell(const Results& results, const std::string& figure, const std::string& contestant) {
  auto text = FormatNumber(results.Get(figure, contestant));
  if (const auto tail = results.Get(figure + "_p95", contestant)) {
    text += " / " + FormatNumber(tail);
  }
  if (const auto size = results.Get(figure + "_size", contestant)) {
    text += " [" + FormatNumber(size) + "]";
  }
  return text;
}

constexpr std::string_view kOtherFigures[] = {
    "launch",
    "own_memory",
    "own_memory_per_session",
    "browser_memory",
    "browser_memory_per_session",
    "throughput_16",
    "failed_cycles_16",
    "lost_events_16",
};

}  // namespace

std::vector<Row> DriverRows(const Results& results, const Settings& settings,
                            std::string_view subject) {
  std::vector<Row> rows;
  for (const RowRule& rule : kRules) {
    const auto asked = rule.part_of.empty() ? rule.figure : rule.part_of;
    if (settings.Wants(asked)) rows.push_back(MakeRow(results, rule, subject));
  }
  AddTails(rows, results, settings, subject);
  rows.push_back({"missed_effects",
                  static_cast<double>(results.missed(subject)),
                  "operations",
                  {},
                  ValueAtMost(0)});
  return rows;
}

std::string SideBySide(const Results& results, const std::vector<std::string>& contestants) {
  std::vector<std::string> figures = LatencyFigures();
  figures.insert(figures.end(), std::begin(kOtherFigures), std::end(kOtherFigures));
  std::vector<std::vector<std::string>> lines = {{"p50 / p95 [KiB]"}};
  for (const auto& name : contestants) lines[0].push_back(name);
  for (const auto& figure : figures) {
    std::vector<std::string> cells = {figure};
    bool is_measured = false;
    for (const auto& name : contestants) {
      is_measured = is_measured || results.Get(figure, name);
      cells.push_back(Cell(results, figure, name));
    }
    if (is_measured) lines.push_back(std::move(cells));
  }
  return FormatGrid(lines);
}

}  // namespace falconer::bench
