#pragma once
// Strict reading of a YamlNode: every value has a place and a path, so that whatever is wrong can
// be named with both. A key nobody asked for is an error.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "policy/rules/yaml_tree.h"

namespace falconer::policy {

inline constexpr std::size_t kMaxPolicyList = 1000;

// A value of the document.
struct Spot {
  const YamlNode* node = nullptr;
  const YamlNode* key = nullptr;  // of a member: an empty value has no place of its own
  std::string path;

  bool is_map() const { return node->kind == YamlNode::Kind::kMap; }
  bool is_list() const { return node->kind == YamlNode::Kind::kList; }
  bool is_text() const { return node->kind == YamlNode::Kind::kText; }
  std::unexpected<Error> Refuse(std::string_view why) const;
  // Like a Refuse that names what was expected and what is there.
  std::unexpected<Error> Expected(std::string_view what) const;
};

// The members of a map, each to be asked for once.
class MapReader {
 public:
  // Fails when the value is not a map or an empty one.
  static Result<MapReader> Open(const Spot& spot);

  std::optional<Spot> Optional(std::string_view key);
  Result<Spot> Required(std::string_view key);
  // Fails for the first key nobody asked for, naming those that are known.
  Result<void> Done() const;
  const Spot& spot() const { return spot_; }

 private:
  explicit MapReader(Spot spot) : spot_(std::move(spot)) {}

  Spot spot_;
  std::vector<std::string_view> asked_;  // literals
};

// The elements of a list that is not empty.
Result<std::vector<Spot>> ReadItems(const Spot& spot);
// A text that is not empty and holds no control characters.
Result<std::string> ReadText(const Spot& spot);
// A list of such texts without repetition.
Result<std::vector<std::string>> ReadTexts(const Spot& spot);
// The same where one text may stand for a list of one.
Result<std::vector<std::string>> ReadTextOrTexts(const Spot& spot);
Result<std::int64_t> ReadWhole(const Spot& spot, Bounds<std::int64_t> bounds);
// true or false, unquoted.
Result<bool> ReadBool(const Spot& spot);
// "90s", "10m", "1h"; a unit must be given.
Result<std::chrono::milliseconds> ReadDuration(const Spot& spot,
                                               Bounds<std::chrono::milliseconds> bounds);

Result<std::size_t> ReadIndexIn(const Spot& spot, const std::vector<std::string_view>& names);

// One of the table's names.
template <typename E, std::size_t N>
Result<E> ReadEnum(const Spot& spot, const EnumName<E> (&table)[N]) {
  std::vector<std::string_view> names;
  for (const EnumName<E>& row : table) names.push_back(row.name);
  TRY_ASSIGN(const std::size_t index, ReadIndexIn(spot, names));
  return table[index].value;
}

// One of the table's names or a list of them, as bits.
template <typename E, std::size_t N>
Result<std::uint64_t> ReadEnumBits(const Spot& spot, const EnumName<E> (&table)[N]) {
  std::vector<Spot> spots = {spot};
  if (spot.is_list()) {
    TRY_ASSIGN(spots, ReadItems(spot));
  }
  std::uint64_t bits = 0;
  for (const Spot& one : spots) {
    TRY_ASSIGN(const E value, ReadEnum(one, table));
    bits |= std::uint64_t{1} << static_cast<unsigned>(value);
  }
  return bits;
}

}  // namespace falconer::policy
