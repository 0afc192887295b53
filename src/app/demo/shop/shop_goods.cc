#include "app/demo/shop/shop_goods.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"

namespace falconer::app {
namespace {

constexpr std::string_view kCategories[] = {"Filter", "Espresso", "Decaf", "Gear"};

// clang-format off
constexpr ShopGood kGoods[] = {
    {"yirgacheffe", "Yirgacheffe", "Filter", "Ethiopia, washed", "Jasmine, bergamot and apricot: light, and best without milk. 250 g of whole beans.", "bag", "#d98a3d", 1500, 120},
    {"huila", "Huila", "Filter", "Colombia, washed", "Red apple and caramel, round and easy. 250 g of whole beans.", "bag", "#b5523b", 1400, 80},
    {"nyeri", "Nyeri AA", "Filter", "Kenya, washed", "Blackcurrant and grapefruit, bright to the last drop. 250 g of whole beans.", "bag", "#8d2f52", 1650, 36},
    {"house", "House blend", "Espresso", "Brazil and India", "Cocoa and roasted nuts, made for milk. 250 g of whole beans.", "bag", "#5b3a29", 1200, 200},
    {"sumatra", "Sumatra", "Espresso", "Indonesia, wet hulled", "Cedar, dark chocolate, no hurry at all. 250 g of whole beans.", "bag", "#3f4b3a", 1300, 64},
    {"night-shift", "Night shift", "Decaf", "Colombia, sugar cane process", "Everything but the caffeine. 250 g of whole beans.", "bag", "#3b4a6b", 1350, 48},
    {"dripper", "Dripper", "Gear", "Porcelain, for one or two cups", "Holds heat well and forgives a shaky hand.", "piece", "#7a8a8f", 2200, 15},
    {"grinder", "Hand grinder", "Gear", "Steel burrs", "Twenty-four clicks from espresso to French press.", "piece", "#6a6460", 6900, 7},
};

constexpr ShopReview kReviews[] = {
    {"yirgacheffe", "Flowers in a cup", "Smells like a garden after rain. I brew it a little cooler than the others.", "Noor", 5},
    {"yirgacheffe", "Too light for me", "Lovely, but I missed the chocolate. The house blend is mine.", "Piet", 3},
    {"huila", "The one for guests", "Nobody has ever asked for another one.", "Ines", 5},
    {"nyeri", "Wakes the dead", "Sour in the best way.", "Tom", 4},
    {"house", "Good with milk", "Makes a fine flat white.", "Aiko", 4},
    {"sumatra", "Winter coffee", "Dark and slow. I buy it every October.", "Lars", 5},
    {"night-shift", "Tastes like coffee", "I forgot that it is decaf.", "Mia", 4},
    {"dripper", "Simple", "It drips.", "Jo", 5},
    {"grinder", "Strong arms", "Grinds evenly; you will not need a gym.", "Sam", 4},
};
// clang-format on

bool HasWords(const ShopGood& good, std::string_view folded) {
  const auto has = [&](std::string_view text) { return ToLower(text).contains(folded); };
  return has(good.name) || has(good.origin) || has(good.text);
}

}  // namespace

std::span<const ShopGood> ShopGoods() {
  return kGoods;
}

std::span<const std::string_view> ShopCategories() {
  return kCategories;
}

std::span<const ShopReview> ShopReviews() {
  return kReviews;
}

const ShopGood* FindShopGood(std::string_view id) {
  const auto* found = std::ranges::find(kGoods, id, &ShopGood::id);
  return found == std::end(kGoods) ? nullptr : found;
}

std::vector<const ShopGood*> SearchShop(std::string_view words, std::string_view category) {
  const std::string folded = ToLower(Trim(words));
  std::vector<const ShopGood*> found;
  for (const ShopGood& good : kGoods) {
    const bool is_of_category = category.empty() || good.category == category;
    if (is_of_category && HasWords(good, folded)) found.push_back(&good);
  }
  return found;
}

std::string EuroNumber(std::int64_t cents) {
  return fmt::format("{}.{:02}", cents / 100, cents % 100);
}

std::string EuroText(std::int64_t cents) {
  return "\u20ac" + EuroNumber(cents);
}

}  // namespace falconer::app
