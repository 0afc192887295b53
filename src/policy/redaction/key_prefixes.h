#pragma once
// Keys that issuers make recognisable by how they begin: "ghp_...", "AKIA...", "sk-ant-...".

#include <cstddef>
#include <span>
#include <string_view>

#include "policy/redaction/text_class.h"

namespace falconer::policy {

struct KeyPrefix {
  std::string_view issuer;
  std::string_view prefix;
  // How long the rest must be; its alphabet is letters, digits, "_", "-" and what `also` adds.
  std::size_t least;
  std::size_t most;
  std::string_view also = "";
};

std::span<const KeyPrefix> AllKeyPrefixes();

// The three bytes that keys can begin with: a quick look before the exact one.
const TripleFilter& KeyBeginnings();

// The length of the key that begins the text, 0 for none. The text before it ended a word.
std::size_t KeyLengthAt(std::string_view text);

}  // namespace falconer::policy
