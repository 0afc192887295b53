#include "browser/context/storage_state.h"

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

StorageState Sample() {
  return {.cookies = {{.name = "sid",
                       .value = "1",
                       .domain = "example.com",
                       .expires = 4102444800.0,
                       .http_only = true,
                       .secure = true,
                       .same_site = "Lax"},
                      {.name = "theme", .value = "dark", .domain = ".example.com"}},
          .origins = {
              {.origin = "https://example.com", .local_storage = {{"a", "1"}, {"b", "\"x\""}}}}};
}

std::string WhyNot(std::string_view text) {
  const auto parsed = ParseStorageState(*ParseJson(text));
  return parsed ? "ok" : parsed.error().message();
}

TEST(StorageStateTest, SurvivesTheTripThroughJson) {
  const auto back = ParseStorageState(ToJson(Sample()));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, Sample());
}

TEST(StorageStateTest, EverythingButNamesHasADefault) {
  const auto state = ParseStorageState(*ParseJson(
      R"({"cookies": [{"name": "a", "value": "", "domain": "x.test"}], "origins": [{"origin": "http://x.test"}]})"));
  ASSERT_TRUE(state) << state.error().message();
  EXPECT_EQ(state->cookies.at(0).path, "/");
  EXPECT_FALSE(state->cookies.at(0).expires);
  EXPECT_TRUE(state->origins.at(0).local_storage.empty());
  EXPECT_EQ(*ParseStorageState(json::object()), StorageState());
}

TEST(StorageStateTest, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(WhyNot(R"({"cookies": [{"name": "a", "value": "b"}]})"),
            "storage_state.cookies[0].domain: is required");
  EXPECT_TRUE(
      WhyNot(R"({"cookies": [{"name": "a", "value": "b", "domain": "x", "same_site": "lax"}]})")
          .starts_with("storage_state.cookies[0].same_site"));
  EXPECT_TRUE(WhyNot(R"({"cookie": []})").contains("cookie"));
  EXPECT_NE(WhyNot("[]"), "ok");
}

TEST(StorageStateTest, RefusesWhatIsNoOrigin) {
  for (const char* origin :
       {"example.com", "https://example.com/", "https://example.com/path", "file:///etc",
        "https://example.com:443", "https://EXAMPLE.com", "javascript:alert(1)", ""}) {
    EXPECT_NE(WhyNot(std::string(R"({"origins": [{"origin": ")") + origin + "\"}]}"), "ok")
        << origin;
  }
  for (const char* origin :
       {"https://example.com", "http://127.0.0.1:8080", "http://[::1]:80801"}) {
    EXPECT_EQ(WhyNot(std::string(R"({"origins": [{"origin": ")") + origin + "\"}]}"), "ok")
        << origin;
  }
}

TEST(StorageStateTest, ParsesAListOfCookies) {
  const auto cookies =
      ParseCookies(*ParseJson(R"([{"name": "a", "value": "b", "domain": "x.test"}])"));
  ASSERT_TRUE(cookies) << cookies.error().message();
  EXPECT_EQ(cookies->at(0).name, "a");
  EXPECT_FALSE(ParseCookies(json::value("x")));
  EXPECT_FALSE(ParseCookies(nullptr));
}

TEST(StorageStateTest, FindsTheOriginOfAnAddress) {
  EXPECT_EQ(OriginOf("https://User:pw@Example.com:8443/a?b#c"), "https://example.com:8443");
  EXPECT_EQ(OriginOf("http://example.com:80/"), "http://example.com");
  EXPECT_EQ(OriginOf("about:blank"), "");
  EXPECT_EQ(OriginOf("data:text/html,x"), "");
  EXPECT_EQ(OriginOf("blob:https://example.com/1"), "");
}

}  // namespace
}  // namespace falconer::browser
