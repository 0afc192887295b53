#pragma once
// Shop: a page whose server counts what is bought, and shows it, so that looking again tells.

#include <map>
#include <mutex>
#include <string>

#include "tests/support/test_site.h"

namespace falconer::test {

class Shop {
 public:
  Shop();

  std::string url() const { return site_.Url("/shop"); }
  // How often a thing was bought.
  int Bought(int thing) const;

  // Opens the page: another contract for every `time`.
  std::string OpenContract(int time) const;
  // Buys a thing and says how to tell that it worked.
  static std::string BuyContract(int thing);

 private:
  net::HttpResponse Page() const;
  net::HttpResponse Buy(const net::HttpRequest& request);

  TestSite site_;
  mutable std::mutex mutex_;
  std::map<int, int> bought_;
};

}  // namespace falconer::test
