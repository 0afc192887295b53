#include "predict/signature.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/json/json.h"

namespace falconer::predict {
namespace {

using model::ActionSpec;
using model::ActionType;
using model::Fingerprint;
using model::TextInput;

Fingerprint Named(std::string role, std::string name) {
  return {.role = std::move(role), .name = std::move(name)};
}

ActionSpec Doing(ActionType type, std::string text = "") {
  ActionSpec spec{.type = type};
  if (!text.empty()) spec.text = TextInput{.value = std::move(text)};
  return spec;
}

model::Target Target(std::string selector) {
  model::Target target;
  target.selector = model::MakeNamedSelector(std::move(selector)).value();
  return target;
}

TEST(SignatureTest, NamesTheElementByRoleAndName) {
  const Fingerprint button = Named("button", " Add  to\ncart ");
  EXPECT_EQ(SignatureOf({.spec = Doing(ActionType::kClick), .element = &button}),
            R"({"selector":"button \"Add to cart\"","type":"click"})");
}

TEST(SignatureTest, PrefersWhatAuthorsNameForTests) {
  Fingerprint button = Named("button", "Add to cart");
  button.attributes["data-testid"] = "add-17";
  EXPECT_EQ(ElementSignature(button), R"(testid "add-#")");
}

TEST(SignatureTest, TakesTheNextBestNameWhereThereIsNone) {
  Fingerprint field{.role = "textbox", .label = "Street", .landmark = "form \"Order\""};
  field.attributes = {{"placeholder", "Where to"}, {"name", "street"}};
  EXPECT_EQ(ElementSignature(field), R"(textbox label "Street")");
  field.label.clear();
  EXPECT_EQ(ElementSignature(field), R"(textbox placeholder "Where to")");
  field.attributes.erase("placeholder");
  EXPECT_EQ(ElementSignature(field), R"(textbox name "street")");
  field.attributes.clear();
  EXPECT_EQ(ElementSignature(field), R"(form "Order" textbox)");
}

TEST(SignatureTest, CountsInNamesDoNotMatter) {
  EXPECT_EQ(ElementSignature(Named("link", "Cart 1")), ElementSignature(Named("link", "Cart 27")));
}

TEST(SignatureTest, WithoutAnElementItIsTheSelectorInItsCanonicalForm) {
  ActionSpec spec = Doing(ActionType::kClick);
  spec.target = Target("#save");
  ActionSpec same = Doing(ActionType::kClick);
  same.target = Target("css=#save");
  EXPECT_EQ(SignatureOf({.spec = spec}), R"({"selector":"css=#save","type":"click"})");
  EXPECT_EQ(SignatureOf({.spec = spec}), SignatureOf({.spec = same}));
}

TEST(SignatureTest, TypingIsTheSameWhateverWasTyped) {
  const Fingerprint field = Named("textbox", "Full name");
  const std::string ada = SignatureOf({.spec = Doing(ActionType::kFill, "Ada"), .element = &field});
  EXPECT_EQ(ada, R"({"selector":"textbox \"Full name\"","text":"*","type":"type"})");
  EXPECT_EQ(ada, SignatureOf({.spec = Doing(ActionType::kType, "Bob"), .element = &field}));
}

TEST(SignatureTest, ASecretIsOnlyThat) {
  ActionSpec spec = Doing(ActionType::kFill);
  spec.text = TextInput{.value = "shop-login", .source = TextInput::Source::kSecret};
  const Fingerprint field = Named("textbox", "Password");
  EXPECT_EQ(SignatureOf({.spec = spec, .element = &field}),
            R"({"selector":"textbox \"Password\"","text":"secret","type":"type"})");
}

TEST(SignatureTest, TheOptionIsNoPartOfChoosingOne) {
  ActionSpec one = Doing(ActionType::kSelect);
  one.select_values = {{.value = "invoice"}};
  ActionSpec other = one;
  other.select_values = {{.label = "By card"}};
  const Fingerprint list = Named("combobox", "How to settle");
  EXPECT_EQ(SignatureOf({.spec = one, .element = &list}),
            SignatureOf({.spec = other, .element = &list}));
}

TEST(SignatureTest, KeysThatWriteAreLeftOut) {
  ActionSpec spec = Doing(ActionType::kPress);
  spec.key = "Q";
  spec.modifiers = {model::Modifier::kShift};
  EXPECT_EQ(SignatureOf({.spec = spec}), R"({"key":"*","type":"press"})");
  spec.modifiers = {model::Modifier::kControl};
  EXPECT_EQ(SignatureOf({.spec = spec}), R"({"key":"Control+Q","type":"press"})");
  spec.key = "Enter";
  spec.modifiers = {};
  EXPECT_EQ(SignatureOf({.spec = spec}), R"({"key":"Enter","type":"press"})");
}

TEST(SignatureTest, LeavesOutWhatAPageRepeatsOfWhatWasTyped) {
  const std::vector<std::string> typed = {"Ada Lovelace", "no"};
  const Fingerprint link = Named("link", "Orders of ada lovelace, none");
  EXPECT_EQ(SignatureOf({.spec = Doing(ActionType::kClick), .element = &link, .typed = typed}),
            R"({"selector":"link \"Orders of *, none\"","type":"click"})");
}

TEST(SignatureTest, ASymbolIsTheBeginOfTheDigestAndNeverZero) {
  EXPECT_EQ(SymbolOf("abc"), 0xba7816bf8f01cfeaU);
  for (int i = 0; i < 10'000; ++i) EXPECT_NE(SymbolOf(std::to_string(i)), 0U);
}

TEST(PagePatternTest, KeepsThePathAndTheNamesOfParameters) {
  EXPECT_EQ(PagePattern("https://ada:pw@Shop.example:443/product/17?sort=asc&a=b#top"),
            "https://shop.example/product/*?a&sort");
  EXPECT_EQ(PagePattern("http://127.0.0.1:8080"), "http://127.0.0.1:8080/");
}

TEST(PagePatternTest, PartsThatLookLikeIdsAreStars) {
  const std::map<std::string, std::string> parts = {
      {"17", "*"},
      {"v2", "v2"},
      {"web3", "web3"},
      {"night-shift", "night-shift"},
      {"550e8400-e29b-41d4-a716-446655440000", "*"},
      {"dGhpc0lzQVRva2Vu", "*"},
      {"user%20name", "*"},
      {"ada@example.com", "*"},
      {"order-2024-17", "*"},
  };
  for (const auto& [part, pattern] : parts)
    EXPECT_EQ(PagePattern("https://a.example/x/" + part), "https://a.example/x/" + pattern);
}

TEST(PagePatternTest, LeavesOutWhatWasTyped) {
  const std::vector<std::string> typed = {"House blend"};
  EXPECT_EQ(PagePattern("https://a.example/find/house-blend/?House%20blend=1", typed),
            "https://a.example/find/*/?*");
  EXPECT_EQ(PagePattern("https://a.example/?what+I+typed"), "https://a.example/?*");
}

TEST(PagePatternTest, WhatIsNoWebAddressHasNone) {
  for (const char* url :
       {"", "about:blank", "file:///etc/passwd", "javascript:alert(1)", "https://"})
    EXPECT_EQ(PagePattern(url), "") << url;
}

// A family of actions in which no two are the same.
struct FamilyMember {
  ActionSpec spec;
  Fingerprint element;
};

std::vector<FamilyMember> Family() {
  std::vector<FamilyMember> all;
  const char* const words[] = {"Save", "Save all", "save", "Sa\"ve", "Sa\\ve", "保存", "Straße"};
  for (const char* role : {"button", "link", "checkbox"}) {
    for (const char* name : words) {
      for (const ActionType type : {ActionType::kClick, ActionType::kHover, ActionType::kPress}) {
        for (const char* frame : {"", "https://pay.example/form", "https://pay.example/card"}) {
          FamilyMember one{.spec = Doing(type), .element = Named(role, name)};
          one.element.frame = frame;
          if (type == ActionType::kPress) one.spec.key = "Enter";
          all.push_back(one);
        }
      }
    }
  }
  for (const char* url : {"https://a.example/", "https://b.example/", "https://a.example/x"}) {
    FamilyMember one{.spec = Doing(ActionType::kNavigate), .element = {}};
    one.spec.url = url;
    all.push_back(one);
  }
  return all;
}

TEST(SignaturePropertyTest, DifferentActionsHaveDifferentSignatures) {
  std::set<std::string> seen;
  std::set<std::uint64_t> symbols;
  for (const FamilyMember& one : Family()) {
    const std::string signature = SignatureOf({.spec = one.spec, .element = &one.element});
    EXPECT_TRUE(seen.insert(signature).second) << signature;
    symbols.insert(SymbolOf(signature));
  }
  EXPECT_EQ(symbols.size(), seen.size());
}

TEST(SignaturePropertyTest, KeysAreSorted) {
  for (const FamilyMember& one : Family()) {
    ActionSpec spec = one.spec;
    spec.text = TextInput{.value = "x"};
    spec.url = "https://a.example/";
    const auto signature = ParseJsonObject(SignatureOf({.spec = spec, .element = &one.element}));
    ASSERT_TRUE(signature);
    std::string before;
    for (const auto& member : *signature) {
      EXPECT_LT(before, member.key());
      before = member.key();
    }
  }
}

TEST(SignaturePropertyTest, NothingThatWasTypedIsEverInside) {
  const std::string planted = "hunter2 is my Passphrase";
  for (FamilyMember one : Family()) {
    one.spec.text = TextInput{.value = planted};
    one.spec.select_values = {{.value = planted}, {.label = planted}};
    one.spec.files = {{.path = planted}};
    one.spec.js_argument = json::value(planted);
    one.spec.url =
        "https://u:hunter2@a.example/find/hunter2%20is?q=hunter2+is+my+Passphrase#hunter2";
    one.element.name += " for " + planted;
    const std::vector<std::string> typed = {planted};
    const std::string with =
        SignatureOf({.spec = one.spec, .element = &one.element, .typed = typed});
    EXPECT_FALSE(with.contains("hunter2")) << with;
    EXPECT_FALSE(with.contains("Passphrase")) << with;
  }
}

}  // namespace
}  // namespace falconer::predict
