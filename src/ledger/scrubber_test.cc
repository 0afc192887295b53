#include "ledger/scrubber.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::ledger {
namespace {

json::object Scrubbed(std::string_view text) {
  json::object payload = ParseJsonObject(text).value();
  KeyNameScrubber().Scrub(payload);
  return payload;
}

TEST(ScrubberTest, ReplacesWhatStandsUnderSecretKeysAtAnyDepth) {
  const json::object out = Scrubbed(
      R"({"a":[{"Password":"hunter2","user":"me"}],"headers":{"Set-Cookie":["s=1"],"X-Api-Key":"k"},
          "new_password":{"text":"hunter3"}})");
  const std::string text = json::serialize(out);

  for (const char* secret : {"hunter2", "s=1", "\"k\"", "hunter3"}) {
    EXPECT_FALSE(text.contains(secret)) << text;
  }
  EXPECT_TRUE(text.contains("me"));
}

TEST(ScrubberTest, LeavesReferencesNumbersAndOtherNamesAlone) {
  const std::string_view text =
      R"({"value":{"secret":"SHOP_PASSWORD"},"password":{"secret":"SHOP_PASSWORD"},"token_jti":"j",)"
      R"("max_token":5,"has_cookie":true,"passwords_seen":"two"})";
  EXPECT_EQ(Scrubbed(text), ParseJsonObject(text).value());
}

TEST(ScrubberTest, ThePageListsEveryEnding) {
  const auto page =
      ReadFile(std::filesystem::path(__FILE__).parent_path() / "../../docs/ledger.md");
  ASSERT_TRUE(page);
  for (const std::string_view ending : SecretKeyEndings()) {
    EXPECT_TRUE(page->contains("`" + std::string(ending) + "`")) << ending;
    json::object payload{{"my_" + std::string(ending), "x"}};
    KeyNameScrubber().Scrub(payload);
    EXPECT_EQ(payload.begin()->value().as_string(), kScrubbed);
  }
}

}  // namespace
}  // namespace falconer::ledger
