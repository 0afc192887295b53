#include "predict/act/intent_words.h"

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

using Type = model::ActionType;

struct IntentRow {
  std::string_view instruction;
  Type action;
  std::string_view target;
  std::string_view text = "";
};

TEST(IntentWordsTest, ReadsWhatIsToBeDone) {
  const IntentRow rows[] = {
      {"click the cart", Type::kClick, "the cart"},
      {"Click on \"Add to cart\"", Type::kClick, "Add to cart"},
      {"press the Search button", Type::kClick, "the Search button"},
      {"add the first coffee to the cart", Type::kClick, "add the first coffee to the cart"},
      {"open the cart", Type::kClick, "the cart"},
      {"type \"jasmine tea\" into the search field", Type::kFill, "the search field",
       "jasmine tea"},
      {"Type jasmine into the search field.", Type::kFill, "the search field", "jasmine"},
      {"enter 'a \"b\" c' in the note", Type::kFill, "the note", "a \"b\" c"},
      {"select \"By bike\" from how to send it", Type::kSelect, "how to send it", "By bike"},
      {"tick the newsletter", Type::kCheck, "the newsletter"},
      {"uncheck the newsletter", Type::kUncheck, "the newsletter"},
      {"double click the row", Type::kDoubleClick, "the row"},
      {"clear the search field", Type::kClear, "the search field"},
      {"hover over the menu", Type::kHover, "the menu"},
  };
  for (const IntentRow& row : rows) {
    const auto words = ParseIntent(row.instruction);

    ASSERT_TRUE(words) << row.instruction << ": " << words.error().message();
    EXPECT_EQ(words->action, row.action) << row.instruction;
    EXPECT_EQ(words->target, row.target) << row.instruction;
    EXPECT_EQ(words->text.value_or(""), row.text) << row.instruction;
  }
}

TEST(IntentWordsTest, AnAddressIsGoneTo) {
  const auto words = ParseIntent("go to https://shop.example/cart");

  EXPECT_EQ(words->action, Type::kNavigate);
  EXPECT_EQ(words->url, "https://shop.example/cart");
}

TEST(IntentWordsTest, AKeyIsPressed) {
  const auto words = ParseIntent("press enter");

  EXPECT_EQ(words->action, Type::kPress);
  EXPECT_EQ(words->key, "Enter");
}

TEST(IntentWordsTest, WhatIsTypedIsNoPartOfWhatItIsKnownBy) {
  const auto one = ParseIntent("type \"hunter2\" into the note");
  const auto other = ParseIntent("type \"something else\" into the note");

  EXPECT_EQ(one->known_as, other->known_as);
  EXPECT_FALSE(one->known_as.contains("hunter2")) << one->known_as;
}

TEST(IntentWordsTest, RefusesWhatSaysNothing) {
  for (const std::string_view bad : {"", "   ", "...", "click", "type \"x\"", "type x", "select"})
    EXPECT_EQ(ParseIntent(bad).error().code(), ErrorCode::kInvalidArgument) << bad;
  EXPECT_FALSE(ParseIntent(std::string(2000, 'a')));
  EXPECT_FALSE(ParseIntent("click \x01"));
}

TEST(IntentWordsTest, AFieldIsNeverPressedAndAButtonNeverFilled) {
  const auto typed = ParseIntent("type \"x\" into the note");
  const auto pressed = ParseIntent("click the note");

  EXPECT_EQ(std::ranges::find(typed->roles, "button"), typed->roles.end());
  EXPECT_EQ(std::ranges::find(pressed->roles, "textbox"), pressed->roles.end());
}

}  // namespace
}  // namespace falconer::predict
