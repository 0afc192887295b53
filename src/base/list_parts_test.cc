#include "base/list_parts.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

using Parts = std::vector<std::string_view>;

TEST(ListPartsTest, TakesListsApart) {
  EXPECT_EQ(ListParts("a, b,\tc "), (Parts{"a", "b", "c"}));
  EXPECT_EQ(ListParts("one part"), Parts{"one part"});
}

TEST(ListPartsTest, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(ListParts(",a,, b,"), (Parts{"a", "b"}));
  EXPECT_EQ(ListParts(" , "), Parts());
  EXPECT_EQ(ListParts(""), Parts());
}

}  // namespace
}  // namespace falconer
