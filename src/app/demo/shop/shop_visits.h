#pragma once
// ShopVisits: who is in the demo's shop, each known by a cookie: cart, log-in and orders, in memory
// and bounded. Whoever has not come for longest makes room for a new one.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::app {

struct ShopLine {
  std::string good;  // by id
  std::int64_t count = 0;
};

struct ShopOrder {
  std::string number;
  std::string order_form;  // what it was placed with
  std::string name;
  std::string method;
  std::int64_t cents = 0;
  std::vector<ShopLine> lines;
};

struct ShopVisit {
  std::string id;    // the cookie
  std::string form;  // what forms of this visit carry, so that no other page can send them
  bool is_logged_in = false;
  std::vector<ShopLine> cart;
  // Order forms that were given out and not used yet, newest last.
  std::deque<std::string> order_forms;
  std::vector<ShopOrder> orders;
  int stock_asked = 0;
  std::uint64_t last_seen = 0;

  std::int64_t CentsInCart() const;
  std::int64_t CountInCart() const;
};

class ShopVisits {
 public:
  explicit ShopVisits(std::size_t most) : most_(most) {}

  // Null when nobody has this cookie.
  ShopVisit* Find(std::string_view id);
  ShopVisit& Begin();
  // The same visit under a new cookie: what somebody knew before the log-in is good for nothing.
  ShopVisit& Renew(const std::string& id);
  std::size_t size() const { return visits_.size(); }

 private:
  std::size_t most_;
  std::uint64_t seen_ = 0;
  std::map<std::string, ShopVisit, std::less<>> visits_;
};

}  // namespace falconer::app
