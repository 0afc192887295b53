#include "app/predict/text_editor.h"

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

TEST(TextEditorTest, AnswersWhatTheEditorMadeOfTheText) {
  const auto edited = EditText("name: one\n", "sed -i s/one/two/", "flow.yaml");

  ASSERT_TRUE(edited) << edited.error().message();
  EXPECT_EQ(*edited, "name: two\n");
}

TEST(TextEditorTest, AnEditorThatFailsChangesNothing) {
  const auto edited = EditText("name: one\n", "false", "flow.yaml");

  ASSERT_FALSE(edited);
  EXPECT_EQ(edited.error().code(), ErrorCode::kExecutionError);
  EXPECT_TRUE(edited.error().message().contains("set EDITOR"));
}

TEST(TextEditorTest, NothingInTheNameOfTheFileIsACommand) {
  const auto edited = EditText("x", "true", "$(touch hacked) `id`.yaml");

  ASSERT_TRUE(edited) << edited.error().message();
  EXPECT_EQ(*edited, "x");
}

}  // namespace
}  // namespace falconer::app
