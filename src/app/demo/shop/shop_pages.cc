#include "app/demo/shop/shop_pages.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/demo/fill_in.h"
#include "app/demo/shop/shop_files.h"

namespace falconer::app {
namespace {

std::string Bag(const ShopGood& good) {
  constexpr std::string_view kBag =
      R"svg(<svg class="bag" style="--tone:{{tone}}" viewBox="0 0 200 160" role="img" aria-label="{{name}}">)svg"
      R"svg(<path d="M64 30h72l8 14v84a8 8 0 0 1-8 8H64a8 8 0 0 1-8-8V44z" fill="{{tone}}"/>)svg"
      R"svg(<path d="M64 30h72l8 14H56z" fill="#000" opacity=".22"/>)svg"
      R"svg(<rect x="70" y="66" width="60" height="44" rx="5" fill="#fffaf2"/>)svg"
      R"svg(<ellipse cx="100" cy="88" rx="11" ry="15" fill="{{tone}}" transform="rotate(28 100 88)"/>)svg"
      R"svg(<path d="M93 76c10 6 4 16 14 24" fill="none" stroke="#fffaf2" stroke-width="3"/></svg>)svg";
  return FillIn(kBag, {{"tone", std::string(good.tone)}, {"name", HtmlText(good.name)}});
}

std::string GoodCard(const ShopGood& good) {
  return FillIn(ShopGoodFile(), {{"bag", Bag(good)},
                                 {"id", std::string(good.id)},
                                 {"name", HtmlText(good.name)},
                                 {"origin", HtmlText(good.origin)},
                                 {"price", EuroText(good.cents)}});
}

std::string Chip(std::string_view label, std::string_view category, std::string_view current) {
  const std::string_view mark = category == current ? R"( aria-current="page")" : "";
  return fmt::format(R"(<li><a href="/?category={}"{}>{}</a></li>)", category, mark, label);
}

std::string Chips(std::string_view current) {
  std::string chips = Chip("All", "", current);
  for (const std::string_view category : ShopCategories())
    chips += Chip(category, category, current);
  return chips;
}

std::string FoundText(std::size_t count, std::string_view words) {
  const std::string what = count == 1 ? "1 thing" : fmt::format("{} things", count);
  return words.empty() ? fmt::format("{} to choose from. Delivery is included.", what)
                       : fmt::format("{} for \"{}\".", what, words);
}

std::string ReviewsOf(const ShopGood& good, std::string_view collector) {
  std::string out;
  for (const ShopReview& review : ShopReviews()) {
    if (review.good != good.id) continue;
    std::string marks;
    for (int star = 0; star < review.stars; ++star) marks += "\u2605";
    out += FillIn(ShopReviewFile(), {{"title", HtmlText(review.title)},
                                     {"stars", std::to_string(review.stars)},
                                     {"marks", marks},
                                     {"text", HtmlText(review.text)},
                                     {"author", HtmlText(review.author)}});
  }
  if (good.id == kHostileGood)
    out += FillIn(ShopHostileReviewFile(), {{"collector", std::string(collector)}});
  return out;
}

std::string CartLine(const ShopLine& line, const ShopVisit& visit) {
  const ShopGood& good = *FindShopGood(line.good);
  return FillIn(ShopCartLineFile(), {{"id", line.good},
                                     {"name", HtmlText(good.name)},
                                     {"price", EuroText(good.cents)},
                                     {"form", visit.form},
                                     {"most", std::to_string(kMostOfOneGood)},
                                     {"count", std::to_string(line.count)},
                                     {"sum", EuroText(line.count * good.cents)}});
}

// "3 bags of Yirgacheffe"
std::string WhatIsIn(const ShopLine& line) {
  const ShopGood& good = *FindShopGood(line.good);
  return fmt::format("{} {}{} of {}", line.count, good.unit, line.count == 1 ? "" : "s", good.name);
}

std::string SummaryLines(const std::vector<ShopLine>& lines) {
  std::string out;
  for (const ShopLine& line : lines) {
    out += fmt::format(R"(<tr><td>{}</td><td class="sum">{}</td></tr>)", HtmlText(WhatIsIn(line)),
                       EuroText(line.count * FindShopGood(line.good)->cents));
  }
  return out;
}

std::string Problem(std::string_view problem) {
  if (problem.empty()) return "";
  return fmt::format(R"(<p class="note bad" id="problem" role="alert">{}</p>)", HtmlText(problem));
}

std::string AccountPart(const ShopVisit* visit) {
  if (visit == nullptr || !visit->is_logged_in) return R"(<a href="/login">Log in</a>)";
  return FillIn(
      R"(<span id="who">Ada Lovelace</span><form action="/logout" method="post">)"
      R"(<input type="hidden" name="form" value="{{form}}"><button class="quiet" type="submit">Log out</button></form>)",
      {{"form", visit->form}});
}

std::string MethodOptions() {
  std::string out;
  for (const ShopMethod& method : kShopMethods)
    out += fmt::format(R"(<option value="{}">{}</option>)", method.id, method.label);
  return out;
}

}  // namespace

std::string ShopPage(const ShopView& view, const ShopVisit* visit) {
  return FillIn(ShopPageFile(),
                {{"title", HtmlText(view.title)},
                 {"query", HtmlText(view.query)},
                 {"cart_count", std::to_string(visit == nullptr ? 0 : visit->CountInCart())},
                 {"account", AccountPart(visit)},
                 {"main", view.main}});
}

ShopView ShopCatalogue(std::string_view words, std::string_view category) {
  const auto found = SearchShop(words, category);
  std::string goods;
  for (const ShopGood* good : found) goods += GoodCard(*good);
  const std::string heading = words.empty() ? "Coffee, roasted this week" : "What we found";
  return {.title = "Coffees",
          .main = FillIn(ShopCatalogueFile(), {{"heading", heading},
                                               {"found", HtmlText(FoundText(found.size(), words))},
                                               {"categories", Chips(category)},
                                               {"goods", goods}}),
          .query = std::string(words)};
}

ShopView ShopProduct(const ShopGood& good, const ShopVisit& visit, std::string_view collector) {
  return {.title = std::string(good.name),
          .main = FillIn(ShopProductFile(), {{"bag", Bag(good)},
                                             {"id", std::string(good.id)},
                                             {"name", HtmlText(good.name)},
                                             {"text", HtmlText(good.text)},
                                             {"origin", HtmlText(good.origin)},
                                             {"category", HtmlText(good.category)},
                                             {"price", EuroText(good.cents)},
                                             {"form", visit.form},
                                             {"most", std::to_string(kMostOfOneGood)},
                                             {"reviews", ReviewsOf(good, collector)}})};
}

ShopView ShopStock(const ShopGood& good) {
  return {.title = "Stock",
          .main = FillIn(ShopStockFile(),
                         {{"id", std::string(good.id)}, {"name", HtmlText(good.name)}})};
}

ShopView ShopSlow(std::int64_t ms) {
  return {.title = "How to brew it", .main = FillIn(ShopSlowFile(), {{"ms", std::to_string(ms)}})};
}

ShopView ShopCart(const ShopVisit& visit) {
  if (visit.cart.empty()) return ShopMessage("Your cart is empty", "Nothing is in it yet.");
  std::string lines;
  for (const ShopLine& line : visit.cart) lines += CartLine(line, visit);
  return {
      .title = "Cart",
      .main = FillIn(ShopCartFile(), {{"lines", lines}, {"total", EuroText(visit.CentsInCart())}})};
}

ShopView ShopLogin(const ShopVisit& visit, std::string_view problem) {
  return {.title = "Log in",
          .main = FillIn(ShopLoginFile(), {{"form", visit.form}, {"problem", Problem(problem)}})};
}

ShopView ShopCheckout(const ShopVisit& visit, std::string_view order_form,
                      std::string_view problem) {
  const std::int64_t cents = visit.CentsInCart();
  return {.title = "Checkout",
          .main = FillIn(ShopCheckoutFile(), {{"form", visit.form},
                                              {"order_form", std::string(order_form)},
                                              {"problem", Problem(problem)},
                                              {"methods", MethodOptions()},
                                              {"lines", SummaryLines(visit.cart)},
                                              {"total_number", EuroNumber(cents)},
                                              {"total", EuroText(cents)}})};
}

ShopView ShopOrderPlaced(const ShopOrder& order) {
  std::vector<std::string> parts;
  for (const ShopLine& line : order.lines) parts.push_back(WhatIsIn(line));
  const std::string what = fmt::format("{}", fmt::join(parts, ", "));
  return {.title = "Order placed",
          .main = FillIn(ShopOrderFile(), {{"name", HtmlText(order.name)},
                                           {"what", HtmlText(what)},
                                           {"number", order.number},
                                           {"method", HtmlText(order.method)},
                                           {"lines", SummaryLines(order.lines)},
                                           {"total", EuroText(order.cents)}})};
}

ShopView ShopMessage(std::string_view heading, std::string_view text) {
  return {.title = std::string(heading),
          .main = FillIn(ShopMessageFile(),
                         {{"heading", HtmlText(heading)}, {"text", HtmlText(text)}})};
}

}  // namespace falconer::app
