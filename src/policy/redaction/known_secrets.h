#pragma once
// KnownSecrets: searches texts for the values of secrets, in every form of VariantsOf, all at once.
// Immutable after it was built; any thread may search.
//
// A value that is cut off by the end of the text is found too, and so are the pieces of a long one,
// and three quarters of one of twelve bytes or more.
// A short value of hex digits counts only where it stands by itself: the digests and times of our
// own records would hold it by chance.
//
// How: a hash of the four bytes at each place asks a small filter that stays in the fastest memory;
// only what passes it is looked up and compared. Texts of pages do not slow it down: few places
// pass.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/redaction/finding.h"

namespace falconer::policy {

struct NamedSecret {
  std::string_view name;
  std::string_view value;
};

class KnownSecrets {
 public:
  // Values shorter than kShortestSearched are left out.
  static std::shared_ptr<const KnownSecrets> Build(std::span<const NamedSecret> secrets);
  // Wipes the patterns.
  ~KnownSecrets();
  KnownSecrets(const KnownSecrets&) = delete;
  KnownSecrets& operator=(const KnownSecrets&) = delete;

  // Appends every place that holds one, in order, without overlap; the longest form wins.
  void Search(std::string_view text, Findings& out) const;
  // The name of Finding::secret.
  const std::string& NameOf(std::uint32_t secret) const { return names_[secret]; }
  bool empty() const { return patterns_.empty(); }

 private:
  struct Pattern {
    std::uint32_t key;  // its first four bytes
    std::uint32_t secret;
    std::uint32_t offset;  // in text_
    std::uint32_t size;
    bool stands_alone;  // counts only outside of longer runs of hex digits
  };
  // What of a pattern is there.
  struct Match {
    const Pattern* pattern = nullptr;
    std::size_t size = 0;
  };

  KnownSecrets() = default;
  void Add(std::string_view pattern, std::uint32_t secret);
  void Finish();
  Match LongestAt(std::string_view text, std::size_t at) const;

  std::vector<std::string> names_;
  std::string text_;               // all patterns
  std::vector<Pattern> patterns_;  // by key, then the longest first
  std::vector<std::uint64_t> filter_;
};

}  // namespace falconer::policy
