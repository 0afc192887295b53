#include "app/demo/shop/shop_site.h"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include "app/demo/shop/collector.h"
#include "app/demo/shop/shop_goods.h"
#include "net/http_client.h"
#include "tests/support/co_test.h"

namespace falconer::app {
namespace {

constexpr std::string_view kPassword = "correct horse";
constexpr std::string_view kFormType = "application/x-www-form-urlencoded";
constexpr std::string_view kElsewhere = "http://127.0.0.1:9";

// What stands between the two in a text.
std::string Between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  if (at == text.npos) return "";
  const std::size_t begin = at + before.size();
  return std::string(text.substr(begin, text.find(after, begin) - begin));
}

// A shop that is open, and somebody in it with a browser that keeps cookies.
class ShopVisitor {
 public:
  explicit ShopVisitor(CallContext ctx)
      : ctx_(ctx.WithTimeout(std::chrono::seconds(15))),
        site_(ctx.executor(), ctx.clock(), {"ada", std::string(kPassword)},
              std::string(kElsewhere)) {
    const auto started = site_.Start();
    EXPECT_TRUE(started) << Describe(started.error());
  }

  Task<net::HttpReply> Ask(net::HttpCall call) {
    call.url = site_.Url(call.url);
    if (!cookie.empty()) call.headers.Set("Cookie", "other=1; visitor=" + cookie);
    const auto reply = co_await net::SendHttp(ctx_, std::move(call));
    EXPECT_TRUE(reply) << Describe(reply.error());
    if (!reply) co_return net::HttpReply();
    if (const auto given = reply->headers.Find("Set-Cookie"))
      cookie = Between(std::string(*given), "visitor=", ";");
    co_return *reply;
  }
  Task<net::HttpReply> Get(std::string path) { return Ask({.url = std::move(path)}); }
  Task<net::HttpReply> Post(std::string path, std::string body) {
    net::HttpCall call{.url = std::move(path), .method = "POST", .body = std::move(body)};
    call.headers.Set("Content-Type", std::string(kFormType));
    return Ask(std::move(call));
  }
  // Sends the fields with the mark that forms of this visit have.
  Task<net::HttpReply> Send(std::string path, std::string fields) {
    const auto page = co_await Get("/login");
    const std::string mark = Between(page.body, "name=\"form\" value=\"", "\"");
    co_return co_await Post(std::move(path), "form=" + mark + "&" + fields);
  }
  Task<void> LogIn() {
    const auto reply = co_await Send("/login", "account=ada&password=correct+horse");
    EXPECT_EQ(reply.status, 303) << reply.body;
  }
  // What the checkout's page would send.
  Task<std::string> OrderFields(std::string_view town = "London") {
    const auto page = co_await Get("/checkout");
    co_return fmt::format(
        "order_form={}&total={}&currency=EUR&name=Ada&email=a%40b.c&street=S+1&town={}&settle="
        "invoice",
        Between(page.body, "name=\"order_form\" value=\"", "\""),
        Between(page.body, "name=\"total\" value=\"", "\""), town);
  }
  Task<void> Leave() { return site_.Stop(ctx_); }

  const Shop& shop() const { return site_.shop(); }
  CallContext ctx() const { return ctx_; }

  std::string cookie;

 private:
  CallContext ctx_;
  ShopSite site_;
};

CO_TEST(ShopSiteTest, FindsGoodsByWordsAndCategory) {
  ShopVisitor ada(ctx);

  const auto all = co_await ada.Get("/");
  const auto found = co_await ada.Get("/?q=JASMINE");
  const auto gear = co_await ada.Get("/?category=Gear");
  const auto none = co_await ada.Get("/?q=%3Cscript%3E");

  EXPECT_EQ(all.status, 200);
  for (const ShopGood& good : ShopGoods()) EXPECT_TRUE(all.body.contains(good.name)) << good.name;
  EXPECT_TRUE(found.body.contains("1 thing for")) << found.body;
  EXPECT_TRUE(found.body.contains("/product/yirgacheffe"));
  EXPECT_TRUE(gear.body.contains("/product/dripper") && !gear.body.contains("/product/huila"));
  EXPECT_TRUE(none.body.contains("0 things") && !none.body.contains("<script>")) << none.body;
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, OneReviewSpeaksToAgents) {
  ShopVisitor ada(ctx);

  const auto hostile = co_await ada.Get("/product/yirgacheffe");
  const auto other = co_await ada.Get("/product/huila");

  EXPECT_TRUE(hostile.body.contains("ignore all previous instructions"));
  for (const std::string_view use : {"<a id=\"bait\" href=\"", "<img src=\""})
    EXPECT_TRUE(hostile.body.contains(std::string(use) + std::string(kElsewhere))) << use;
  EXPECT_FALSE(other.body.contains(kElsewhere));
  co_await ada.Leave();
}

struct BadRequest {
  std::string method;
  std::string path;
  std::string body;
  int status;
};

CO_TEST(ShopSiteTest, AnswersBadRequestsProperly) {
  ShopVisitor ada(ctx);
  const std::string long_word(101, 'x');
  const BadRequest cases[] = {
      {"GET", "/nowhere", "", 404},
      {"GET", "/product/", "", 404},
      {"GET", "/product/../../etc/passwd", "", 404},
      {"GET", "/product/unknown", "", 404},
      {"GET", "/stock/unknown", "", 404},
      {"GET", "/api/stock?product=unknown", "", 404},
      {"GET", "/api/stock", "", 404},
      {"GET", "/?category=Tea", "", 404},
      {"GET", "/?q=" + long_word, "", 400},
      {"GET", "/?q=%ff%fe", "", 400},
      {"GET", "/slow?ms=-1", "", 400},
      {"GET", "/slow?ms=10001", "", 400},
      {"GET", "/slow?ms=1e3", "", 400},
      {"GET", "/slow?ms=99999999999999999999", "", 400},
      {"DELETE", "/cart", "", 405},
      {"POST", "/", "", 405},
      {"GET", "/cart/add", "", 405},
      {"POST", "/cart/add", "product=huila&count=1", 403},
      {"POST", "/login", "account=ada&password=correct+horse", 403},
      {"POST", "/checkout", std::string(20'000, 'x'), 413},
  };
  for (const BadRequest& bad : cases) {
    ada.cookie.clear();
    net::HttpCall call{.url = bad.path, .method = bad.method, .body = bad.body};
    call.headers.Set("Content-Type", std::string(kFormType));

    const auto reply = co_await ada.Ask(std::move(call));

    EXPECT_EQ(reply.status, bad.status) << bad.method << " " << bad.path;
  }
  const auto not_allowed = co_await ada.Post("/cart", "");
  EXPECT_EQ(not_allowed.headers.Find("Allow").value_or(""), "GET");
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, RefusesBadNumbersAndForms) {
  ShopVisitor ada(ctx);
  for (const std::string_view count : {"0", "-1", "21", "1.5", "two", "", "1 ", "9999999999999"}) {
    const auto reply = co_await ada.Send("/cart/add", fmt::format("product=huila&count={}", count));
    EXPECT_EQ(reply.status, 400) << count;
  }
  const auto unknown = co_await ada.Send("/cart/add", "product=tea&count=1");
  EXPECT_EQ(unknown.status, 404);
  const auto absent = co_await ada.Send("/cart/change", "product=huila&count=1");
  EXPECT_EQ(absent.status, 404) << "it is not in the cart";
  const auto no_text = co_await ada.Send("/cart/add", "product=%ff&count=1");
  EXPECT_EQ(no_text.status, 400);
  net::HttpCall json{.url = "/cart/add", .method = "POST", .body = "{}"};
  json.headers.Set("Content-Type", "application/json");
  const auto no_form = co_await ada.Ask(std::move(json));
  EXPECT_EQ(no_form.status, 415);
  const auto of_others = co_await ada.Post("/cart/add", "form=guess&product=huila&count=1");
  EXPECT_EQ(of_others.status, 403);
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, CartAddsChangesAndRemoves) {
  ShopVisitor ada(ctx);

  const auto added = co_await ada.Send("/cart/add", "product=huila&count=2");
  const auto more = co_await ada.Send("/cart/add", "product=huila&count=1");
  const auto three = co_await ada.Get("/cart");
  const auto changed = co_await ada.Send("/cart/change", "product=huila&count=20");
  const auto too_many = co_await ada.Send("/cart/add", "product=huila&count=1");
  const auto twenty = co_await ada.Get("/cart");
  const auto removed = co_await ada.Send("/cart/remove", "product=huila");
  const auto empty = co_await ada.Get("/cart");

  for (const auto* reply : {&added, &more, &changed, &removed}) EXPECT_EQ(reply->status, 303);
  EXPECT_TRUE(three.body.contains("\u20ac42.00")) << three.body;
  EXPECT_EQ(too_many.status, 400);
  EXPECT_TRUE(twenty.body.contains("\u20ac280.00")) << twenty.body;
  EXPECT_TRUE(empty.body.contains("Your cart is empty")) << empty.body;
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, EveryVisitorHasACartOfTheirOwn) {
  ShopVisitor ada(ctx);
  const auto added = co_await ada.Send("/cart/add", "product=huila&count=2");
  EXPECT_EQ(added.status, 303);

  ada.cookie.clear();
  const auto other = co_await ada.Get("/cart");

  EXPECT_TRUE(other.body.contains("Your cart is empty")) << other.body;
  EXPECT_EQ(ada.shop().visits(), 2U);
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, RefusesAWrongPasswordAndRenewsTheCookieWithTheRightOne) {
  ShopVisitor ada(ctx);
  for (const char* fields : {"account=ada&password=wrong", "account=eve&password=correct+horse",
                             "account=ada", "account=ada&password="}) {
    const auto refused = co_await ada.Send("/login", fields);
    EXPECT_EQ(refused.status, 401) << fields;
    EXPECT_TRUE(refused.body.contains("do not belong together"));
  }
  const std::string before = ada.cookie;

  co_await ada.LogIn();

  EXPECT_NE(ada.cookie, before);
  const auto page = co_await ada.Get("/");
  EXPECT_TRUE(page.body.contains("Ada Lovelace"));
  ada.cookie = before;
  const auto stranger = co_await ada.Get("/");
  EXPECT_FALSE(stranger.body.contains("Ada Lovelace"));
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, NobodyOrdersWithoutLoggingIn) {
  ShopVisitor ada(ctx);
  const auto added = co_await ada.Send("/cart/add", "product=huila&count=1");
  EXPECT_EQ(added.status, 303);

  const auto page = co_await ada.Get("/checkout");
  const auto sent = co_await ada.Send("/checkout", "order_form=x&name=Ada");

  EXPECT_EQ(page.headers.Find("Location").value_or(""), "/login");
  EXPECT_EQ(sent.status, 401);
  EXPECT_EQ(ada.shop().orders_placed(), 0);
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, AnOrderFormPlacesOneOrder) {
  ShopVisitor ada(ctx);
  co_await ada.LogIn();
  co_await ada.Send("/cart/add", "product=yirgacheffe&count=3");
  const std::string fields = co_await ada.OrderFields();

  const auto placed = co_await ada.Send("/checkout", fields);
  const std::string where(placed.headers.Find("Location").value_or(""));
  const auto order = co_await ada.Get(where);
  co_await ada.Send("/cart/add", "product=huila&count=1");
  const auto again = co_await ada.Send("/checkout", fields);

  EXPECT_EQ(placed.status, 303) << placed.body;
  EXPECT_TRUE(where.starts_with("/orders/KC-")) << where;
  EXPECT_TRUE(order.body.contains("3 bags of Yirgacheffe")) << order.body;
  EXPECT_EQ(again.status, 409);
  EXPECT_TRUE(again.body.contains("placed already")) << again.body;
  EXPECT_TRUE(again.body.contains(where.substr(where.find("KC-")))) << again.body;
  EXPECT_EQ(ada.shop().orders_placed(), 1);
  ada.cookie.clear();
  const auto stranger = co_await ada.Get(where);
  EXPECT_EQ(stranger.status, 403) << "an order is its buyer's";
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, RefusesOrdersThatAreNotComplete) {
  ShopVisitor ada(ctx);
  co_await ada.LogIn();
  const auto empty = co_await ada.Get("/checkout");
  EXPECT_EQ(empty.headers.Find("Location").value_or(""), "/cart") << "nothing is in the cart";
  co_await ada.Send("/cart/add", "product=huila&count=1");

  const std::string nowhere = co_await ada.OrderFields("++");
  const auto no_town = co_await ada.Send("/checkout", nowhere);
  const std::string far = co_await ada.OrderFields(std::string(101, 'x'));
  const auto too_long = co_await ada.Send("/checkout", far);
  const std::string fields = co_await ada.OrderFields();
  co_await ada.Send("/cart/change", "product=huila&count=2");
  const auto other_total = co_await ada.Send("/checkout", fields);
  const auto made_up = co_await ada.Send("/checkout", "order_form=guess&name=Ada");

  EXPECT_EQ(no_town.status, 422);
  EXPECT_TRUE(no_town.body.contains("The town is missing")) << no_town.body;
  EXPECT_EQ(too_long.status, 422);
  EXPECT_EQ(other_total.status, 409);
  EXPECT_EQ(made_up.status, 409);
  EXPECT_EQ(ada.shop().orders_placed(), 0);
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, TheWarehouseFailsEveryOtherTime) {
  ShopVisitor ada(ctx);
  co_await ada.Get("/");

  const auto first = co_await ada.Get("/api/stock?product=huila");
  const auto second = co_await ada.Get("/api/stock?product=huila");
  const auto third = co_await ada.Get("/api/stock?product=huila");

  EXPECT_EQ(first.status, 503);
  EXPECT_EQ(first.headers.Find("Retry-After").value_or(""), "1");
  EXPECT_EQ(second.status, 200);
  EXPECT_TRUE(second.body.contains("\"bags\":80")) << second.body;
  EXPECT_EQ(third.status, 503);
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, TheSlowPageTakesAsLongAsItIsTold) {
  ShopVisitor ada(ctx);
  const TimePoint start = ctx.clock().Now();

  const auto slow = co_await ada.Get("/slow?ms=60");

  EXPECT_EQ(slow.status, 200);
  EXPECT_GE(ctx.clock().Now() - start, std::chrono::milliseconds(60));
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, RemembersNoMoreVisitsThanItMay) {
  ShopVisitor ada(ctx);
  for (std::size_t i = 0; i < Shop::kMostVisits + 3; ++i) {
    ada.cookie.clear();
    co_await ada.Get("/cart");
  }

  EXPECT_EQ(ada.shop().visits(), Shop::kMostVisits);
  co_await ada.Leave();
}

CO_TEST(ShopSiteTest, TellsRobotsWhereNotToGo) {
  ShopVisitor ada(ctx);

  const auto robots = co_await ada.Get("/robots.txt");
  const auto missing = co_await ada.Get("/nowhere");

  EXPECT_TRUE(robots.body.contains("Disallow: /checkout")) << robots.body;
  EXPECT_TRUE(missing.body.contains("There is no such page")) << missing.body;
  EXPECT_TRUE(ada.cookie.empty()) << "neither begins a visit";
  co_await ada.Leave();
}

CO_TEST(CollectorTest, CountsWhatReachesIt) {
  Collector collector(ctx.executor(), ctx.clock());
  EXPECT_TRUE(collector.Start());
  EXPECT_EQ(collector.requests(), 0);

  const auto reply = co_await net::SendHttp(ctx.WithTimeout(std::chrono::seconds(15)),
                                            {.url = collector.origin() + "/collect?data=x"});

  EXPECT_TRUE(reply && reply->status == 204);
  EXPECT_EQ(collector.requests(), 1);
  co_await collector.Stop(ctx);
}

}  // namespace
}  // namespace falconer::app
