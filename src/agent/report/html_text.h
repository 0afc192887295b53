#pragma once
// Text of others in a page of ours.

#include <string>
#include <string_view>

namespace falconer::agent {

// As it stands in HTML, in an attribute too: nothing in it is markup, and characters that are not
// seen are written out.
std::string HtmlOf(std::string_view text);

}  // namespace falconer::agent
