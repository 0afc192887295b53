#include "policy/risk/risk.h"

#include <gtest/gtest.h>

#include "policy/risk/risk_words.h"
#include "tests/support/risk_samples.h"

namespace falconer::policy {
namespace {

using C = model::Capability;
using L = model::RiskLevel;
using Type = model::ActionType;
using test::Button;
using test::Click;
using test::FieldIn;
using test::Link;
using test::PressEnter;
using test::Show;

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
      {.action = RiskAction{.type = Type::kType, .presses_enter = true}, .element = FieldIn(pay)});
  EXPECT_EQ(typed.level, L::kCritical) << "a line feed in what is typed is Enter";
  const Risk named = AssessRisk(
      {.action = RiskAction{.type = Type::kPress, .key = "Return"}, .element = FieldIn(pay)});
  EXPECT_EQ(named.level, L::kCritical) << "so is the key by its other name";
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
    return AssessRisk({.action = RiskAction{.type = Type::kFill},
                       .element = model::ElementFacts{.role = "textbox",
                                                      .label = std::move(label),
                                                      .tag = "input",
                                                      .type = std::move(type)}});
  };
  EXPECT_EQ(fill("text", "Comment").level, L::kLow);
  EXPECT_EQ(fill("password", "").level, L::kMedium);
  EXPECT_EQ(fill("text", "Card number").level, L::kMedium);
}

TEST(RiskTest, ALineEndTakesNothingAwayFromWhatIsTyped) {
  const model::ElementFacts secret{.role = "textbox", .tag = "input", .type = "password"};
  for (const bool presses_enter : {false, true}) {
    const Risk risk =
        AssessRisk({.action = RiskAction{.type = Type::kType, .presses_enter = presses_enter},
                    .element = secret});
    EXPECT_TRUE(risk.capabilities.Contains(C::kAuth)) << Show(risk);
    EXPECT_EQ(risk.capabilities.Contains(C::kSubmit), presses_enter) << Show(risk);
  }
}

TEST(RiskTest, AcceptingADialogIsWhatItAsks) {
  const auto answer = [](std::string question, bool accepts) {
    return AssessRisk(
        {.action = RiskAction{
             .type = Type::kHandleDialog, .question = std::move(question), .accepts = accepts}});
  };
  EXPECT_EQ(answer("Do you really want to delete this project?", true).level, L::kHigh);
  EXPECT_EQ(answer("Do you really want to delete this project?", false).level, L::kLow);
  EXPECT_EQ(answer("Your session is about to end.", true).level, L::kLow);
  EXPECT_EQ(answer("本当にこのプロジェクトとそのすべてのファイルを削除しますか", true).level,
            L::kHigh);
  EXPECT_EQ(answer(test::Repeated("word ", 100) + "delete", true).level, L::kHigh)
      << "many words hide none";
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

}  // namespace
}  // namespace falconer::policy
