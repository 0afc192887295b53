#include "policy/risk/risk.h"

#include <gtest/gtest.h>

#include "policy/risk/risk_words.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using L = model::RiskLevel;
using Type = model::ActionType;

std::string Show(const Risk& risk) {
  return json::serialize(risk.ToJson());
}

model::ElementFacts Button(std::string name) {
  return {.role = "button", .name = std::move(name), .tag = "button", .type = "button"};
}

model::ElementFacts Link(std::string name, std::string href) {
  return {.role = "link", .name = std::move(name), .tag = "a", .href = std::move(href)};
}

model::ElementFacts FieldIn(model::FormFacts form) {
  return {.role = "textbox", .tag = "input", .type = "text", .form = std::move(form)};
}

Risk Click(model::ElementFacts element) {
  return AssessRisk({.action = RiskAction{.type = Type::kClick}, .element = std::move(element)});
}

Risk PressEnter(model::ElementFacts element) {
  return AssessRisk(
      {.action = RiskAction{.type = Type::kPress, .key = "Enter"}, .element = std::move(element)});
}

Risk Send(model::RequestFacts request) {
  return AssessRisk({.request = std::move(request)});
}

model::RequestFacts Post(std::string url, std::string type, std::string body,
                         std::string resource = "fetch") {
  return {.method = "POST",
          .url = std::move(url),
          .content_type = std::move(type),
          .resource_type = std::move(resource),
          .body = std::move(body)};
}

struct LabelRow {
  const char* label;
  L level;
  model::CapabilitySet needs;
};

TEST(RiskTest, ReadsButtonsInManyLanguages) {
  const LabelRow rows[] = {
      {"Buy now", L::kHigh, {C::kPurchase}},
      {"Place your order", L::kHigh, {C::kPurchase}},
      {"Pay $49.99", L::kHigh, {C::kPurchase}},
      {"Jetzt kaufen", L::kHigh, {C::kPurchase}},
      {"Zahlungspflichtig bestellen", L::kHigh, {C::kPurchase}},
      {"Acheter maintenant", L::kHigh, {C::kPurchase}},
      {"Payer 12,50 €", L::kHigh, {C::kPurchase}},
      {"Comprar ahora", L::kHigh, {C::kPurchase}},
      {"Finalizar compra", L::kHigh, {C::kPurchase}},
      {"Acquista ora", L::kHigh, {C::kPurchase}},
      {"Nu kopen", L::kHigh, {C::kPurchase}},
      {"今すぐ買う", L::kHigh, {C::kPurchase}},
      {"注文を確定する", L::kHigh, {C::kPurchase}},
      {"立即购买", L::kHigh, {C::kPurchase}},
      {"提交订单", L::kHigh, {C::kPurchase}},
      {"Delete", L::kHigh, {C::kDelete}},
      {"DELETE REPOSITORY", L::kHigh, {C::kDelete}},
      {"De\u200blete item 17", L::kHigh, {C::kDelete}},
      {"Löschen", L::kHigh, {C::kDelete}},
      {"Supprimer la photo", L::kHigh, {C::kDelete}},
      {"Eliminar", L::kHigh, {C::kDelete}},
      {"Excluir arquivo", L::kHigh, {C::kDelete}},
      {"Elimina", L::kHigh, {C::kDelete}},
      {"Verwijderen", L::kHigh, {C::kDelete}},
      {"削除する", L::kHigh, {C::kDelete}},
      {"删除", L::kHigh, {C::kDelete}},
      {"Delete account", L::kCritical, {C::kDelete}},
      {"Konto löschen", L::kCritical, {C::kDelete}},
      {"Eliminar cuenta", L::kCritical, {C::kDelete}},
      {"Cancel subscription", L::kHigh, {C::kDelete}},
      {"Send money", L::kHigh, {C::kPurchase}},
      {"Überweisen", L::kHigh, {C::kPurchase}},
      {"送金", L::kHigh, {C::kPurchase}},
      {"转账", L::kHigh, {C::kPurchase}},
      {"Publish", L::kHigh, {C::kSubmit}},
      {"Send", L::kMedium, {C::kSubmit}},
      {"Envoyer", L::kMedium, {C::kSubmit}},
      {"送信", L::kMedium, {C::kSubmit}},
      {"Log out", L::kMedium, {C::kAuth}},
      {"Abmelden", L::kMedium, {C::kAuth}},
      {"Grant access", L::kHigh, {C::kAdmin}},
      {"Change password", L::kHigh, {C::kAuth}},
      {"Remove", L::kMedium, {C::kDelete}},
      {"Proceed to checkout", L::kMedium, {}},
  };
  for (const LabelRow& row : rows) {
    const Risk risk = Click(Button(row.label));
    EXPECT_EQ(risk.level, row.level) << row.label << " " << Show(risk);
    EXPECT_TRUE(risk.capabilities.ContainsAll(row.needs)) << row.label << " " << Show(risk);
    EXPECT_TRUE(risk.capabilities.Contains(C::kInteract));
    EXPECT_FALSE(risk.reasons.empty()) << row.label;
  }
}

TEST(RiskTest, LeavesHarmlessButtonsAlone) {
  for (const char* label : {"Search",
                            "Suchen",
                            "検索",
                            "Add to wish list",
                            "Auf die Wunschliste",
                            "Add to cart",
                            "In den Warenkorb",
                            "Ajouter au panier",
                            "カートに入れる",
                            "Remove filter",
                            "Remove from wishlist",
                            "Filter entfernen",
                            "Delete filter",
                            "Next",
                            "Close",
                            "Cancel",
                            "OK",
                            "Show details",
                            "View order history",
                            "Order by price",
                            "Sort by: Price",
                            "Compare",
                            "Read more",
                            "Show payment methods",
                            "Play",
                            "Mute",
                            "Accept cookies",
                            "Menu",
                            "1",
                            "",
                            "Preview",
                            "Load more",
                            "Zoom in",
                            "查看详情",
                            "もっと見る"}) {
    const Risk risk = Click(Button(label));
    EXPECT_EQ(risk.level, L::kLow) << label << " " << Show(risk);
    EXPECT_FALSE(risk.capabilities.Intersects({C::kPurchase, C::kDelete, C::kSubmit}))
        << label << " " << Show(risk);
  }
}

TEST(RiskTest, EveryOldDenyWordIsAnInputOnAButton) {
  for (const std::string_view word : kDenyWords) {
    EXPECT_GE(Click(Button(std::string(word))).level, L::kMedium) << word;
    model::ElementFacts icon = Button("");
    icon.identifier = "btn-" + std::string(word);
    EXPECT_GE(Click(icon).level, L::kMedium) << word;
  }
}

TEST(RiskTest, AnIdentifierDoesNotOverruleAClearLabel) {
  model::ElementFacts element = Button("Show more");
  element.identifier = "account-settings-toggle";
  EXPECT_EQ(Click(element).level, L::kLow);
}

TEST(RiskTest, CatchesLinksThatDelete) {
  const model::ElementFacts rows[] = {
      Link("Delete", "https://a.com/posts/17"),
      Link("Delete post", "https://a.com/posts/17#"),
      Link("x", "https://a.com/posts/17/delete"),
      Link("", "https://a.com/admin.php?action=delete&id=4"),
      Link("Trash icon", "https://a.com/delete/4"),
      Link("Remove it", "https://a.com/item/deleteItem.do?id=4"),
      Link("Supprimer", "https://a.com/fr/annonces/9/supprimer"),
      Link("Delete", "javascript:void(0)"),
      Link("Löschen", ""),
      Link("Close", "https://a.com/items?delete=5"),
  };
  for (const model::ElementFacts& link : rows) {
    const Risk risk = Click(link);
    EXPECT_GE(risk.level, L::kHigh) << link.name << link.href << Show(risk);
    EXPECT_TRUE(risk.capabilities.Contains(C::kDelete)) << link.name << link.href;
  }
}

TEST(RiskTest, LeavesLinksToReadAlone) {
  const model::ElementFacts rows[] = {
      Link("Senators vote to delete the tax clause from the bill",
           "https://news.example/politics/senators-vote-to-delete-tax-clause"),
      Link("How to delete your account", "https://a.com/help/how-to-delete-your-account"),
      Link("Deleting files", "https://a.com/docs/delete"),
      Link("Should you buy or rent a house in 2026?", "https://a.com/2026/05/buy-or-rent-a-house"),
      Link("Account", "https://a.com/account"),
      Link("Settings", "https://a.com/settings"),
      Link("Sign in", "https://a.com/login"),
      Link("Your orders", "https://a.com/orders"),
      Link("Payments", "https://a.com/payments"),
      Link("Post office history", "https://a.com/wiki/Post_office"),
      Link("Deleted items", "https://a.com/mail/deleted"),
      Link("Transfers", "https://a.com/transfers/17"),
      Link("Checkout", "https://a.com/checkout"),
      Link("Search results", "https://a.com/search?q=delete+account"),
      Link("Terms", "https://a.com/terms?ref=checkout"),
  };
  for (const model::ElementFacts& link : rows) {
    const Risk risk = Click(link);
    EXPECT_EQ(risk.level, L::kLow) << link.name << " " << link.href << Show(risk);
  }
}

TEST(RiskTest, EnterInAFieldIsThePressOfTheFormsButton) {
  model::FormFacts pay{
      .action = "https://a.com/charge",
      .method = "post",
      .submit = "Pay $1,299.00",
      .fields = {{.name = "cc-number", .autocomplete = "cc-number"}, {.name = "cvc"}}};
  const Risk risk = PressEnter(FieldIn(pay));
  EXPECT_EQ(risk.level, L::kCritical) << Show(risk);
  EXPECT_TRUE(risk.capabilities.ContainsAll({C::kPurchase, C::kSubmit})) << Show(risk);
  ASSERT_TRUE(risk.amount);
  EXPECT_EQ(risk.amount->ToText(), "1299 USD");

  const Risk typed = AssessRisk(
      {.action = RiskAction{.type = Type::kType, .text = "4111\n"}, .element = FieldIn(pay)});
  EXPECT_EQ(typed.level, L::kCritical) << "a line feed in what is typed is Enter";
  const Risk other = AssessRisk(
      {.action = RiskAction{.type = Type::kPress, .key = "Tab"}, .element = FieldIn(pay)});
  EXPECT_EQ(other.level, L::kLow);
}

TEST(RiskTest, EnterInManyLinesWritesUnlessControlIsHeld) {
  model::ElementFacts area{.role = "textbox", .tag = "textarea"};
  area.form = model::FormFacts{.action = "https://a.com/c", .method = "post", .submit = "Post"};
  EXPECT_EQ(PressEnter(area).level, L::kLow) << "nothing says that it is a message";
  const Risk sent =
      AssessRisk({.action = RiskAction{.type = Type::kPress, .key = "Enter", .has_modifier = true},
                  .element = area});
  EXPECT_EQ(sent.level, L::kHigh) << Show(sent);
}

TEST(RiskTest, EnterOutsideOfFormsMaySendToo) {
  const model::ElementFacts chat{.role = "textbox", .name = "Message #general", .tag = "div"};
  EXPECT_EQ(PressEnter(chat).level, L::kMedium);
  EXPECT_TRUE(PressEnter(chat).capabilities.Contains(C::kSubmit));
  const model::ElementFacts notes{.role = "textbox", .name = "Notes", .tag = "textarea"};
  EXPECT_EQ(PressEnter(notes).level, L::kLow);
  const model::ElementFacts lonely{.role = "textbox", .name = "Coupon", .tag = "input"};
  EXPECT_EQ(PressEnter(lonely).level, L::kMedium);
  const model::ElementFacts search{.role = "textbox", .name = "Search shop", .tag = "input"};
  EXPECT_EQ(PressEnter(search).level, L::kLow);
}

TEST(RiskTest, AChoiceIsNotTheDeed) {
  const model::ElementFacts box{
      .role = "checkbox", .name = "Delete after sending", .tag = "input", .type = "checkbox"};
  const Risk grave = Click(box);
  EXPECT_EQ(grave.level, L::kMedium) << Show(grave);
  EXPECT_FALSE(grave.capabilities.Contains(C::kDelete));
  const model::ElementFacts filter{.role = "checkbox", .name = "In stock", .tag = "input"};
  EXPECT_EQ(Click(filter).level, L::kLow);
}

TEST(RiskTest, WhatIsSeenCountsBesideWhatIsReadOut) {
  model::ElementFacts element = Button("Show more");
  element.label = "Delete everything";
  EXPECT_EQ(Click(element).level, L::kHigh);
}

TEST(RiskTest, ALinkToBuyLeadsToAPageFirst) {
  const Risk risk = Click(Link("Buy on Amazon", "https://amazon.com/dp/B000"));
  EXPECT_EQ(risk.level, L::kMedium) << Show(risk);
  EXPECT_FALSE(risk.capabilities.Contains(C::kPurchase));
  EXPECT_TRUE(Click(Link("Buy now", "#")).capabilities.Contains(C::kPurchase));
}

TEST(RiskTest, SearchFormsAreHarmless) {
  const model::FormFacts get{
      .action = "https://a.com/search",
      .method = "get",
      .submit = "Search",
      .fields = {{.name = "q", .type = "search", .value = "delete account"}}};
  const model::FormFacts post{.action = "https://a.com/search",
                              .method = "post",
                              .role = "search",
                              .submit = "Go",
                              .fields = {{.name = "query", .type = "text"}}};
  for (const model::FormFacts& form : {get, post}) {
    const Risk risk = PressEnter(FieldIn(form));
    EXPECT_EQ(risk.level, L::kLow) << Show(risk);
    EXPECT_FALSE(risk.capabilities.Contains(C::kSubmit)) << Show(risk);
  }
}

TEST(RiskTest, KnowsFormsByTheirFields) {
  struct Row {
    model::FieldFacts field;
    L level;
    C needs;
  };
  const Row rows[] = {
      {{.name = "password", .type = "password"}, L::kMedium, C::kAuth},
      {{.name = "p", .type = "password", .autocomplete = "new-password"}, L::kHigh, C::kAuth},
      {{.name = "attachment", .type = "file"}, L::kHigh, C::kUpload},
      {{.name = "iban", .type = "text"}, L::kHigh, C::kPurchase},
      {{.name = "x", .type = "text", .label = "Kartennummer"}, L::kCritical, C::kPurchase},
      {{.name = "ssn", .type = "text"}, L::kHigh, C::kPii},
      {{.name = "shipping[street]", .type = "text"}, L::kMedium, C::kPii},
      {{.name = "comment", .type = "textarea"}, L::kMedium, C::kSubmit},
  };
  for (const Row& row : rows) {
    model::ElementFacts button = Button("Continue");
    button.type = "submit";
    button.form = model::FormFacts{.action = "https://a.com/step2",
                                   .method = "post",
                                   .submit = "Continue",
                                   .fields = {row.field}};
    const Risk risk = Click(button);
    EXPECT_EQ(risk.level, row.level) << row.field.name << Show(risk);
    EXPECT_TRUE(risk.capabilities.Contains(row.needs)) << row.field.name << Show(risk);
  }
}

TEST(RiskTest, TheTypeOfTheActionIsAnInput) {
  const auto level = [](Type type) {
    return AssessRisk({.action = RiskAction{.type = type}}).level;
  };
  EXPECT_EQ(level(Type::kNavigate), L::kLow);
  EXPECT_EQ(level(Type::kSnapshot), L::kLow);
  EXPECT_EQ(level(Type::kSubmit), L::kMedium);
  EXPECT_EQ(level(Type::kPurchase), L::kHigh);
  EXPECT_EQ(level(Type::kUpload), L::kHigh);
  EXPECT_EQ(level(Type::kCustomJsRestricted), L::kHigh);
  for (const model::ActionTraits& row : model::AllActionTypes()) {
    const Risk risk = AssessRisk({.action = RiskAction{.type = row.type}});
    EXPECT_TRUE(risk.capabilities.Contains(row.capability)) << row.name;
  }
}

TEST(RiskTest, FillingIsHarmlessUnlessTheFieldIsPrivate) {
  const auto fill = [](std::string type, std::string label) {
    return AssessRisk({.action = RiskAction{.type = Type::kFill, .text = "delete everything"},
                       .element = model::ElementFacts{.role = "textbox",
                                                      .label = std::move(label),
                                                      .tag = "input",
                                                      .type = std::move(type)}});
  };
  EXPECT_EQ(fill("text", "Comment").level, L::kLow);
  EXPECT_EQ(fill("password", "").level, L::kMedium);
  EXPECT_EQ(fill("text", "Card number").level, L::kMedium);
}

TEST(RiskTest, AcceptingADialogIsWhatItAsks) {
  const auto answer = [](std::string question, bool accepts) {
    return AssessRisk(
        {.action = RiskAction{
             .type = Type::kHandleDialog, .text = std::move(question), .accepts = accepts}});
  };
  EXPECT_EQ(answer("Do you really want to delete this project?", true).level, L::kHigh);
  EXPECT_EQ(answer("Do you really want to delete this project?", false).level, L::kLow);
  EXPECT_EQ(answer("Your session is about to end.", true).level, L::kLow);
}

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
      {"search by POST",
       Post("https://a.com/api/products/search", kJson, R"({"text":"delete","page":2})"),
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
      {"analytics",
       Post("https://stats.example/collect", "text/plain", "v=1&t=pageview", "ping"),
       {},
       {}},
      {"log", Post("https://a.com/api/telemetry", kJson, R"({"level":"info"})"), {}, {}},
      {"suggest", Post("https://a.com/autocomplete", kJson, R"({"prefix":"buy"})"), {}, {}},
      {"options", {.method = "OPTIONS", .url = "https://a.com/api/delete"}, {}, {}},
  };
  for (const RequestRow& row : rows) {
    const Risk risk = Send(row.request);
    EXPECT_EQ(risk.level, L::kLow) << row.what << " " << Show(risk);
    EXPECT_TRUE(risk.capabilities.empty()) << row.what << " " << Show(risk);
  }
}

TEST(RiskTest, WhatLeavesCountsMoreThanWhatThePageShows) {
  const Risk risk = AssessRisk(
      {.action = RiskAction{.type = Type::kClick},
       .element = Button("Pay $5.00"),
       .request = Post("https://a.com/pay", kJson, R"({"amount_cents":50000,"currency":"usd"})")});
  ASSERT_TRUE(risk.amount);
  EXPECT_EQ(risk.amount->ToText(), "500 USD");
}

TEST(RiskTest, ReasonsComeGravestFirstAndQuoteLittle) {
  const Risk risk = Click(Button("Delete account " + std::string(3000, ' ') + "now"));
  ASSERT_FALSE(risk.reasons.empty());
  EXPECT_EQ(risk.reasons.front().level, risk.level);
  for (const RiskReason& reason : risk.reasons) EXPECT_LT(reason.text.size(), 200U);
}

TEST(RiskTest, AddsToTheFactsOfADecision) {
  model::PolicyFacts facts;
  facts.capabilities = {C::kInteract};
  AddTo(facts, Click(Button("Pay 12,50 €")));
  EXPECT_EQ(facts.risk, L::kHigh);
  EXPECT_TRUE(facts.capabilities.ContainsAll({C::kInteract, C::kPurchase}));
  EXPECT_EQ(facts.amount, (model::Money{125'000, "EUR"}));
}

TEST(RiskWordsTest, EveryMeaningHasEveryLanguage) {
  for (const auto& [meaning, name] : kMeanings) {
    for (const std::string_view language : {"en", "de", "fr", "es", "pt", "it", "nl", "ja", "zh"}) {
      const bool is_there = std::ranges::any_of(AllRiskWords(), [&](const RiskWordsRow& row) {
        return row.meaning == meaning && row.language == language && !row.phrases.empty();
      });
      EXPECT_TRUE(is_there) << name << " " << language;
    }
  }
}

TEST(RiskWordsTest, PhrasesStandAsTheyAreCompared) {
  for (const RiskWordsRow& row : AllRiskWords()) {
    std::string_view rest = row.phrases;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string phrase(rest.substr(0, comma));
      std::string joined;
      for (const std::string& word : WordsOf(phrase)) joined += (joined.empty() ? "" : " ") + word;
      EXPECT_EQ(joined, phrase) << row.language;
      EXPECT_TRUE(MeaningsOf(WordsOf(phrase)).Contains(row.meaning)) << phrase;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
}

}  // namespace
}  // namespace falconer::policy
