#include "engine/redacting_scrubber.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

constexpr std::string_view kDigest =
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

json::object Scrubbed(std::string_view text, const policy::Redactor& redactor) {
  json::object payload = ParseJsonObject(text).value();
  RedactingScrubber(redactor).Scrub(payload);
  return payload;
}

json::object Scrubbed(std::string_view text) {
  return Scrubbed(text, policy::Redactor());
}

TEST(RedactingScrubberTest, MasksSecretsAtAnyDepth) {
  const std::string text = json::serialize(
      Scrubbed(R"({"contract":{"a":[{"Password":"hunter2"}],"action_spec":{"selector":"#password",
          "text":"hunter3"},"url":"https://h/?token=abcdefgh"},
          "result":{"outcome":{"extracted":"card 4111 1111 1111 1111"}},
          "decisions":[{"details":{"headers":{"Set-Cookie":"s=hunter4"}}}]})"));
  for (const char* secret : {"hunter2", "hunter3", "hunter4", "abcdefgh", "4111 1111"}) {
    EXPECT_FALSE(text.contains(secret)) << text;
  }
}

TEST(RedactingScrubberTest, LeavesIdsDigestsTimesAndReferences) {
  const std::string text =
      R"({"workflow":"main@mcp-0a1b2c3d4e5f","session":"s0123456789ab","turn_id":"t-s0123456789ab-1",)"
      R"("action_id":"act_0123456789abcdef01234567","action_hash":")" +
      std::string(kDigest) +
      R"(","decisions":[{"gate":"token","session_id":"s0123456789ab","facts":{"token":")" +
      std::string(kDigest) +
      R"("},"event_time":1763251234567}],"contract":{"action_spec":)"
      R"({"action_type":"fill","target_eid":"d3e14","text":{"secret":"shop-login","field":"totp"}}},)"
      R"("snapshots":[{"name":"policy","content":{"approver":"ann@example.com","password":"x"}}],)"
      R"("result":{"pre_state_id":"s_0123456789abcdef01234567","artifacts":[{"sha256":")" +
      std::string(kDigest) +
      R"("}],"state_delta":{"elements":{"added":[{"ref":"d3e14","href":)"
      R"("https://shop.example.com/p/9f8e7d6c-5b4a-4c3d-8e2f-1a0b9c8d7e6f?id=42#top"}]}}}})";
  EXPECT_EQ(json::serialize(Scrubbed(text)), json::serialize(ParseJsonObject(text).value()));
}

TEST(RedactingScrubberTest, WhatPagesCallASessionIsNotOurs) {
  const json::object out =
      Scrubbed(R"({"result":{"outcome":{"extracted":{"session_id":"s0123456789ab"}}}})");
  EXPECT_FALSE(json::serialize(out).contains("s0123456789ab"));
}

TEST(RedactingScrubberTest, MasksWhatIsKnownAndLeavesTheNumbersOfTheRecord) {
  policy::Redactor redactor;
  const policy::NamedSecret secrets[] = {{"shop", "482913"}};
  redactor.SetKnownSecrets(policy::KnownSecrets::Build(secrets));
  const json::object out = Scrubbed(
      R"({"result":{"timings":[{"took_us":482913}],"outcome":{"extracted":[482913,"482913"]}}})",
      redactor);
  EXPECT_EQ(json::serialize(out),
            R"({"result":{"timings":[{"took_us":482913}],"outcome":{"extracted":)"
            R"(["[secret shop]","[secret shop]"]}}})");
}

TEST(RedactingScrubberTest, ScrubbingTwiceChangesNothingMore) {
  const policy::Redactor redactor;
  json::object once = Scrubbed(
      R"({"result":{"a":"Bearer abcdefghijklmnop","password":"p4ssw0rd","mail":"ann@example.com"}})",
      redactor);
  json::object twice = once;
  RedactingScrubber(redactor).Scrub(twice);
  EXPECT_EQ(once, twice);
}

}  // namespace
}  // namespace falconer::engine
