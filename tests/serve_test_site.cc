// Serves the test site until standard input ends, to look at its pages with any browser.

#include <iostream>
#include <string>

#include "tests/support/test_site.h"

int main() {
  const falconer::test::TestSite site;
  std::cout << site.Url("/") << "\n" << std::flush;
  for (std::string line; std::getline(std::cin, line);) {
  }
}
