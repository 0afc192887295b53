#pragma once
// YamlNode: a YAML document as a small tree in which every node knows where it stands. Only what a
// policy needs: no anchors, aliases, tags or several documents, and bounded.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace falconer::policy {

inline constexpr std::size_t kMaxPolicyBytes = 512 << 10;
inline constexpr std::size_t kMaxPolicyNodes = 50'000;
inline constexpr std::size_t kMaxPolicyDepth = 32;
inline constexpr std::size_t kMaxPolicyText = 1024;  // bytes of one word or sentence

struct YamlMember;

struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kText, kList, kMap };
  enum class Quoting : std::uint8_t { kPlain, kQuoted };

  Kind kind = Kind::kNull;
  Quoting quoting = Quoting::kPlain;
  int line = 1;
  int column = 1;
  std::string text;
  std::vector<YamlNode> items;      // of a list
  std::vector<YamlMember> members;  // of a map, in their order
};

struct YamlMember {
  YamlNode key;
  YamlNode value;
};

// "text", "list", "map" or "nothing": for messages.
std::string_view KindName(const YamlNode& node);

// kInvalidArgument: "line 3, column 5: rules[0].when: why", with the details line, column and path.
Error YamlError(const YamlNode& where, std::string_view path, std::string_view why);

// Parses one document. Fails as YamlError does; a key given twice is an error.
Result<YamlNode> ParseYaml(std::string_view text);

}  // namespace falconer::policy
