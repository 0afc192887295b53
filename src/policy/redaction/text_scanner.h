#pragma once
// Finds what must not be shown in a text. One pass over the bytes: words are looked at where they
// begin, and a few bytes ("@", ":", "=", "-", "+", "(") where something else can; detectors run
// only there.

#include <string_view>

#include "policy/redaction/finding.h"

namespace falconer::policy {

// Appends what is found, in order and without overlap. The same text always gives the same answer;
// masked forms are no findings.
void ScanText(std::string_view text, Findings& out);

}  // namespace falconer::policy
