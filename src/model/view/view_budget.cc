#include "model/view/view_budget.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

#include "base/sha256.h"
#include "model/token_estimate.h"

namespace falconer::model {
namespace {

constexpr std::size_t kWeights = std::size(kWeightNames);
// Kept free for the line that says what is missing.
constexpr std::size_t kNoteTokens = 24;

std::size_t CostOf(const ViewLine& line) {
  return EstimateTokens(line.text) + 1;  // the line feed
}

std::vector<std::size_t> CostsOf(const std::vector<ViewLine>& lines) {
  std::vector<std::size_t> costs(lines.size());
  std::ranges::transform(lines, costs.begin(), CostOf);
  return costs;
}

// The lines from the most to the least important, among equals from the top.
std::vector<std::size_t> ByWeight(const std::vector<ViewLine>& lines) {
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(lines[i].weight, i); });
  return order;
}

// Which lines stay: all up to the first that does not fit, so that more room never shows less.
std::vector<bool> Choose(const std::vector<ViewLine>& lines, const std::vector<std::size_t>& costs,
                         std::size_t budget) {
  std::vector<bool> stays(lines.size());
  std::size_t used = 0;
  for (const std::size_t i : ByWeight(lines)) {
    used += costs[i];
    if (lines[i].weight != Weight::kIdentity && used > budget) break;
    stays[i] = true;
  }
  return stays;
}

std::string NoteOf(const std::vector<ViewLine>& lines, const std::vector<bool>& stays) {
  std::array<std::size_t, kWeights> cut{};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!stays[i]) ++cut[std::to_underlying(lines[i].weight)];
  }
  std::string note;
  for (std::size_t weight = 0; weight < kWeights; ++weight) {
    if (cut[weight] == 0) continue;
    note += fmt::format("{}{} {}", note.empty() ? "not shown: " : ", ", cut[weight],
                        kWeightNames[weight].name);
  }
  return note;
}

void AddLine(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace

FittedView Fit(const std::vector<ViewLine>& lines, std::size_t budget_tokens) {
  const std::vector<std::size_t> costs = CostsOf(lines);
  const bool fits = std::accumulate(costs.begin(), costs.end(), std::size_t{0}) <= budget_tokens;
  const std::size_t room = budget_tokens - std::min(budget_tokens, kNoteTokens);
  const std::vector<bool> stays =
      fits ? std::vector<bool>(lines.size(), true) : Choose(lines, costs, room);
  FittedView view;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (stays[i]) AddLine(view.text, lines[i].text);
  }
  view.cut = static_cast<std::size_t>(std::ranges::count(stays, false));
  view.note = NoteOf(lines, stays);
  if (!view.note.empty()) AddLine(view.text, view.note);
  view.tokens = EstimateTokens(view.text);
  return view;
}

json::object TrimmedView::ToJson() const {
  json::array listed;
  for (const ViewLine& line : lines)
    listed.push_back(json::array{NameIn(kWeightNames, line.weight), line.text});
  return {{"budget", static_cast<std::int64_t>(budget)},
          {"lines", std::move(listed)},
          {"cut", static_cast<std::int64_t>(shown.cut)},
          {"shown_sha256", Sha256Hex(shown.text)}};
}

Result<TrimmedView> TrimmedView::Again(const json::value& record) {
  const auto wrong = [](std::string_view field) {
    return Fail(ErrorCode::kInvalidArgument, "view." + std::string(field) + ": is not as recorded");
  };
  const json::object* fields = record.if_object();
  const json::value* budget = fields == nullptr ? nullptr : fields->if_contains("budget");
  const json::value* listed = fields == nullptr ? nullptr : fields->if_contains("lines");
  if (budget == nullptr || !budget->is_int64() || budget->get_int64() < 0) return wrong("budget");
  if (listed == nullptr || !listed->is_array()) return wrong("lines");
  TrimmedView view{
      .budget = static_cast<std::size_t>(budget->get_int64()), .lines = {}, .shown = {}};
  for (const json::value& each : listed->get_array()) {
    const json::array* pair = each.if_array();
    const bool is_line =
        pair != nullptr && pair->size() == 2 && (*pair)[0].is_string() && (*pair)[1].is_string();
    const auto weight = is_line ? ValueIn(kWeightNames, (*pair)[0].get_string()) : std::nullopt;
    if (!weight) return wrong("lines");
    view.lines.push_back({*weight, std::string((*pair)[1].get_string())});
  }
  view.shown = Fit(view.lines, view.budget);
  return view;
}

}  // namespace falconer::model
