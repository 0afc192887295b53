#pragma once
// Texts with places to fill in: {{name}}. For the pages of the demo's shop and for its contracts.

#include <initializer_list>
#include <string>
#include <string_view>

namespace falconer::app {

struct Filling {
  std::string_view name;
  std::string value;
};

// The text with every {{name}} replaced; what is filled in is not looked at again. A name that
// nobody fills in is left empty.
std::string FillIn(std::string_view text, std::initializer_list<Filling> fillings);

// Text as it stands in HTML, in an attribute too.
std::string HtmlText(std::string_view text);

}  // namespace falconer::app
