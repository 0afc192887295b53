#pragma once
// Masks: what people see in the place of a value. Masking a masked value changes nothing.

#include <string>
#include <string_view>

#include "policy/redaction/finding.h"

namespace falconer::policy {

inline constexpr std::string_view kStars = "********";

// The masked form of a value of this kind:
//   password  ********               card   ****-****-****-1234
//   API key   sk_...xxxx             SSN    ***-**-1234
//   e-mail    j***@example.com       others: see MaskStyle
// Never shows more than a quarter of a value, apart from the last four digits of cards, accounts
// and social security numbers and the domain of an address.
std::string MaskOf(FindingKind kind, std::string_view value);

// True for what MaskOf and the other actions of redaction write.
bool IsMasked(std::string_view value);
// Whether some part of the text may be one of those: the original of the text cannot be told.
bool MayHoldMask(std::string_view text);

}  // namespace falconer::policy
