#pragma once
// What the demo's shop has, and what people say of it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::app {

struct ShopGood {
  std::string_view id;
  std::string_view name;
  std::string_view category;
  std::string_view origin;
  std::string_view text;
  std::string_view unit;  // "bag"
  std::string_view tone;  // the colour of its picture
  std::int64_t cents = 0;
  int stock = 0;
};

struct ShopReview {
  std::string_view good;  // by id
  std::string_view title;
  std::string_view text;
  std::string_view author;
  int stars = 5;
};

// The good whose reviews speak to agents.
inline constexpr std::string_view kHostileGood = "yirgacheffe";

std::span<const ShopGood> ShopGoods();
std::span<const std::string_view> ShopCategories();
std::span<const ShopReview> ShopReviews();
// Null for an id that nothing has.
const ShopGood* FindShopGood(std::string_view id);
// Those whose name, origin or text has the words, in any case, and that are of the category; empty
// ones leave nothing out.
std::vector<const ShopGood*> SearchShop(std::string_view words, std::string_view category);

// "€45.00", "45.00"
std::string EuroText(std::int64_t cents);
std::string EuroNumber(std::int64_t cents);

}  // namespace falconer::app
