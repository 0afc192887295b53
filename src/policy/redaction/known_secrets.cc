#include "policy/redaction/known_secrets.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include <openssl/crypto.h>

#include "base/hex.h"
#include "policy/redaction/secret_variants.h"

namespace falconer::policy {
namespace {

constexpr unsigned kFilterBits = 16;
// The least of a value that is cut off by which it is recognised.
constexpr std::size_t kLeastBeginning = 8;
// Values above that are found by their pieces, too.
constexpr std::size_t kLongValue = 64;
constexpr std::size_t kPiece = 32;
// Of those below, the greater part tells too: a page may show one without its first or last
// letters.
constexpr std::size_t kLeastParted = 12;
// By how many digits a run must be longer than a value of digits to be something else.
constexpr std::size_t kOtherRun = 6;
constexpr std::size_t kLongestDigits = 12;

bool IsHexDigitChar(char c) {
  return HexValue(c) >= 0;
}

bool IsPartOfLongerRun(std::string_view text, std::size_t begin, std::size_t size) {
  std::size_t first = begin;
  std::size_t last = begin + size;
  while (first > 0 && IsHexDigitChar(text[first - 1])) --first;
  while (last < text.size() && IsHexDigitChar(text[last])) ++last;
  return last - first >= size + kOtherRun;
}

// How much of the end of a text says that something was cut off there.
std::size_t EllipsisSize(std::string_view text) {
  for (const std::string_view dots : {"...", "\xE2\x80\xA6"}) {
    if (text.ends_with(dots)) return dots.size();
  }
  return 0;
}

// The text has at least four.
std::uint32_t FourBytes(std::string_view text) {
  std::uint32_t key = 0;
  std::memcpy(&key, text.data(), sizeof key);
  return key;
}

std::uint32_t FilterPlace(std::uint32_t key) {
  return key * 2654435761U >> (32U - kFilterBits);
}

void Wipe(std::string& text) {
  OPENSSL_cleanse(text.data(), text.size());
}

// What is shown of a long value may begin and end anywhere in it.
std::vector<std::string> PiecesOf(std::string_view value) {
  std::vector<std::string> pieces;
  if (value.size() < kLeastParted) return pieces;
  const bool is_long = value.size() > kLongValue;
  const std::size_t size = is_long ? kPiece : value.size() - value.size() / 4;
  for (std::size_t at = is_long ? kPiece : 0; at + size <= value.size(); at += is_long ? kPiece : 1)
    pieces.emplace_back(value.substr(at, size));
  return pieces;
}

}  // namespace

std::shared_ptr<const KnownSecrets> KnownSecrets::Build(std::span<const NamedSecret> secrets) {
  std::shared_ptr<KnownSecrets> known(new KnownSecrets());
  std::vector<std::vector<std::string>> variants;
  std::size_t size = 0;
  for (const NamedSecret& secret : secrets) {
    known->names_.emplace_back(secret.name);
    variants.push_back(VariantsOf(secret.value));
    for (std::string& piece : PiecesOf(secret.value)) variants.back().push_back(std::move(piece));
    for (const std::string& variant : variants.back()) size += variant.size();
  }
  // In one piece from the start: a buffer that grows leaves copies behind.
  known->text_.reserve(size);
  for (std::uint32_t i = 0; i < variants.size(); ++i) {
    for (std::string& variant : variants[i]) {
      known->Add(variant, i);
      Wipe(variant);
    }
  }
  known->Finish();
  return known;
}

KnownSecrets::~KnownSecrets() {
  Wipe(text_);
  OPENSSL_cleanse(patterns_.data(), patterns_.size() * sizeof(Pattern));
}

void KnownSecrets::Add(std::string_view pattern, std::uint32_t secret) {
  patterns_.push_back({.key = FourBytes(pattern),
                       .secret = secret,
                       .offset = static_cast<std::uint32_t>(text_.size()),
                       .size = static_cast<std::uint32_t>(pattern.size()),
                       .stands_alone = pattern.size() <= kLongestDigits &&
                                       std::ranges::all_of(pattern, IsHexDigitChar)});
  text_ += pattern;
}

void KnownSecrets::Finish() {
  std::ranges::sort(patterns_, {}, [](const Pattern& pattern) {
    return std::tuple(pattern.key, -static_cast<std::int64_t>(pattern.size), pattern.secret);
  });
  filter_.assign((1U << kFilterBits) / 64, 0);
  for (const Pattern& pattern : patterns_) {
    const std::uint32_t place = FilterPlace(pattern.key);
    filter_[place / 64] |= std::uint64_t{1} << (place % 64);
  }
}

KnownSecrets::Match KnownSecrets::LongestAt(std::string_view text, std::size_t at) const {
  const std::string_view rest = text.substr(at);
  const std::string_view uncut = rest.substr(0, rest.size() - EllipsisSize(rest));
  const std::uint32_t key = FourBytes(rest);
  auto it = std::ranges::lower_bound(patterns_, key, {}, &Pattern::key);
  for (; it != patterns_.end() && it->key == key; ++it) {
    const std::string_view value = std::string_view(text_).substr(it->offset, it->size);
    if (rest.starts_with(value)) {
      if (it->stands_alone && IsPartOfLongerRun(text, at, it->size)) continue;
      return {&*it, it->size};
    }
    if (uncut.size() >= kLeastBeginning && value.starts_with(uncut)) return {&*it, uncut.size()};
  }
  return {};
}

void KnownSecrets::Search(std::string_view text, Findings& out) const {
  if (patterns_.empty() || text.size() < kShortestSearched) return;
  const std::size_t last = text.size() - kShortestSearched;
  for (std::size_t at = 0; at <= last;) {
    const std::uint32_t place = FilterPlace(FourBytes(text.substr(at)));
    const bool may_be = (filter_[place / 64] >> (place % 64) & 1U) != 0;
    const Match match = may_be ? LongestAt(text, at) : Match();
    if (match.pattern == nullptr) {
      ++at;
      continue;
    }
    out.push_back({at, at + match.size, FindingKind::kKnownSecret, match.pattern->secret});
    at += match.size;
  }
}

}  // namespace falconer::policy
