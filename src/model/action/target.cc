#include "model/action/target.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::model {
namespace {

constexpr std::size_t kMaxTargetIdLength = 64;

bool IsIdChar(char c) {
  return IsLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == ':';
}

std::string ReadId(JsonReader& in, std::string_view key) {
  std::string id = in.OptionalString(key, {1, kMaxTargetIdLength}).value_or("");
  if (!std::ranges::all_of(id, IsIdChar)) in.Reject(key, "is not an id");
  return id;
}

std::optional<NamedSelector> ReadSelector(JsonReader& in, std::string_view where,
                                          std::string text) {
  Result<NamedSelector> selector = MakeNamedSelector(std::move(text));
  if (selector) return *std::move(selector);
  const std::string path = in.path().empty() ? "" : in.path() + ".";
  in.Reject(std::move(selector).error().In(path + std::string(where)));
  return std::nullopt;
}

std::vector<NamedSelector> ReadCandidates(JsonReader& in, std::string_view key) {
  std::vector<NamedSelector> candidates;
  for (std::string& text :
       in.OptionalStrings(key, {0, kMaxCandidates}).value_or(std::vector<std::string>())) {
    const std::string where = fmt::format("{}[{}]", key, candidates.size());
    auto candidate = ReadSelector(in, where, std::move(text));
    if (!candidate) break;
    candidates.push_back(*std::move(candidate));
  }
  return candidates;
}

std::optional<Point> ReadXy(JsonReader& in) {
  const std::optional<double> x = in.OptionalNumber("x", kCoordinates);
  const std::optional<double> y = in.OptionalNumber("y", kCoordinates);
  if (x.has_value() != y.has_value()) in.Reject(x ? "y" : "x", "is required with the other one");
  if (!x || !y) return std::nullopt;
  return Point{*x, *y};
}

std::unexpected<Error> RefuseTarget(std::string message) {
  return Fail(ErrorCode::kInvalidActionSpec, std::move(message));
}

}  // namespace

Result<NamedSelector> MakeNamedSelector(std::string text) {
  if (Utf8Length(text) > kMaxSelectorLength) {
    return Fail(ErrorCode::kInvalidSelector,
                fmt::format("selector is longer than {} characters", kMaxSelectorLength));
  }
  TRY_ASSIGN(Selector parsed, ParseSelector(text));
  TRY(CheckNotBroad(parsed));
  return NamedSelector{std::move(text), std::move(parsed)};
}

bool Target::empty() const {
  return eid.empty() && !selector && candidates.empty() && !point;
}

std::vector<NamedSelector> Target::Selectors() const {
  std::vector<NamedSelector> all;
  if (selector) all.push_back(*selector);
  all.insert(all.end(), candidates.begin(), candidates.end());
  return all;
}

Result<void> Target::Validate() const {
  const int ways = int{!eid.empty()} + int{selector.has_value()} + int{point.has_value()};
  if (empty()) return RefuseTarget("target names nothing: give an eid, a selector or a point");
  if (ways > 1) return RefuseTarget("target is named twice: give an eid, a selector or a point");
  if (candidates.size() > kMaxCandidates) {
    return RefuseTarget(fmt::format("target has more than {} candidates", kMaxCandidates));
  }
  if (!point) return {};
  if (!candidates.empty() || position || !fid.empty()) {
    return RefuseTarget("a point takes no candidates, position or frame");
  }
  return {};
}

json::object Target::ToJson() const {
  json::object out;
  WriteTarget(*this, kTargetKeys, out);
  return out;
}

Target ReadTarget(JsonReader& in, const TargetKeys& keys) {
  Target target{.eid = ReadId(in, keys.eid), .fid = ReadId(in, keys.fid)};
  if (auto text = in.OptionalString(keys.selector)) {
    target.selector = ReadSelector(in, keys.selector, *std::move(text));
  }
  target.candidates = ReadCandidates(in, keys.candidates);
  target.point = ReadXy(in);
  target.position = in.OptionalObject("position", ReadPoint);
  const bool is_strict = in.OptionalBool("strict").value_or(true);
  target.strictness = is_strict ? Strictness::kStrict : Strictness::kFirst;
  return target;
}

void WriteTarget(const Target& target, const TargetKeys& keys, json::object& out) {
  if (!target.eid.empty()) out[keys.eid] = target.eid;
  if (!target.fid.empty()) out[keys.fid] = target.fid;
  if (target.selector) out[keys.selector] = target.selector->text;
  if (!target.candidates.empty()) {
    json::array& candidates = out[keys.candidates].emplace_array();
    for (const NamedSelector& candidate : target.candidates)
      candidates.emplace_back(candidate.text);
  }
  if (target.point) {
    out["x"] = target.point->x;
    out["y"] = target.point->y;
  }
  if (target.position) out["position"] = PointJson(*target.position);
  if (target.strictness == Strictness::kFirst) out["strict"] = false;
}

}  // namespace falconer::model
