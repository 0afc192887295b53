#include "policy/rules/message_template.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

TEST(MessageTemplateTest, FindsWhatIsNoFact) {
  EXPECT_EQ(UnknownPlaceholder("a ${amount} b"), std::nullopt);
  EXPECT_EQ(UnknownPlaceholder("no $ {here}"), std::nullopt);
  EXPECT_EQ(UnknownPlaceholder("${amount} ${x}"), "${x}");
  EXPECT_EQ(UnknownPlaceholder("${amount"), "${amount");
}

}  // namespace
}  // namespace falconer::policy
