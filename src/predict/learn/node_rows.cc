#include "predict/learn/node_rows.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace falconer::predict {
namespace {

constexpr std::size_t kColumns = 5;
constexpr std::size_t kKeyDigits = 16;
constexpr Bounds<std::size_t> kNodeNames = {1, 64};
constexpr std::int64_t kLastDay = 1'000'000;

std::string KeyText(std::uint64_t key) {
  return fmt::format("{:016x}", key);
}

Result<std::uint64_t> KeyIn(const json::value& value, std::string_view what) {
  std::uint64_t key = 0;
  if (value.is_string() && value.get_string().size() == kKeyDigits) {
    const json::string& text = value.get_string();
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), key, kKeyDigits);
    if (failure == std::errc() && end == text.data() + text.size()) return key;
  }
  return Fail(ErrorCode::kInvalidArgument, std::string(what) + ": expected 16 hex digits");
}

Result<float> CountIn(const json::value& value, std::string_view what) {
  if (value.is_number()) {
    const auto count = static_cast<float>(value.to_number<double>());
    if (std::isfinite(count) && count >= 0) return count;
  }
  return Fail(ErrorCode::kInvalidArgument, std::string(what) + ": expected a number from 0");
}

Result<std::int32_t> DayIn(const json::value& value, std::string_view what) {
  if (value.is_int64() && value.get_int64() >= 0 && value.get_int64() <= kLastDay)
    return static_cast<std::int32_t>(value.get_int64());
  return Fail(ErrorCode::kInvalidArgument, std::string(what) + ": expected a day since 1970");
}

Result<store::ContextRow> RowIn(const json::value& value, std::size_t at) {
  const std::string what = fmt::format("rows[{}]", at);
  if (!value.is_array() || value.get_array().size() != kColumns)
    return Fail(ErrorCode::kInvalidArgument, what + ": expected five values");
  const json::array& columns = value.get_array();
  store::ContextRow row;
  TRY_ASSIGN(row.context, KeyIn(columns[0], what));
  TRY_ASSIGN(row.next, KeyIn(columns[1], what));
  TRY_ASSIGN(row.by_person, CountIn(columns[2], what));
  TRY_ASSIGN(row.by_agent, CountIn(columns[3], what));
  TRY_ASSIGN(row.day, DayIn(columns[4], what));
  return row;
}

}  // namespace

json::object ToJson(const NodeRows& node) {
  json::array rows;
  rows.reserve(node.rows.size());
  for (const store::ContextRow& row : node.rows)
    rows.push_back(
        json::array{KeyText(row.context), KeyText(row.next), row.by_person, row.by_agent, row.day});
  return {{"node", node.node}, {"rows", std::move(rows)}};
}

Result<NodeRows> ReadNodeRows(const json::value& value) {
  json::array rows;
  TRY_ASSIGN(NodeRows node, ReadJson(value, "learnt", [&rows](JsonReader& in) {
               NodeRows read{.node = in.String("node", kNodeNames)};
               rows = in.RawArray("rows");
               return read;
             }));
  if (rows.size() > kMaxNodeRows) return Fail(ErrorCode::kInvalidArgument, "rows: too many");
  node.rows.reserve(rows.size());
  for (std::size_t at = 0; at < rows.size(); ++at) {
    TRY_ASSIGN(const store::ContextRow row, RowIn(rows[at], at));
    node.rows.push_back(row);
  }
  return node;
}

}  // namespace falconer::predict
