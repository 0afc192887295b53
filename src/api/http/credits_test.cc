#include "api/http/credits.h"

#include <gtest/gtest.h>

#include "tests/support/co_test.h"
#include "tests/support/in_background.h"

namespace falconer::api {
namespace {

using test::InBackground;

CO_TEST(CreditsTest, WithoutALimitNobodyWaits) {
  CreditBook book;
  const auto credits = book.Open(std::nullopt);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(co_await credits->Spend(ctx));
  EXPECT_EQ(book.Grant(credits->stream(), 1).error().code(), ErrorCode::kInvalidArgument);
}

CO_TEST(CreditsTest, WhoHasNoneLeftWaitsForMore) {
  CreditBook book;
  const auto credits = book.Open(1);
  EXPECT_TRUE(co_await credits->Spend(ctx));
  InBackground second(ctx.executor(), credits->Spend(ctx));
  EXPECT_FALSE(second.is_done());

  EXPECT_EQ(book.Grant(credits->stream(), 3), 3U);

  EXPECT_TRUE(co_await second.Join());
  EXPECT_EQ(credits->left(), 2U);
}

CO_TEST(CreditsTest, AStreamThatIsOverTakesNone) {
  CreditBook book;
  std::string name = book.Open(0)->stream();
  EXPECT_EQ(book.Grant(name, 1).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(book.Grant("none", 1).error().code(), ErrorCode::kNotFound);
  co_return;
}

}  // namespace
}  // namespace falconer::api
