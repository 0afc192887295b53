#include "browser/frames/typed_secrets.h"

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

using Values = std::vector<std::string_view>;

TEST(TypedSecretsTest, KnowsWhichPagesMayHoldThem) {
  TypedSecrets secrets;
  secrets.Add("login.shop.example", "hunter2-hunter2");
  secrets.Add("127.0.0.1", "loopback-secret");

  EXPECT_EQ(secrets.For("login.shop.example"), Values{"hunter2-hunter2"});
  EXPECT_EQ(secrets.For("www.shop.example"), Values{"hunter2-hunter2"});
  EXPECT_EQ(secrets.For("shop.example"), Values{"hunter2-hunter2"});
  EXPECT_EQ(secrets.For("other.example"), Values{});
  EXPECT_EQ(secrets.For("shop.example", 1), Values{});
  EXPECT_EQ(secrets.For("127.0.0.1"), Values{"loopback-secret"});
  EXPECT_EQ(secrets.For("127.0.0.2"), Values{});
}

TEST(TypedSecretsTest, CountsEachOnce) {
  TypedSecrets secrets;
  secrets.Add("shop.example", "hunter2-hunter2");
  secrets.Add("shop.example", "hunter2-hunter2");

  EXPECT_EQ(secrets.count(), 1u);
}

TEST(TypedSecretsTest, TakesThemOutOfWhatIsRead) {
  TypedSecrets secrets;
  secrets.Add("shop.example", "p&ss word");
  const json::value read = {{"url", "https://shop.example/?q=p%26ss%20word&x=1"},
                            {"texts", {"it is p&ss word.", 7, nullptr}}};

  EXPECT_EQ(json::serialize(secrets.Without(read)),
            "{\"url\":\"https://shop.example/?q=\u2022\u2022\u2022&x=1\","
            "\"texts\":[\"it is \u2022\u2022\u2022.\",7,null]}");
}

TEST(TypedSecretsTest, LeavesShortOnesWhereTheyAre) {
  TypedSecrets secrets;
  secrets.Add("shop.example", "42");

  EXPECT_EQ(secrets.Without("room 42"), json::value("room 42"));
}

}  // namespace
}  // namespace falconer::browser
