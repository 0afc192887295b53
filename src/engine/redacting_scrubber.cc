#include "engine/redacting_scrubber.h"

#include <algorithm>

#include "base/hex.h"
#include "base/text.h"

namespace falconer::engine {
namespace {

using policy::Surface;

// Members of a record that quote callers and pages.
constexpr std::string_view kQuoting[] = {"contract", "result", "contract_digest"};
constexpr std::string_view kSnapshots = "snapshots";

constexpr std::string_view kOtherSigns = "_.:@-";

bool IsNameOfOurs(std::string_view text) {
  constexpr std::size_t kLongest = 128;
  return text.size() <= kLongest && std::ranges::all_of(text, [](char c) {
           return IsLetterOrDigit(c) || kOtherSigns.contains(c);
         });
}

bool IsDigest(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits && IsHex(text);
}

// What is called like a secret and is none: the name of a session, the digest of a token's claims.
struct OwnRow {
  std::string_view key;
  bool (*is_ours)(std::string_view text);
};

constexpr OwnRow kOwn[] = {{"session_id", IsNameOfOurs}, {"token", IsDigest}};

bool IsOurs(std::string_view key, const json::value& value) {
  const json::string* text = value.if_string();
  const auto* row = std::ranges::find(kOwn, key, &OwnRow::key);
  return text != nullptr && row != std::end(kOwn) && row->is_ours(*text);
}

bool Quotes(std::string_view key) {
  return std::ranges::find(kQuoting, key) != std::end(kQuoting);
}

}  // namespace

void RedactingScrubber::Scrub(json::object& payload) const {
  ScrubOwn(payload);
}

void RedactingScrubber::ScrubOwn(json::object& object) const {
  for (auto& [key, value] : object) {
    if (key == kSnapshots || IsOurs(key, value)) continue;
    ScrubMember(key, value);
  }
}

void RedactingScrubber::ScrubMember(std::string_view key, json::value& value) const {
  if (!Quotes(key) && value.is_object()) return ScrubOwn(value.get_object());
  if (Quotes(key) || !value.is_array()) {
    redactor_.RedactField(Surface::kLedger, key, value);
    return;
  }
  for (json::value& element : value.get_array()) ScrubMember(key, element);
}

}  // namespace falconer::engine
