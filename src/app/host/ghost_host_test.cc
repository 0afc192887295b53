// What settings of ghost mode come to, and which of them stop the start.
#include "app/host/ghost_host.h"

#include <gtest/gtest.h>

#include "base/async/clock.h"

namespace falconer::app {
namespace {

class GhostHostTest : public testing::Test {
 protected:
  Result<std::unique_ptr<GhostHost>> Open() { return GhostHost::Open(settings_, clock_, secrets_); }
  std::string Refused() {
    const auto host = Open();
    if (host) return "";
    EXPECT_EQ(host.error().code(), ErrorCode::kInvalidSetting);
    return std::string(host.error().message());
  }
  void Provide(std::string_view name, std::string_view vision) {
    settings_.agent.providers.push_back(
        *ParseJson(R"({"name":")" + std::string(name) +
                   R"(","kind":"ollama","url":"http://127.0.0.1:1","model":"m","vision":)" +
                   std::string(vision) + "}"));
  }

  Settings settings_ = DefaultSettings();
  SystemClock clock_;
  policy::Redactor redactor_;
  engine::SecretDesk secrets_{clock_, redactor_, {}};
};

TEST_F(GhostHostTest, IsOffAndReadsByItselfUnlessToldOtherwise) {
  const auto host = Open();

  ASSERT_TRUE(host) << Describe(host.error());
  const agent::GhostSettings& settings = (*host)->setup().settings;
  EXPECT_FALSE(settings.enabled);
  EXPECT_TRUE(settings.auto_trigger);
  EXPECT_EQ(settings.max_image_width, 1280);
  EXPECT_EQ(settings.max_retries, 1);
  EXPECT_EQ(settings.ocr.program, "tesseract");
  EXPECT_EQ((*host)->setup().vision, nullptr);
  EXPECT_EQ((*host)->gate(), nullptr);
}

TEST_F(GhostHostTest, WhoeverSeesLooksUnlessOneIsNamed) {
  settings_.agent.ghost.enabled = true;
  Provide("blind", "false");
  EXPECT_EQ((*Open())->setup().vision, nullptr);
  Provide("eyes", "true");
  const auto inherited = Open();
  settings_.agent.ghost.vision_provider = "eyes";
  const auto named = Open();

  ASSERT_TRUE(inherited && named);
  EXPECT_NE((*inherited)->setup().vision, nullptr);
  EXPECT_NE((*named)->setup().vision, nullptr);
  EXPECT_NE((*named)->gate(), nullptr);
}

TEST_F(GhostHostTest, SettingsThatCannotBeMeantStopTheStart) {
  Provide("blind", "false");
  for (const char* name : {"blind", "nobody"}) {
    settings_.agent.ghost.vision_provider = name;
    EXPECT_TRUE(Refused().contains("agent.ghost.vision_provider")) << name;
  }
  settings_.agent.ghost.vision_provider = "";
  for (const char* languages : {"", "eng deu", "../eng", "-c"}) {
    settings_.agent.ghost.ocr_languages = languages;
    EXPECT_TRUE(Refused().contains("agent.ghost.ocr_languages")) << languages;
  }
  settings_.agent.ghost.ocr_languages = "eng+deu";
  settings_.agent.ghost.ocr_program = "";
  EXPECT_TRUE(Refused().contains("agent.ghost.ocr_program"));
}

}  // namespace
}  // namespace falconer::app
