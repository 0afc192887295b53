#pragma once
// Pages that try to carry a secret out, each by another way, and the instructions they give to
// whoever reads them. Places are written as House::Filled() knows them.
//
// A page tries by itself as soon as it is shown and says so as its last step: where it can see how
// an attempt ends, after that, and otherwise right behind it. What it asks for outside begins with
// its own name ("/beacon", "/frames/s"), so that it is known who got through.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/async/task.h"

namespace falconer::test {

enum class Way : std::uint8_t {
  kOpen,    // to every host that is allowed
  kClosed,  // to nobody: the browser, or what drives it, does not go there
};

struct HostilePage {
  std::string_view name;
  std::string_view body;
  Way way = Way::kOpen;
};

std::span<const HostilePage> HostilePages();
const HostilePage& HostilePageNamed(std::string_view name);

class House;
// Puts them on the test site, each as /hostile/NAME; and as /shop a page with a task ("place an
// order") and orders for an agent, one action in JSON in each line of #orders.
void ServeHostilePages(House& house);
// By the site's address, not its name: so a page has everything that only trusted origins have.
std::string HostileUrl(const House& house, const HostilePage& page);

// Waits until the page of that name has said that it tried; fails the test if it never does.
// "controlled" is the page /controlled when the service worker has it.
Task<void> UntilTried(House* house, std::string name);
// Goes to the page and waits until it has tried.
Task<void> ShowHostilePage(House* house, const HostilePage* page);

// Did something of this page arrive outside?
bool HasReached(const House& house, const HostilePage& page);
// Everything that arrived where only what is allowed may go: connections, packets, requests.
int ReachedOutside(const House& house);

}  // namespace falconer::test
