#include "app/host/learning_node.h"

#include <fstream>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::app {
namespace {

TEST(LearningNodeTest, GivesProgramsOfTheSameTimeDifferentNames) {
  const auto folder = TempDir::Create("falconer-node-");
  ASSERT_TRUE(folder);
  const auto first = LearningNode::Take(folder->path());
  const auto second = LearningNode::Take(folder->path());

  ASSERT_TRUE(first && second);
  EXPECT_NE(first->name(), second->name());
}

TEST(LearningNodeTest, UsesANameAgainOnceItsProgramIsGone) {
  const auto folder = TempDir::Create("falconer-node-");
  ASSERT_TRUE(folder);
  std::string name;
  {
    const auto first = LearningNode::Take(folder->path());
    ASSERT_TRUE(first);
    name = first->name();
  }
  const auto again = LearningNode::Take(folder->path());

  ASSERT_TRUE(again);
  EXPECT_EQ(again->name(), name);
}

TEST(LearningNodeTest, MendsAFileWhoseNameIsCutOff) {
  const auto folder = TempDir::Create("falconer-node-");
  ASSERT_TRUE(folder);
  std::filesystem::create_directory(folder->path() / "predict");
  std::ofstream(folder->path() / "predict/node.0") << "nod";

  const auto node = LearningNode::Take(folder->path());

  ASSERT_TRUE(node);
  EXPECT_EQ(node->name().size(), 21U) << node->name();
}

TEST(LearningNodeTest, SaysWhyTheFolderCannotBeUsed) {
  const auto folder = TempDir::Create("falconer-node-");
  ASSERT_TRUE(folder);
  std::ofstream(folder->path() / "predict") << "a file";

  const auto node = LearningNode::Take(folder->path());

  ASSERT_FALSE(node);
  EXPECT_EQ(node.error().code(), ErrorCode::kIoError);
}

}  // namespace
}  // namespace falconer::app
