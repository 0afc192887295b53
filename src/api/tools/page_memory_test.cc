#include "api/tools/page_memory.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

model::StructuredState Page(std::string value) {
  model::StructuredState state{.tab_id = "t1", .url = "https://a.example/"};
  state.elements = {{.ref = "d1e1", .role = "textbox", .name = "Name", .value_hint = value},
                    {.ref = "d1e2", .role = "button", .name = "Save"}};
  state.tabs = {{.tab_id = "t1", .active = true}};
  EXPECT_TRUE(model::Seal(state));
  return state;
}

TEST(PageMemoryTest, TellsThePageOnceAndThenWhatChanged) {
  PageMemory memory;

  EXPECT_TRUE(memory.News("main", Page("")).is_full());
  EXPECT_TRUE(memory.News("main", Page("")).is_empty());
  const auto news = memory.News("main", Page("Ada"));

  EXPECT_FALSE(news.is_full());
  ASSERT_EQ(news.elements.updated.size(), 1u);
  EXPECT_EQ(news.elements.updated[0].key, "d1e1");
}

TEST(PageMemoryTest, APageReachedFromAnotherIsToldAsAWhole) {
  PageMemory memory;
  model::StructuredState letter{.tab_id = "t1", .url = "https://a.example/letter"};
  letter.texts = {{.text = "Nothing to act on."}};
  letter.tabs = {{.tab_id = "t1", .active = true}};
  ASSERT_TRUE(model::Seal(letter));
  memory.Shown("main", letter);

  EXPECT_TRUE(memory.News("main", Page("")).is_full());
  EXPECT_TRUE(memory.News("main", letter).is_full());
}

TEST(PageMemoryTest, SessionsDoNotKnowOfEachOther) {
  PageMemory memory;
  memory.Shown("main", Page(""));

  EXPECT_TRUE(memory.News("other", Page("")).is_full());
  memory.Forget("main");
  EXPECT_TRUE(memory.News("main", Page("")).is_full());
}

TEST(PageMemoryTest, ADialogIsToldAloneAndThePageStaysKnown) {
  PageMemory memory;
  memory.Shown("main", Page(""));
  model::StructuredState behind{.tab_id = "t1"};
  behind.dialogs = {{.type = "confirm", .message = "Sure?"}};

  const auto asked = memory.News("main", behind);
  const auto after = memory.News("main", Page("Ada"));

  ASSERT_EQ(asked.dialogs.added.size(), 1u);
  EXPECT_EQ(asked.dialogs.added[0].item.message, "Sure?");
  EXPECT_FALSE(asked.is_full());
  EXPECT_EQ(after.elements.updated.size(), 1u);
  EXPECT_TRUE(after.elements.added.empty());
}

TEST(PageMemoryTest, TabsThatAreGoneAreForgotten) {
  PageMemory memory;
  memory.Shown("main", Page(""));
  model::StructuredState other = Page("");
  other.tab_id = "t2";
  other.tabs = {{.tab_id = "t2", .active = true}};

  EXPECT_TRUE(memory.News("main", other).is_full());
  EXPECT_TRUE(memory.News("main", Page("")).is_full());
}

}  // namespace
}  // namespace falconer::api
