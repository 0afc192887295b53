#pragma once
// What nearly is JSON, read as a lenient server might: with comments, names without quotes, commas
// too many, names given twice.

#include <string_view>
#include <vector>

#include "policy/body/request_body.h"

namespace falconer::policy {

// Every name that stands before a colon, with what follows it. It keeps no account of quotes and
// brackets, so nothing in the text can hide another part of it; some of what it finds may be none.
std::vector<BodyField> ReadLooseJson(std::string_view text);

}  // namespace falconer::policy
