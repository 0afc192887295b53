#include "api/http/router.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

Router Sample() {
  return Router({{.method = "GET", .pattern = "/v1/sessions"},
                 {.method = "GET", .pattern = "/v1/sessions/{session}/state"},
                 {.method = "DELETE", .pattern = "/v1/sessions/{session}"},
                 {.method = "GET", .pattern = "/stream/{session}/status"},
                 {.method = "GET", .pattern = "/stream/pool/status"},
                 {.method = "GET", .pattern = "/health"}});
}

std::string PatternAt(std::string_view method, std::string_view target) {
  const Router router = Sample();
  const auto found = router.Find(method, target);
  return found ? std::string(found->route->pattern) : "";
}

TEST(RouterTest, FindsARouteByItsPath) {
  EXPECT_EQ(PatternAt("GET", "/health"), "/health");
  EXPECT_EQ(PatternAt("GET", "/health?x=/y"), "/health");
  EXPECT_EQ(PatternAt("GET", "/v1/sessions"), "/v1/sessions");
  EXPECT_EQ(PatternAt("GET", "/v1/sessions/a/state"), "/v1/sessions/{session}/state");
  EXPECT_EQ(PatternAt("GET", "/%68ealth"), "/health");
}

TEST(RouterTest, ANamedPathIsNotHiddenByAPatternInFrontOfIt) {
  EXPECT_EQ(PatternAt("GET", "/stream/pool/status"), "/stream/pool/status");
  EXPECT_EQ(PatternAt("GET", "/stream/shop/status"), "/stream/{session}/status");
}

TEST(RouterTest, ARouteIsThereOnlyForWhatItAppliesTo) {
  const Router router(
      {{.method = "POST",
        .pattern = "/{name}",
        .applies = [](const PathValues& path) { return path.at("name") == "find"; }},
       {.method = "GET", .pattern = "/health"},
       {.method = "POST", .pattern = "/raw"}});

  EXPECT_EQ(router.Find("POST", "/find")->route->pattern, "/{name}");
  EXPECT_EQ(router.Find("POST", "/raw")->route->pattern, "/raw");
  EXPECT_TRUE(router.Find("POST", "/other").error().methods.empty());
  EXPECT_TRUE(router.Find("GET", "/other").error().methods.empty());
  EXPECT_EQ(router.Find("POST", "/health").error().methods, std::vector<std::string_view>{"GET"});
}

TEST(RouterTest, WhatIsNotThereIsNotFound) {
  for (const std::string_view target :
       {"/", "", "/v1", "/v1/sessions/", "/health/", "//health", "/v1//state",
        "/v1/sessions//state", "/v1/sessions/a/state/b", "/V1/sessions",
        "/v1/sessions/../sessions"}) {
    EXPECT_EQ(PatternAt("GET", target), "") << target;
  }
}

TEST(RouterTest, ValuesAreDecodedAndNeverDivided) {
  const Router router = Sample();
  const auto found = router.Find("GET", "/v1/sessions/a%2Fb%20%c3%a4/state");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path.at("session"), "a/b \u00e4");
}

TEST(RouterTest, TellsWhichMethodsAPathTakes) {
  const Router router = Sample();
  const auto found = router.Find("POST", "/v1/sessions/a");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().methods, std::vector<std::string_view>{"DELETE"});
  EXPECT_TRUE(router.Find("POST", "/nowhere").error().methods.empty());
}

}  // namespace
}  // namespace falconer::api
