#include "app/demo/shop/shop.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "app/demo/shop/shop_files.h"
#include "base/json/json.h"
#include "base/random.h"
#include "base/text.h"
#include "base/utf8.h"

namespace falconer::app {
namespace {

using net::HttpResponse;

constexpr std::string_view kCookie = "visitor";
constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::int64_t kLongestDelay = 10'000;  // milliseconds
constexpr std::size_t kLongestQuery = 100;
constexpr std::size_t kMostOrderForms = 8;
constexpr std::size_t kMostOrders = 20;
constexpr std::string_view kRobots =
    "User-agent: *\nDisallow: /cart\nDisallow: /checkout\nAllow: /\n";

enum class VisitUse : std::uint8_t {
  kNone,     // whoever asks
  kIfKnown,  // of who has one
  kBegun,    // one is begun for who has none
  kNeeded,   // refused without one
};

std::string CookieOf(const net::HttpRequest& request) {
  std::string_view all = request.headers.Find("Cookie").value_or("");
  while (!all.empty()) {
    const std::size_t end = std::min(all.find(';'), all.size());
    const std::string_view one = Trim(all.substr(0, end));
    const std::size_t equals = std::min(one.find('='), one.size());
    if (one.substr(0, equals) == kCookie && equals < one.size())
      return std::string(one.substr(equals + 1));
    all.remove_prefix(std::min(end + 1, all.size()));
  }
  return "";
}

void GiveCookie(const ShopVisit& visit, HttpResponse& response) {
  response.headers.Set("Set-Cookie",
                       fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", kCookie, visit.id));
}

HttpResponse Html(const ShopView& view, const ShopVisit* visit, int status = 200) {
  HttpResponse response = net::TextResponse(status, std::string(kHtml), ShopPage(view, visit));
  response.headers.Set("Cache-Control", "no-store");
  return response;
}

HttpResponse FileAnswer(std::string type, std::string_view content) {
  HttpResponse response = net::TextResponse(200, std::move(type), std::string(content));
  response.headers.Set("Cache-Control", "private, max-age=600");
  return response;
}

// What was sent is not sent again when the page is loaded anew.
HttpResponse SeeOther(std::string path) {
  HttpResponse response{.status = 303};
  response.headers.Set("Location", std::move(path));
  return response;
}

HttpResponse JsonAnswer(int status, const json::object& body) {
  HttpResponse response = net::TextResponse(status, "application/json", json::serialize(body));
  response.headers.Set("Cache-Control", "no-store");
  return response;
}

ShopResult<const ShopGood*> GoodOf(std::string_view id) {
  const ShopGood* good = FindShopGood(id);
  if (good != nullptr) return good;
  return RefuseInShop(404, "We do not have that", "There is nothing of that name here.");
}

auto CartLineOf(std::vector<ShopLine>& cart, std::string_view good) {
  return std::ranges::find(cart, good, &ShopLine::good);
}

std::string NewOrderNumber() {
  return "KC-" + ToUpper(RandomHex(4));
}

// Of every answer: nothing is guessed from its bytes, and no address of ours is told to others.
void Protect(HttpResponse& response) {
  response.headers.Set("X-Content-Type-Options", "nosniff");
  response.headers.Set("Referrer-Policy", "same-origin");
}

}  // namespace

struct Shop::Route {
  std::string_view method;
  std::string_view path;  // one that ends with '/' and is longer stands for all below it
  VisitUse visit;
  Answered (Shop::*answer)(Call& call);

  bool Matches(std::string_view asked) const {
    const bool is_below = path.size() > 1 && path.ends_with('/');
    return is_below ? asked.starts_with(path) && asked.size() > path.size() : asked == path;
  }
};

const Shop::Route Shop::kRoutes[] = {
    {"GET", "/", VisitUse::kBegun, &Shop::Catalogue},
    {"GET", "/product/", VisitUse::kBegun, &Shop::Product},
    {"GET", "/stock/", VisitUse::kBegun, &Shop::StockPage},
    {"GET", "/api/stock", VisitUse::kIfKnown, &Shop::StockApi},
    {"GET", "/slow", VisitUse::kIfKnown, &Shop::Slow},
    {"GET", "/cart", VisitUse::kBegun, &Shop::Cart},
    {"POST", "/cart/add", VisitUse::kNeeded, &Shop::AddToCart},
    {"POST", "/cart/change", VisitUse::kNeeded, &Shop::ChangeCart},
    {"POST", "/cart/remove", VisitUse::kNeeded, &Shop::RemoveFromCart},
    {"GET", "/login", VisitUse::kBegun, &Shop::LoginPage},
    {"POST", "/login", VisitUse::kNeeded, &Shop::LogIn},
    {"POST", "/logout", VisitUse::kNeeded, &Shop::LogOut},
    {"GET", "/checkout", VisitUse::kBegun, &Shop::CheckoutPage},
    {"POST", "/checkout", VisitUse::kNeeded, &Shop::PlaceOrder},
    {"GET", "/orders/", VisitUse::kNeeded, &Shop::Order},
    {"GET", "/shop.css", VisitUse::kNone, &Shop::Style},
    {"GET", "/shop.js", VisitUse::kNone, &Shop::Script},
    {"GET", "/robots.txt", VisitUse::kNone, &Shop::Robots},
};

Shop::Shop(ShopAccount account, std::string collector)
    : account_(std::move(account)), collector_(std::move(collector)) {
}

ShopAnswer Shop::Answer(const net::HttpRequest& request) {
  const std::string_view method =
      request.method == "HEAD" ? std::string_view("GET") : std::string_view(request.method);
  const Route* found = nullptr;
  std::string allowed;
  for (const Route& route : kRoutes) {
    if (!route.Matches(request.path)) continue;
    if (route.method == method) found = &route;
    allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", route.method);
  }
  Call call{.request = request, .rest = ""};
  Answered answered = RefuseInShop(404, "There is no such page", "We looked on every shelf.");
  if (found != nullptr) {
    answered = Serve(call, *found);
  } else if (!allowed.empty()) {
    answered = RefuseInShop(405, "Not like this", "This page takes only " + allowed + ".");
  }
  HttpResponse response = answered ? *std::move(answered) : Refused(answered.error(), call.visit);
  if (response.status == 405) response.headers.Set("Allow", allowed);
  Protect(response);
  return {.response = std::move(response), .delay = call.delay};
}

Shop::Answered Shop::Serve(Call& call, const Route& route) {
  call.rest = call.request.path.substr(route.path.size());
  if (const auto met = Meet(call, route); !met) return std::unexpected(met.error());
  Answered answered = (this->*route.answer)(call);
  // A visit that began, or goes on under another cookie.
  if (answered && call.visit != nullptr && call.visit->id != CookieOf(call.request))
    GiveCookie(*call.visit, *answered);
  return answered;
}

ShopResult<void> Shop::Meet(Call& call, const Route& route) {
  if (route.visit == VisitUse::kNone) return {};
  call.visit = visits_.Find(CookieOf(call.request));
  if (call.visit != nullptr || route.visit == VisitUse::kIfKnown) return {};
  if (route.visit == VisitUse::kNeeded) {
    return RefuseInShop(403, "We do not know you",
                        "Open a page of the shop first, with a browser that keeps cookies.");
  }
  call.visit = &visits_.Begin();
  return {};
}

HttpResponse Shop::Refused(const ShopRefusal& refusal, const ShopVisit* visit) const {
  return Html(ShopMessage(refusal.heading, refusal.text), visit, refusal.status);
}

ShopResult<ShopForm> Shop::FormOf(const Call& call) {
  auto form = ShopForm::Parse(call.request);
  if (!form || form->Text("form") == call.visit->form) return form;
  return RefuseInShop(403, "That form is not of this visit",
                      "Open the page again and send it from there.");
}

Shop::Answered Shop::Catalogue(Call& call) {
  const std::string words = net::QueryValue(call.request.query, "q").value_or("");
  const std::string category = net::QueryValue(call.request.query, "category").value_or("");
  if (words.size() > kLongestQuery || !IsValidUtf8(words))
    return RefuseInShop(400, "We cannot look for that",
                        "Search for at most 100 characters of text.");
  const auto known = ShopCategories();
  if (!category.empty() && std::ranges::find(known, category) == known.end())
    return RefuseInShop(404, "We do not have that", "There is no such category.");
  return Html(ShopCatalogue(Trim(words), category), call.visit);
}

Shop::Answered Shop::Product(Call& call) {
  const auto good = GoodOf(call.rest);
  if (!good) return std::unexpected(good.error());
  return Html(ShopProduct(**good, *call.visit, collector_), call.visit);
}

Shop::Answered Shop::StockPage(Call& call) {
  const auto good = GoodOf(call.rest);
  if (!good) return std::unexpected(good.error());
  return Html(ShopStock(**good), call.visit);
}

// The warehouse is busy every other time it is asked.
Shop::Answered Shop::StockApi(Call& call) {
  const std::string id = net::QueryValue(call.request.query, "product").value_or("");
  const ShopGood* good = FindShopGood(id);
  if (good == nullptr) return JsonAnswer(404, {{"error", "unknown product"}});
  int& asked = call.visit == nullptr ? stock_asked_ : call.visit->stock_asked;
  asked = asked == 0 ? 1 : 0;
  if (asked == 0) return JsonAnswer(200, {{"product", good->id}, {"bags", good->stock}});
  HttpResponse busy = JsonAnswer(503, {{"error", "the warehouse is busy"}});
  busy.headers.Set("Retry-After", "1");
  return busy;
}

Shop::Answered Shop::Slow(Call& call) {
  const std::string text = net::QueryValue(call.request.query, "ms").value_or("1000");
  const auto ms = ReadShopNumber("ms", text, 0, kLongestDelay);
  if (!ms) return std::unexpected(ms.error());
  call.delay = std::chrono::milliseconds(*ms);
  return Html(ShopSlow(*ms), call.visit);
}

Shop::Answered Shop::Cart(Call& call) {
  return Html(ShopCart(*call.visit), call.visit);
}

Shop::Answered Shop::AddToCart(Call& call) {
  const auto form = FormOf(call);
  if (!form) return std::unexpected(form.error());
  const auto good = GoodOf(form->Text("product"));
  if (!good) return std::unexpected(good.error());
  const auto count = ReadShopNumber("How many", form->Text("count"), 1, kMostOfOneGood);
  if (!count) return std::unexpected(count.error());
  auto& cart = call.visit->cart;
  auto line = CartLineOf(cart, (*good)->id);
  if (line == cart.end())
    line = cart.insert(cart.end(), ShopLine{.good = std::string((*good)->id)});
  if (line->count + *count > kMostOfOneGood) {
    return RefuseInShop(400, "That is too much",
                        fmt::format("At most {} of one thing go into a cart.", kMostOfOneGood));
  }
  line->count += *count;
  return SeeOther("/cart");
}

Shop::Answered Shop::ChangeCart(Call& call) {
  const auto form = FormOf(call);
  if (!form) return std::unexpected(form.error());
  const auto count = ReadShopNumber("How many", form->Text("count"), 1, kMostOfOneGood);
  if (!count) return std::unexpected(count.error());
  const auto line = CartLineOf(call.visit->cart, form->Text("product"));
  if (line == call.visit->cart.end())
    return RefuseInShop(404, "That is not in your cart", "Put it there first.");
  line->count = *count;
  return SeeOther("/cart");
}

Shop::Answered Shop::RemoveFromCart(Call& call) {
  const auto form = FormOf(call);
  if (!form) return std::unexpected(form.error());
  const std::string_view good = form->Text("product");
  std::erase_if(call.visit->cart, [&](const ShopLine& line) { return line.good == good; });
  return SeeOther("/cart");
}

Shop::Answered Shop::LoginPage(Call& call) {
  return Html(ShopLogin(*call.visit, ""), call.visit);
}

Shop::Answered Shop::LogIn(Call& call) {
  const auto form = FormOf(call);
  if (!form) return std::unexpected(form.error());
  const bool is_right = form->Text("account") == account_.name && !account_.password.empty() &&
                        form->Text("password") == account_.password;
  if (!is_right) {
    return Html(ShopLogin(*call.visit, "That account and password do not belong together."),
                call.visit, 401);
  }
  call.visit = &visits_.Renew(call.visit->id);
  call.visit->is_logged_in = true;
  return SeeOther("/cart");
}

Shop::Answered Shop::LogOut(Call& call) {
  const auto form = FormOf(call);
  if (!form) return std::unexpected(form.error());
  call.visit->is_logged_in = false;
  return SeeOther("/");
}

HttpResponse Shop::CheckoutWith(ShopVisit& visit, int status, std::string_view problem) {
  visit.order_forms.push_back(RandomId());
  if (visit.order_forms.size() > kMostOrderForms) visit.order_forms.pop_front();
  return Html(ShopCheckout(visit, visit.order_forms.back(), problem), &visit, status);
}

Shop::Answered Shop::CheckoutPage(Call& call) {
  if (!call.visit->is_logged_in) return SeeOther("/login");
  if (call.visit->cart.empty()) return SeeOther("/cart");
  return CheckoutWith(*call.visit, 200, "");
}

ShopResult<ShopOrder> Shop::ReadOrder(const ShopForm& form, const ShopVisit& visit) {
  ShopOrder order{.order_form = std::string(form.Text("order_form"))};
  constexpr std::pair<std::string_view, std::string_view> kLines[] = {
      {"name", "The name"},
      {"email", "The e-mail address"},
      {"street", "The street"},
      {"town", "The town"}};
  for (const auto& [name, label] : kLines) {
    const auto line = form.Line(name, label);
    if (!line) return std::unexpected(line.error());
    if (name == "email" && !line->contains('@'))
      return RefuseInShop(422, "We cannot take that", "The e-mail address has no @.");
  }
  const auto* method = std::ranges::find(kShopMethods, form.Text("settle"), &ShopMethod::id);
  if (method == std::end(kShopMethods))
    return RefuseInShop(422, "Something is missing", "Choose how to settle.");
  order.name = *form.Line("name", "The name");
  order.method = method->label;
  order.lines = visit.cart;
  order.cents = visit.CentsInCart();
  return order;
}

// An order form is good for one order, however often it is sent.
Shop::Answered Shop::PlaceOrder(Call& call) {
  const auto form = FormOf(call);
  if (!form) return std::unexpected(form.error());
  ShopVisit& visit = *call.visit;
  if (!visit.is_logged_in) return RefuseInShop(401, "Log in first", "Orders need an account.");
  const std::string_view used = form->Text("order_form");
  const auto placed = std::ranges::find(visit.orders, used, &ShopOrder::order_form);
  if (placed != visit.orders.end()) {
    return RefuseInShop(409, "This order was placed already",
                        fmt::format("It is order {}; nothing was ordered again.", placed->number));
  }
  const auto given = std::ranges::find(visit.order_forms, used);
  if (given == visit.order_forms.end())
    return RefuseInShop(409, "This form is no longer good", "Open the checkout again.");
  if (visit.cart.empty()) return RefuseInShop(409, "Your cart is empty", "Nothing was ordered.");
  if (visit.orders.size() >= kMostOrders)
    return RefuseInShop(429, "That is a lot of coffee", "No more orders in this visit.");
  auto order = ReadOrder(*form, visit);
  if (!order) return CheckoutWith(visit, order.error().status, order.error().text);
  if (form->Text("total") != EuroNumber(order->cents) || form->Text("currency") != "EUR")
    return CheckoutWith(visit, 409, "The total has changed. Look at it again.");
  order->number = NewOrderNumber();
  visit.order_forms.erase(given);
  visit.cart.clear();
  visit.orders.push_back(*std::move(order));
  ++orders_placed_;
  return SeeOther("/orders/" + visit.orders.back().number);
}

Shop::Answered Shop::Order(Call& call) {
  const auto found = std::ranges::find(call.visit->orders, call.rest, &ShopOrder::number);
  if (found == call.visit->orders.end())
    return RefuseInShop(404, "There is no such order", "At least not of yours.");
  return Html(ShopOrderPlaced(*found), call.visit);
}

Shop::Answered Shop::Style(Call& /*call*/) {
  return FileAnswer("text/css; charset=utf-8", ShopStyleFile());
}

Shop::Answered Shop::Script(Call& /*call*/) {
  return FileAnswer("text/javascript; charset=utf-8", ShopScriptFile());
}

Shop::Answered Shop::Robots(Call& /*call*/) {
  return FileAnswer("text/plain; charset=utf-8", kRobots);
}

}  // namespace falconer::app
