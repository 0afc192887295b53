#pragma once
// Pages that try to carry a secret out, each by another way, and the instructions they give to
// whoever reads them. Places are written as House::Filled() knows them.

#include <span>
#include <string_view>

namespace falconer::test {

struct HostilePage {
  std::string_view name;
  std::string_view body;
};

// Every page tries by itself as soon as it is shown.
std::span<const HostilePage> HostilePages();

class House;
// Puts them on the test site, each as /hostile/NAME; and as /shop a page with a task ("place an
// order") and orders for an agent, one action in JSON in each line of #orders.
void ServeHostilePages(House& house);

}  // namespace falconer::test
