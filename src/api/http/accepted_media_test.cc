#include "api/http/accepted_media.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

bool WantsJson(std::string accept) {
  return PrefersMedia({.headers = {{"Accept", std::move(accept)}}}, "application/json",
                      "text/html");
}

TEST(AcceptedMediaTest, ATypeThatIsAskedForByNameIsPreferred) {
  EXPECT_TRUE(WantsJson("application/json"));
  EXPECT_TRUE(WantsJson("Application/JSON; charset=utf-8"));
  EXPECT_TRUE(WantsJson("text/html;q=0.4, application/json;q=0.5"));
}

TEST(AcceptedMediaTest, OfEqualsTheFirstIsPreferred) {
  EXPECT_TRUE(WantsJson("application/json, text/html"));
  EXPECT_FALSE(WantsJson("text/html, application/json"));
}

TEST(AcceptedMediaTest, WhoTakesAnythingOrSaysNothingPrefersNothing) {
  EXPECT_FALSE(WantsJson("*/*"));
  EXPECT_FALSE(WantsJson("text/html,application/xhtml+xml,*/*;q=0.8"));
  EXPECT_FALSE(PrefersMedia({}, "application/json", "text/html"));
}

TEST(AcceptedMediaTest, WhatIsRefusedIsNotPreferred) {
  EXPECT_FALSE(WantsJson("application/json;q=0"));
  EXPECT_FALSE(WantsJson("application/json;q=0.0, */*"));
}

}  // namespace
}  // namespace falconer::api
