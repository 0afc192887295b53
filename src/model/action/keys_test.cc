#include "model/action/keys.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(KeysTest, ParsesChords) {
  struct Case {
    std::string_view text, key;
    ModifierSet modifiers;
  };
  const Case cases[] = {
      {"Enter", "Enter", {}},
      {"a", "a", {}},
      {"ä", "ä", {}},
      {" ", " ", {}},
      {"+", "+", {}},
      {"F12", "F12", {}},
      {"Control+a", "a", {Modifier::kControl}},
      {"Ctrl+Shift+T", "T", {Modifier::kControl, Modifier::kShift}},
      {"Control++", "+", {Modifier::kControl}},
      {"Cmd+Option+ArrowLeft", "ArrowLeft", {Modifier::kMeta, Modifier::kAlt}},
      {"ControlOrMeta+c", "c", {Modifier::kControl}},
      {"Shift", "Shift", {}},
  };
  for (const Case& row : cases) {
    const auto chord = ParseKeyChord(row.text);
    ASSERT_TRUE(chord) << row.text << ": " << chord.error().message();
    EXPECT_EQ(chord->key, row.key) << row.text;
    EXPECT_EQ(chord->modifiers, row.modifiers) << row.text;
  }
}

TEST(KeysTest, RefusesWhatIsNoKey) {
  for (const char* text : {"", "Control+", "Foo+a", "++a", "a b", "\n", "\xff", "1a", "Enter!",
                           "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    EXPECT_FALSE(ParseKeyChord(text)) << text;
  }
}

TEST(KeysTest, ModifiersAreTheProtocolsBits) {
  EXPECT_EQ(ModifierSet({Modifier::kAlt}).bits(), 1U);
  EXPECT_EQ(ModifierSet({Modifier::kControl}).bits(), 2U);
  EXPECT_EQ(ModifierSet({Modifier::kMeta}).bits(), 4U);
  EXPECT_EQ(ModifierSet({Modifier::kShift}).bits(), 8U);
}

TEST(KeysTest, WritesModifiersInTheOrderOfTheTable) {
  EXPECT_EQ(json::serialize(ModifiersJson({Modifier::kShift, Modifier::kAlt})),
            R"(["Alt","Shift"])");
}

}  // namespace
}  // namespace falconer::model
