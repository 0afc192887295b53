#include "policy/rules/node_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "base/units.h"

namespace falconer::policy {
namespace {

Spot ItemSpot(const Spot& list, std::size_t index) {
  return {.node = &list.node->items[index],
          .key = nullptr,
          .path = fmt::format("{}[{}]", list.path, index)};
}

std::string JoinPath(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

}  // namespace

std::unexpected<Error> Spot::Refuse(std::string_view why) const {
  const bool is_empty = node->kind == YamlNode::Kind::kNull && key != nullptr;
  return Fail(YamlError(is_empty ? *key : *node, path, why));
}

std::unexpected<Error> Spot::Expected(std::string_view what) const {
  return Refuse(fmt::format("expected {}, got {}", what, KindName(*node)));
}

Result<MapReader> MapReader::Open(const Spot& spot) {
  if (!spot.is_map()) return spot.Expected("a map");
  if (spot.node->members.empty()) return spot.Refuse("is empty");
  return MapReader(spot);
}

std::optional<Spot> MapReader::Optional(std::string_view key) {
  asked_.push_back(key);
  for (const auto& [name, value] : spot_.node->members) {
    if (name.text == key) {
      return Spot{.node = &value, .key = &name, .path = JoinPath(spot_.path, key)};
    }
  }
  return std::nullopt;
}

Result<Spot> MapReader::Required(std::string_view key) {
  std::optional<Spot> spot = Optional(key);
  if (!spot) return spot_.Refuse(fmt::format("lacks \"{}\"", key));
  return *std::move(spot);
}

Result<void> MapReader::Done() const {
  for (const auto& [name, value] : spot_.node->members) {
    if (std::ranges::find(asked_, name.text) != asked_.end()) continue;
    return Fail(YamlError(name, JoinPath(spot_.path, name.text),
                          fmt::format("unknown key; known here: {}", fmt::join(asked_, ", "))));
  }
  return {};
}

Result<std::vector<Spot>> ReadItems(const Spot& spot) {
  if (!spot.is_list()) return spot.Expected("a list");
  const std::size_t count = spot.node->items.size();
  if (count == 0) return spot.Refuse("is empty");
  if (count > kMaxPolicyList) {
    return spot.Refuse(fmt::format("has more than {} elements", kMaxPolicyList));
  }
  std::vector<Spot> items;
  for (std::size_t i = 0; i < count; ++i) items.push_back(ItemSpot(spot, i));
  return items;
}

Result<std::string> ReadText(const Spot& spot) {
  if (!spot.is_text()) return spot.Expected("text");
  if (Trim(spot.node->text).empty()) return spot.Refuse("is empty");
  if (HasControl(spot.node->text)) return spot.Refuse("holds a control character");
  return spot.node->text;
}

Result<std::vector<std::string>> ReadTexts(const Spot& spot) {
  TRY_ASSIGN(const std::vector<Spot> items, ReadItems(spot));
  std::vector<std::string> texts;
  for (const Spot& item : items) {
    TRY_ASSIGN(std::string text, ReadText(item));
    if (std::ranges::find(texts, text) != texts.end()) return item.Refuse("is given twice");
    texts.push_back(std::move(text));
  }
  return texts;
}

Result<std::vector<std::string>> ReadTextOrTexts(const Spot& spot) {
  if (spot.is_list()) return ReadTexts(spot);
  TRY_ASSIGN(std::string text, ReadText(spot));
  return std::vector<std::string>{std::move(text)};
}

Result<std::int64_t> ReadWhole(const Spot& spot, Bounds<std::int64_t> bounds) {
  if (!spot.is_text()) return spot.Expected("a whole number");
  const std::optional<std::int64_t> value = ParseWhole(spot.node->text);
  if (!value || !bounds.Contains(*value)) {
    return spot.Refuse(
        fmt::format("expected a whole number from {} to {}", bounds.min, bounds.max));
  }
  return *value;
}

Result<bool> ReadBool(const Spot& spot) {
  const bool is_plain = spot.is_text() && spot.node->quoting == YamlNode::Quoting::kPlain;
  if (is_plain && spot.node->text == "true") return true;
  if (is_plain && spot.node->text == "false") return false;
  return spot.Refuse("expected true or false");
}

Result<std::chrono::milliseconds> ReadDuration(const Spot& spot,
                                               Bounds<std::chrono::milliseconds> bounds) {
  if (!spot.is_text()) return spot.Expected("a duration");
  const std::string& text = spot.node->text;
  const bool lacks_unit = std::ranges::all_of(text, IsDigit);
  const std::optional<std::chrono::milliseconds> value = ParseDuration(text);
  if (lacks_unit || !value || !bounds.Contains(*value)) {
    return spot.Refuse(fmt::format("expected a duration with its unit from {} to {}",
                                   FormatDuration(bounds.min), FormatDuration(bounds.max)));
  }
  return *value;
}

Result<std::size_t> ReadIndexIn(const Spot& spot, const std::vector<std::string_view>& names) {
  TRY_ASSIGN(const std::string text, ReadText(spot));
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) {
    return spot.Refuse(fmt::format("\"{}\" is none of {}", text, fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace falconer::policy
