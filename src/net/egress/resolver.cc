#include "net/egress/resolver.h"

#include <algorithm>

namespace falconer::net {

Addresses Interleaved(const Addresses& addresses) {
  Addresses v6;
  Addresses v4;
  std::ranges::copy_if(addresses, std::back_inserter(v6), [](const auto& a) { return a.is_v6(); });
  std::ranges::copy_if(addresses, std::back_inserter(v4), [](const auto& a) { return a.is_v4(); });
  Addresses mixed;
  for (std::size_t i = 0; i < std::max(v6.size(), v4.size()); ++i) {
    if (i < v6.size()) mixed.push_back(v6[i]);
    if (i < v4.size()) mixed.push_back(v4[i]);
  }
  return mixed;
}

}  // namespace falconer::net
