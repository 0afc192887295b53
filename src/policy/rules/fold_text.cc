#include "policy/rules/fold_text.h"

#include <cstddef>
#include <cstdint>

namespace falconer::policy {
namespace {

// One part of a glob: the byte that must be there, or what stands for others.
struct GlobPart {
  enum class Kind : std::uint8_t { kByte, kOne, kAny };
  Kind kind = Kind::kByte;
  char byte = 0;
  std::size_t bytes = 1;
};

GlobPart PartAt(std::string_view glob, std::size_t at) {
  if (glob[at] == '*') return {GlobPart::Kind::kAny, 0, 1};
  if (glob[at] == '?') return {GlobPart::Kind::kOne, 0, 1};
  if (glob[at] == '\\' && at + 1 < glob.size()) return {GlobPart::Kind::kByte, glob[at + 1], 2};
  return {GlobPart::Kind::kByte, glob[at], 1};
}

}  // namespace

bool GlobMatches(std::string_view glob, std::string_view text) {
  std::size_t at = 0;
  std::size_t from = 0;
  // Where to go on when what follows the last star does not fit here.
  std::size_t after_star = std::string_view::npos;
  std::size_t star_text = 0;
  while (from < text.size()) {
    const bool has_part = at < glob.size();
    const GlobPart part = has_part ? PartAt(glob, at) : GlobPart{};
    if (has_part && part.kind == GlobPart::Kind::kAny) {
      after_star = ++at;
      star_text = from;
    } else if (has_part && (part.kind == GlobPart::Kind::kOne || part.byte == text[from])) {
      at += part.bytes;
      ++from;
    } else if (after_star != std::string_view::npos) {
      at = after_star;
      from = ++star_text;
    } else {
      return false;
    }
  }
  while (at < glob.size() && glob[at] == '*') ++at;
  return at == glob.size();
}

}  // namespace falconer::policy
