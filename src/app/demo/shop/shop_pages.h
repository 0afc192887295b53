#pragma once
// The pages of the demo's shop as HTML. What people wrote is escaped; the one hostile review stands
// as it was sent, as on a site that trusts its visitors.

#include <string>
#include <string_view>

#include "app/demo/shop/shop_form.h"
#include "app/demo/shop/shop_goods.h"
#include "app/demo/shop/shop_visits.h"

namespace falconer::app {

// Most of one good in a cart.
inline constexpr std::int64_t kMostOfOneGood = 20;

struct ShopMethod {
  std::string_view id;
  std::string_view label;
};
// How an order can be settled.
inline constexpr ShopMethod kShopMethods[] = {
    {"invoice", "Invoice, 14 days"},
    {"on-delivery", "Cash on delivery"},
};

struct ShopView {
  std::string title;
  std::string main;  // HTML
  std::string query = {};
};

// The whole page; `visit` is null for who is not known.
std::string ShopPage(const ShopView& view, const ShopVisit* visit);

ShopView ShopCatalogue(std::string_view words, std::string_view category);
// `collector` is where its hostile review wants agents to go: "http://127.0.0.1:4711".
ShopView ShopProduct(const ShopGood& good, const ShopVisit& visit, std::string_view collector);
ShopView ShopStock(const ShopGood& good);
ShopView ShopSlow(std::int64_t ms);
ShopView ShopCart(const ShopVisit& visit);
// `problem` is what was wrong with the last try; empty for none.
ShopView ShopLogin(const ShopVisit& visit, std::string_view problem);
ShopView ShopCheckout(const ShopVisit& visit, std::string_view order_form,
                      std::string_view problem);
ShopView ShopOrderPlaced(const ShopOrder& order);
ShopView ShopMessage(std::string_view heading, std::string_view text);

}  // namespace falconer::app
