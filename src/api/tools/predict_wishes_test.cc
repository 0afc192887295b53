#include "api/tools/predict_wishes.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

Result<predict::RunWish> RunWishIn(const json::object& said, const std::string& workflow = "buy") {
  return ReadJson(said, "body", [&](JsonReader& in) { return ReadRunWish(in, workflow); });
}

TEST(PredictWishesTest, WhoNamesNoSessionGetsTheWorkflowsOwn) {
  const auto wish = RunWishIn({});

  ASSERT_TRUE(wish) << wish.error().message();
  EXPECT_EQ(wish->session, "buy");
  EXPECT_FALSE(wish->dry_run);
  EXPECT_TRUE(wish->may_ask_model);
  EXPECT_FALSE(wish->profile || wish->max_iterations);
}

TEST(PredictWishesTest, WithoutAWorkflowASessionMustBeNamed) {
  const auto wish = RunWishIn({}, "");

  ASSERT_FALSE(wish);
  EXPECT_TRUE(wish.error().message().contains("body.session: is required"));
}

TEST(PredictWishesTest, NumbersAndFlagsAreTakenAsTheirTexts) {
  const auto wish = RunWishIn({{"parameters", {{"count", 3}, {"gift", true}, {"name", "Ada"}}}});

  ASSERT_TRUE(wish) << wish.error().message();
  EXPECT_EQ(wish->values,
            (predict::ParameterValues{{"count", "3"}, {"gift", "true"}, {"name", "Ada"}}));
}

TEST(PredictWishesTest, AWrongValueIsNamedAndNotTold) {
  for (const json::value& wrong :
       {json::value(json::array{"hidden"}), json::value(std::string(10'001, 'h'))}) {
    const auto wish = RunWishIn({{"parameters", {{"who", wrong}}}});
    ASSERT_FALSE(wish);
    EXPECT_TRUE(wish.error().message().contains("body.parameters: who must be a text"))
        << wish.error().message();
    EXPECT_FALSE(wish.error().message().contains("hh"));
    EXPECT_FALSE(wish.error().message().contains("hidden"));
  }
  json::object many;
  for (std::size_t at = 0; at <= predict::kMaxWorkflowParameters; ++at)
    many["p" + std::to_string(at)] = "x";
  EXPECT_FALSE(RunWishIn({{"parameters", many}}));
}

TEST(PredictWishesTest, WhatIsShownOfAWishHasNoValues) {
  const auto wish =
      RunWishIn({{"parameters", {{"who", "Quite Private"}}}, {"profile", "conservative"}});
  ASSERT_TRUE(wish) << wish.error().message();

  EXPECT_EQ(ShownRunWish(*wish), (json::object{{"workflow", "buy"},
                                               {"session", "buy"},
                                               {"parameters", {"who"}},
                                               {"dry_run", false},
                                               {"profile", "conservative"}}));
}

TEST(PredictWishesTest, WhereNothingIsLearntThatIsSaid) {
  const auto desk = PredictDeskOf(ToolRooms());

  ASSERT_FALSE(desk);
  EXPECT_EQ(desk.error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace falconer::api
