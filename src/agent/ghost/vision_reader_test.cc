// What a model that sees is asked, and what of its answers is taken.
#include "agent/ghost/vision_reader.h"

#include <gtest/gtest.h>

#include "tests/support/co_test.h"
#include "tests/support/scripted_provider.h"

namespace falconer::agent {
namespace {

using test::ScriptedProvider;

ChatImage SomePicture() {
  return {.media_type = "image/jpeg", .bytes = "bytes"};
}

TEST(VisionAnswerTest, TheFirstLineSaysWhatThePictureShows) {
  for (const auto& [type, name] : kPageTypes) {
    const auto read = ParseVisionAnswer("PAGE_TYPE: " + std::string(name) + "\r\n\nOne\nTwo\n");
    ASSERT_TRUE(read) << name;
    EXPECT_EQ(read->type, type);
    EXPECT_EQ(read->text, "One\nTwo");
  }
}

TEST(VisionAnswerTest, AnAnswerWithoutATypeIsInvalid) {
  for (const std::string_view answer :
       {"", "One\nPAGE_TYPE: CONTENT", "PAGE_TYPE: MAYBE\nx", "PAGE_TYPE CONTENT", "CONTENT\nx"}) {
    const auto read = ParseVisionAnswer(answer);
    ASSERT_FALSE(read) << answer;
    EXPECT_EQ(read.error().code(), ErrorCode::kProviderAnswerInvalid) << answer;
  }
}

TEST(VisionQuestionTest, TemplatesHaveNamesAndOtherWishesAreTakenAsTheyAre) {
  const auto asked = [](std::string_view wish) {
    const ChatRequest request = VisionQuestionFor(SomePicture(), wish);
    return std::get<UserMessage>(request.messages.at(0)).text;
  };

  EXPECT_EQ(asked(""), asked("text"));
  EXPECT_TRUE(asked("prices").contains("price"));
  EXPECT_TRUE(asked("layout").contains("laid out"));
  EXPECT_TRUE(asked("Who wrote it?").ends_with("Who wrote it?"));
}

CO_TEST(VisionReaderTest, ShowsThePictureAndTakesTheText) {
  ScriptedProvider model("eyes");
  model.ThenSay("PAGE_TYPE: CONTENT\nA page");

  const auto read = co_await VisionReader(model).Read(ctx, SomePicture(), "");

  EXPECT_TRUE(read && read->text == "A page" && read->provider == "eyes");
  EXPECT_EQ(model.asked().size(), 1U);
  EXPECT_TRUE(HasImages(model.asked().at(0)));
}

CO_TEST(VisionReaderTest, WhatIsNoReadingFails) {
  ScriptedProvider model("eyes");
  model.ThenSay("I see a page");
  model.ThenCall({{.id = "1", .name = "click", .arguments = {}}});
  model.Then(Fail(ErrorCode::kProviderOverloaded, "later"));
  const VisionReader reader(model);

  for (const ErrorCode code : {ErrorCode::kProviderAnswerInvalid, ErrorCode::kProviderAnswerInvalid,
                               ErrorCode::kProviderOverloaded}) {
    const auto read = co_await reader.Read(ctx, SomePicture(), "");
    EXPECT_TRUE(!read && read.error().code() == code);
  }
}

CO_TEST(VisionReaderTest, AModelThatDoesNotSeeIsNotAsked) {
  ScriptedProvider model("blind");
  model.Lacks(Error(ErrorCode::kUnsupported, "pictures"));

  const auto read = co_await VisionReader(model).Read(ctx, SomePicture(), "");

  EXPECT_TRUE(!read && read.error().code() == ErrorCode::kUnsupported);
  EXPECT_TRUE(model.asked().empty());
}

}  // namespace
}  // namespace falconer::agent
