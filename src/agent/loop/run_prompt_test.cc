#include "agent/loop/run_prompt.h"

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

const ToolDescriptor kCrawlTool{.name = "crawl_url",
                                .input_schema = {{"type", "object"},
                                                 {"properties",
                                                  {{"url", {{"type", "string"}}},
                                                   {"session", {{"type", "string"}}},
                                                   {"allow_ghost", {{"type", "boolean"}}}}}}};

TEST(RunPromptTest, WhatTheRunSaysIsNotOfferedToTheModel) {
  const ToolOffer offer = OfferOf(kCrawlTool);

  const json::object& properties = offer.parameters.at("properties").as_object();
  EXPECT_EQ(properties.size(), 1U);
  EXPECT_TRUE(properties.contains("url"));
}

TEST(RunPromptTest, AModelCannotAllowItselfPictures) {
  const json::object wanted{{"url", "x"}, {"allow_ghost", true}, {"session", "another"}};

  const json::object made = AsTheRunSays(kCrawlTool, wanted, {.session = "own"});
  const json::object allowed =
      AsTheRunSays(kCrawlTool, {{"url", "x"}}, {.allow_ghost = true, .session = "own"});

  EXPECT_EQ(made, (json::object{{"url", "x"}, {"allow_ghost", false}, {"session", "own"}}));
  EXPECT_EQ(allowed.at("allow_ghost"), true);
}

}  // namespace
}  // namespace falconer::agent
