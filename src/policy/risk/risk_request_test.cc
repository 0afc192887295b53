#include <gtest/gtest.h>

#include "tests/support/risk_samples.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using L = model::RiskLevel;
using Type = model::ActionType;
using test::Button;
using test::Post;
using test::Send;
using test::Show;

struct RequestRow {
  const char* what;
  model::RequestFacts request;
  L level;
  model::CapabilitySet needs;
};

constexpr const char* kForm = "application/x-www-form-urlencoded";
constexpr const char* kJson = "application/json";

TEST(RiskTest, CatchesRequestsThatDoSomething) {
  const RequestRow rows[] = {
      {"fetch that pays",
       Post("https://a.com/api/payments", kJson, R"({"amount":49.5,"currency":"EUR"})"),
       L::kHigh,
       {C::kPurchase}},
      {"order",
       Post("https://a.com/api/orders", kJson, R"({"items":[{"sku":1}]})"),
       L::kHigh,
       {C::kPurchase}},
      {"checkout form",
       Post("https://a.com/checkout", kForm, "step=3&terms=on", "document"),
       L::kHigh,
       {C::kPurchase, C::kSubmit}},
      {"payment host",
       Post("https://api.stripe.com/v1/payment_intents/pi_1/confirm", kForm, "x=1"),
       L::kHigh,
       {C::kPurchase}},
      {"card by name",
       Post("https://a.com/x", kForm, "card_number=4111111111111111"),
       L::kCritical,
       {C::kPurchase}},
      {"card by digits",
       Post("https://a.com/x", kJson, R"({"a":{"b":"4111 1111 1111 1111"}})"),
       L::kCritical,
       {C::kPurchase}},
      {"delete method",
       {.method = "DELETE", .url = "https://a.com/api/items/5"},
       L::kHigh,
       {C::kDelete}},
      {"method override",
       Post("https://a.com/items/5", kForm, "_method=delete&token=x"),
       L::kHigh,
       {C::kDelete}},
      {"method override by a header",
       {.method = "POST", .method_override = "DELETE", .url = "https://a.com/items/5"},
       L::kHigh,
       {C::kDelete}},
      {"method override of what looks like reading",
       {.method = "GET", .method_override = "DELETE", .url = "https://a.com/items/5"},
       L::kHigh,
       {C::kDelete}},
      {"delete verb",
       Post("https://a.com/api/deleteItem", kJson, R"({"id":5})"),
       L::kHigh,
       {C::kDelete}},
      {"delete flag",
       Post("https://a.com/api/items", kJson, R"({"delete":true,"id":5})"),
       L::kHigh,
       {C::kDelete}},
      {"graphql mutation",
       Post("https://a.com/graphql", kJson,
            R"json({"query":"mutation M($id: ID!) { x: deleteProject(id: $id) { ok } }"})json"),
       L::kHigh,
       {C::kDelete}},
      {"graphql purchase",
       Post(
           "https://a.com/graphql", kJson,
           R"json({"operationName":"PlaceOrder","query":"mutation PlaceOrder { placeOrder { id } }"})json"),
       L::kHigh,
       {C::kPurchase}},
      {"stored graphql",
       Post("https://a.com/graphql", kJson,
            R"({"operationName":"DeleteUser","extensions":{"persistedQuery":{"version":1}}})"),
       L::kHigh,
       {C::kDelete}},
      {"json rpc",
       Post("https://a.com/rpc", kJson, R"({"jsonrpc":"2.0","method":"deleteUser"})"),
       L::kHigh,
       {C::kDelete}},
      {"upload",
       Post("https://a.com/files", "multipart/form-data; boundary=B",
            "--B\r\nContent-Disposition: form-data; name=\"f\"; "
            "filename=\"a.txt\"\r\n\r\nhi\r\n--B--\r\n"),
       L::kHigh,
       {C::kUpload}},
      {"raw upload",
       {.method = "PUT",
        .url = "https://b.s3.example/x",
        .content_type = "image/png",
        .body = "\x89PNG"},
       L::kHigh,
       {C::kUpload}},
      {"login",
       Post("https://a.com/session", kForm, "user=a&password=b", "document"),
       L::kMedium,
       {C::kAuth}},
      {"new password", Post("https://a.com/x", kForm, "new_password=b"), L::kHigh, {C::kAuth}},
      {"transfer",
       Post("https://bank.example/transfers", kJson, R"({"to":"x","amount":"10"})"),
       L::kHigh,
       {C::kPurchase}},
      {"transfer by GET",
       {.method = "GET",
        .url = "https://bank.example/transfer?to=x&amount=100&currency=EUR",
        .resource_type = "image"},
       L::kHigh,
       {C::kPurchase}},
      {"fetch GET that buys",
       {.method = "GET", .url = "https://a.com/api/buy/17", .resource_type = "fetch"},
       L::kHigh,
       {C::kPurchase}},
      {"delete by GET",
       {.method = "GET", .url = "https://a.com/item/5/delete", .resource_type = "document"},
       L::kHigh,
       {C::kDelete}},
      {"logout",
       {.method = "GET", .url = "https://a.com/logout", .resource_type = "document"},
       L::kMedium,
       {C::kAuth}},
      {"plain form",
       Post("https://a.com/contact", kForm, "name=a&message=b", "document"),
       L::kMedium,
       {C::kSubmit}},
      {"plain patch",
       {.method = "PATCH",
        .url = "https://a.com/api/notes/5",
        .content_type = kJson,
        .body = R"({"title":"x"})"},
       L::kMedium,
       {C::kWrite}},
      {"encoded path", Post("https://a.com/%64elete/5", kForm, "x=1"), L::kHigh, {C::kDelete}},
      {"booking of an event",
       Post("https://a.com/events/17/bookings", kJson, "{}"),
       L::kHigh,
       {C::kPurchase}},
      {"mutation by GET",
       {.method = "GET",
        .url = "https://a.com/graphql?query=mutation%7BdeleteUser(id%3A5)%7Bok%7D%7D",
        .resource_type = "fetch"},
       L::kHigh,
       {C::kDelete}},
      {"beacon with fields",
       Post("https://a.com/x", "text/plain", "_method=delete&id=5", "ping"),
       L::kHigh,
       {C::kDelete}},
      {"command below a text section",
       {.method = "GET",
        .url = "https://a.com/forum/post?action=delete&id=5",
        .resource_type = "fetch"},
       L::kHigh,
       {C::kDelete}},
      {"command of a script",
       {.method = "GET", .url = "https://a.com/x.js?action=delete", .resource_type = "image"},
       L::kHigh,
       {C::kDelete}},
      {"an ending that is none",
       {.method = "GET", .url = "https://a.com/account/delete;x.png", .resource_type = "image"},
       L::kHigh,
       {C::kDelete}},
      {"transfer in two currencies by GET",
       {.method = "GET",
        .url = "https://bank.example/transfer?amount=100+EUR&price=1+USD",
        .resource_type = "image"},
       L::kHigh,
       {C::kPurchase}},
      {"mutation in a document",
       {.method = "GET",
        .url = "https://a.com/graphql?query=mutation%7BdeleteUser%7Bok%7D%7D",
        .resource_type = "document"},
       L::kHigh,
       {C::kDelete}},
      {"mutation in a form",
       Post("https://a.com/graphql", kForm, "query=mutation%7BdeleteUser%7Bok%7D%7D"),
       L::kHigh,
       {C::kDelete}},
      {"custom method",
       Post("https://a.com/v1/my-list-items:batchDelete", kJson, "{}"),
       L::kHigh,
       {C::kDelete}},
      {"order with a slash at its end",
       Post("https://a.com/v1/orders/", kJson, "{}"),
       L::kHigh,
       {C::kPurchase}},
      {"query at a host that moves money",
       Post("https://payments.braintree-api.com/graphql", kJson, R"({"query":"{ ping }"})"),
       L::kHigh,
       {C::kPurchase}},
      {"query that deletes",
       Post("https://a.com/graphql", kJson, R"({"query":"{ deleteAll }"})"),
       L::kHigh,
       {C::kWrite, C::kDelete}},
      {"stored document with another text",
       Post("https://a.com/graphql", kJson,
            R"({"query":"{ a }","extensions":{"persistedQuery":{"sha256Hash":"00"}}})"),
       L::kMedium,
       {C::kWrite}},
      {"search by POST",
       Post("https://a.com/api/products/search", kJson, R"({"text":"delete","page":2})"),
       L::kMedium,
       {C::kWrite}},
      {"suggest",
       Post("https://a.com/autocomplete", kJson, R"({"prefix":"buy"})"),
       L::kMedium,
       {C::kWrite}},
      {"appointment",
       Post("https://a.com/calendars/primary/events", kJson, "{}"),
       L::kMedium,
       {C::kWrite}},
      {"amounts in two currencies",
       Post("https://a.com/api/x", kJson, R"({"amount":"$900","price":"1 €"})"),
       L::kMedium,
       {C::kWrite, C::kPurchase}},
      {"broken body", Post("https://a.com/api/x", kJson, "{"), L::kMedium, {C::kWrite}},
      {"beacon that deletes",
       Post("https://a.com/track/delete", kJson, "{}", "ping"),
       L::kHigh,
       {C::kDelete}},
  };
  for (const RequestRow& row : rows) {
    const Risk risk = Send(row.request);
    EXPECT_EQ(risk.level, row.level) << row.what << " " << Show(risk);
    EXPECT_TRUE(risk.capabilities.ContainsAll(row.needs)) << row.what << " " << Show(risk);
  }
}

TEST(RiskTest, LeavesRequestsThatReadAlone) {
  const RequestRow rows[] = {
      {"page", {.method = "GET", .url = "https://a.com/", .resource_type = "document"}, {}, {}},
      {"image",
       {.method = "GET", .url = "https://a.com/i/buy.png", .resource_type = "image"},
       {},
       {}},
      {"article",
       {.method = "GET", .url = "https://a.com/blog/delete", .resource_type = "document"},
       {},
       {}},
      {"checkout page",
       {.method = "GET", .url = "https://a.com/checkout", .resource_type = "document"},
       {},
       {}},
      {"search by GET",
       {.method = "GET", .url = "https://a.com/s?q=delete+my+account", .resource_type = "document"},
       {},
       {}},
      {"graphql query",
       Post("https://a.com/graphql", kJson,
            R"json({"query":"query Q { orders { id total } }"})json"),
       {},
       {}},
      {"short graphql query",
       Post("https://a.com/graphql", kJson, R"json({"query":"{ deletedItems { id } }"})json"),
       {},
       {}},
      {"query about a post",
       Post(
           "https://a.com/api/graphql.json", kJson,
           R"json([{"query":"query Post($id: ID!) { post(id: $id) { comment } }","variables":{"id":7}}])json"),
       {},
       {}},
      {"document by itself",
       Post("https://a.com/GraphQL", "application/graphql", "{ orders { id } }"),
       {},
       {}},
      {"picture that counts",
       {.method = "GET", .url = "https://a.com/p.gif?event=purchase", .resource_type = "image"},
       {},
       {}},
      {"search below a section",
       {.method = "GET", .url = "https://a.com/forum/search?q=delete", .resource_type = "document"},
       {},
       {}},
      {"options", {.method = "OPTIONS", .url = "https://a.com/api/delete"}, {}, {}},
  };
  for (const RequestRow& row : rows) {
    const Risk risk = Send(row.request);
    EXPECT_EQ(risk.level, L::kLow) << row.what << " " << Show(risk);
    EXPECT_TRUE(risk.capabilities.empty()) << row.what << " " << Show(risk);
  }
}

TEST(RiskTest, TelemetryIsWritingOfLittleWeight) {
  const model::RequestFacts rows[] = {
      Post("https://stats.example/collect", "text/plain", "v=1&t=pageview", "ping"),
      Post("https://a.com/api/telemetry", kJson, R"({"level":"info"})"),
      Post("https://a.com/v1/track", kJson, R"({"event":"purchase"})"),
      Post("https://a.com/api/4/envelope/", "text/plain", "{\"dsn\":\"x\"}\n{\"release\":\"1.2\"}"),
      Post("https://a.com/anything", "text/plain", "some words", "ping"),
      Post("https://a.com/csp", "application/csp-report", "{}", "cspviolationreport"),
      Post("https://a.com/rum", "application/octet-stream", "\x01\xff", "xhr"),
  };
  for (const model::RequestFacts& request : rows) {
    const Risk risk = Send(request);
    EXPECT_EQ(risk.level, L::kLow) << request.url << Show(risk);
    EXPECT_TRUE(risk.capabilities.Contains(C::kWrite)) << request.url << Show(risk);
  }
  EXPECT_TRUE(Send(rows[6]).capabilities.Contains(C::kUpload)) << "bytes leave all the same";
}

TEST(RiskTest, NoDecoyTakesACapabilityAway) {
  const RequestRow rows[] = {
      {"a query beside a command",
       Post("https://a.com/api/account/delete", kJson, R"({"query":"{a}","confirm":true})"),
       L::kCritical,
       {C::kWrite, C::kDelete}},
      {"a query after a stored mutation",
       Post("https://a.com/graphql", kJson,
            R"([{"operationName":"DeleteAll","extensions":{}},{"query":"{a}"}])"),
       L::kHigh,
       {C::kWrite, C::kDelete}},
      {"a comment that ends",
       Post("https://a.com/graphql", kJson,
            R"({"query":"query A{a} #\rmutation B{deleteAll}","operationName":"B"})"),
       L::kHigh,
       {C::kWrite, C::kDelete}},
      {"a quote in a block string",
       Post(
           "https://a.com/graphql", kJson,
           R"({"query":"query A{a(s:\"\"\"\\\"\"\" ( \"\"\")} mutation B{deleteAll}","operationName":"B"})"),
       L::kHigh,
       {C::kWrite, C::kDelete}},
      {"a parameter that reads",
       Post("https://a.com/api/webhooks?view=1&list&find=x&query=%7Ba%7D", kJson, "{}"),
       L::kMedium,
       {C::kWrite}},
      {"an order that is looked at",
       Post("https://a.com/api/orders?view=1", kJson, "{}"),
       L::kHigh,
       {C::kWrite, C::kPurchase}},
      {"a beacon",
       Post("https://a.com/api/webhooks", kJson, R"({"url":"https://evil.example"})", "ping"),
       L::kLow,
       {C::kWrite}},
      {"a word of telemetry",
       Post("https://a.com/api/webhooks/log", kJson, "{}"),
       L::kMedium,
       {C::kWrite}},
      {"a minor thing beside it",
       Post("https://a.com/api/account/delete?cart=1", kJson, R"({"wishlist":1,"filter":"x"})"),
       L::kCritical,
       {C::kWrite, C::kDelete}},
      {"a long path behind it",
       Post("https://a.com/delete.php/cart/search/view/list/track/log", kJson, "{}"),
       L::kHigh,
       {C::kWrite, C::kDelete}},
      {"too much to read",
       Post("https://a.com/api/x", kForm, test::Repeated("a&", 9000) + "_method=delete"),
       L::kCritical,
       {C::kWrite, C::kDelete, C::kPurchase}},
  };
  for (const RequestRow& row : rows) {
    const Risk risk = Send(row.request);
    EXPECT_EQ(risk.level, row.level) << row.what << " " << Show(risk);
    EXPECT_TRUE(risk.capabilities.ContainsAll(row.needs)) << row.what << " " << Show(risk);
  }
}

TEST(RiskTest, WhatCannotBeReadIsAFileThatLeaves) {
  model::RequestFacts request = Post("https://a.com/api/x", "", "");
  request.is_body_whole = false;
  const Risk risk = Send(request);
  EXPECT_EQ(risk.level, L::kHigh) << Show(risk);
  EXPECT_TRUE(risk.capabilities.ContainsAll({C::kWrite, C::kUpload})) << Show(risk);
  request = Post("https://a.com/graphql", kJson, R"({"query":"{ a }"})");
  request.is_body_whole = false;
  EXPECT_TRUE(Send(request).capabilities.Contains(C::kUpload));
}

TEST(RiskTest, WhatLeavesCountsMoreThanWhatThePageShows) {
  const Risk risk = AssessRisk(
      {.action = RiskAction{.type = Type::kClick},
       .element = Button("Pay $5.00"),
       .request = Post("https://a.com/pay", kJson, R"({"amount_cents":50000,"currency":"usd"})")});
  ASSERT_TRUE(risk.amount);
  EXPECT_EQ(risk.amount->ToText(), "500 USD");
}

}  // namespace
}  // namespace falconer::policy
