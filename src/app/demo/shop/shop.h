#pragma once
// Shop: the demo's coffee shop. It answers one request at a time and knows nothing of the network;
// ShopSite serves it. Everything it remembers is in memory and bounded.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/demo/shop/shop_form.h"
#include "app/demo/shop/shop_pages.h"
#include "app/demo/shop/shop_visits.h"
#include "net/http_message.h"

namespace falconer::app {

// Who can log in.
struct ShopAccount {
  std::string name;
  std::string password;
};

struct ShopAnswer {
  net::HttpResponse response;
  // How long the answer is to be kept back.
  std::chrono::milliseconds delay{0};
};

class Shop {
 public:
  static constexpr std::size_t kMostVisits = 256;

  // `collector` is the origin that the hostile review points to.
  Shop(ShopAccount account, std::string collector);

  ShopAnswer Answer(const net::HttpRequest& request);

  // Orders that were really placed, by everybody.
  std::int64_t orders_placed() const { return orders_placed_; }
  std::size_t visits() const { return visits_.size(); }

 private:
  // One request on its way.
  struct Call {
    const net::HttpRequest& request;
    std::string rest;            // of the path, behind the route's own
    ShopVisit* visit = nullptr;  // null where the route needs none
    std::chrono::milliseconds delay{0};
  };
  using Answered = ShopResult<net::HttpResponse>;
  struct Route;
  static const Route kRoutes[];

  Answered Serve(Call& call, const Route& route);
  ShopResult<void> Meet(Call& call, const Route& route);

  Answered Catalogue(Call& call);
  Answered Product(Call& call);
  Answered StockPage(Call& call);
  Answered StockApi(Call& call);
  Answered Slow(Call& call);
  Answered Cart(Call& call);
  Answered AddToCart(Call& call);
  Answered ChangeCart(Call& call);
  Answered RemoveFromCart(Call& call);
  Answered LoginPage(Call& call);
  Answered LogIn(Call& call);
  Answered LogOut(Call& call);
  Answered CheckoutPage(Call& call);
  Answered PlaceOrder(Call& call);
  Answered Order(Call& call);
  Answered Style(Call& call);
  Answered Script(Call& call);
  Answered Robots(Call& call);

  // A form that belongs to the visit: 403 for another.
  static ShopResult<ShopForm> FormOf(const Call& call);
  static ShopResult<ShopOrder> ReadOrder(const ShopForm& form, const ShopVisit& visit);
  net::HttpResponse CheckoutWith(ShopVisit& visit, int status, std::string_view problem);
  net::HttpResponse Refused(const ShopRefusal& refusal, const ShopVisit* visit) const;

  ShopAccount account_;
  std::string collector_;
  ShopVisits visits_{kMostVisits};
  int stock_asked_ = 0;  // by those who have no visit
  std::int64_t orders_placed_ = 0;
};

}  // namespace falconer::app
