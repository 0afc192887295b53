#include "agent/providers/provider_spec.h"

#include <gtest/gtest.h>

#include "agent/providers/make_providers.h"

namespace falconer::agent {
namespace {

Result<std::vector<ProviderSpec>> ParseText(std::string_view text) {
  const auto rows = ParseJson(text);
  return ParseProviders(rows.value().as_array());
}

TEST(ProviderSpecTest, ReadsEveryField) {
  const auto specs = ParseText(R"([{"name":"near","kind":"openai_chat",
      "url":"https://models.example:8443/v1/","model":"m","key":{"secret":"NEAR","field":"token"},
      "price_in":0.4,"price_out":1.6,"price_cached":0.1,"vision":true,"tools":false,
      "reasoning":true,"context":128000,"first_byte_ms":5000,"quiet_ms":6000,"timeout_ms":7000,
      "max_answer_bytes":65536,"ca":"/etc/ca.pem"}])");

  ASSERT_TRUE(specs) << Describe(specs.error());
  const ProviderSpec& spec = specs->front();
  EXPECT_EQ(spec.url, "https://models.example:8443/v1");
  EXPECT_EQ(spec.key, (policy::SecretReference{"NEAR", "token"}));
  EXPECT_EQ(spec.price.cached_input, 0.1);
  EXPECT_TRUE(spec.sees && spec.reasons && !spec.calls_tools);
  EXPECT_EQ(spec.context, 128'000);
  EXPECT_EQ(spec.first_byte, std::chrono::seconds(5));
  EXPECT_EQ(spec.max_answer_bytes, 65'536);
  EXPECT_EQ(spec.authorities, "/etc/ca.pem");
}

TEST(ProviderSpecTest, KnowsWhereEachKindIs) {
  const auto specs = ParseText(R"([
      {"name":"a","kind":"openai_chat","key":{"secret":"A"}},
      {"name":"b","kind":"openai_responses","key":{"secret":"A"}},
      {"name":"c","kind":"anthropic","key":{"secret":"C"}},
      {"name":"d","kind":"ollama"}])");

  ASSERT_TRUE(specs) << Describe(specs.error());
  EXPECT_EQ((*specs)[0].url, "https://api.openai.com/v1");
  EXPECT_EQ((*specs)[0].model, "gpt-4.1-mini");
  EXPECT_EQ((*specs)[2].url, "https://api.anthropic.com");
  EXPECT_EQ((*specs)[2].model, "claude-3-5-sonnet-latest");
  EXPECT_EQ((*specs)[3].url, "http://127.0.0.1:11434");
  EXPECT_EQ((*specs)[3].model, "llama3.1:8b-instruct");
}

TEST(ProviderSpecTest, RefusesWhatIsWrongAndNamesIt) {
  struct WrongCase {
    std::string_view rows;
    std::string_view named;
  };
  const WrongCase cases[] = {
      {R"([{"kind":"ollama"}])", "agent.providers[0].name"},
      {R"([{"name":"a b","kind":"ollama"}])", "agent.providers[0].name"},
      {R"([{"name":"a","kind":"oracle"}])", "agent.providers[0].kind"},
      {R"([{"name":"a","kind":"ollama"},{"name":"a","kind":"ollama"}])", "is there twice"},
      {R"([{"name":"a","kind":"ollama","url":"ftp://x"}])", "agent.providers[0].url"},
      {R"([{"name":"a","kind":"ollama","url":"http://u:hidden@x"}])", "agent.providers[0].url"},
      {R"([{"name":"a","kind":"ollama","url":"http://x/?key=hidden"}])", "agent.providers[0].url"},
      {R"([{"name":"a","kind":"anthropic"}])", "agent.providers[0].key: is needed"},
      {R"([{"name":"a","kind":"anthropic","key":"hidden"}])", "agent.providers[0].key"},
      {R"([{"name":"a","kind":"anthropic","key":{"secret":"hidden/x"}}])",
       "agent.providers[0].key"},
      {R"([{"name":"a","kind":"ollama","price_in":-1}])", "agent.providers[0].price_in"},
      {R"([{"name":"a","kind":"ollama","timeout_ms":1}])", "agent.providers[0].timeout_ms"},
      {R"([{"name":"a","kind":"ollama","colour":1}])", "agent.providers[0].colour"},
      {R"([{"name":"a","kind":"ollama"},{"name":"b","kind":"ollama"},{"name":"c","kind":"ollama"},
           {"name":"d","kind":"ollama"},{"name":"e","kind":"ollama"},{"name":"f","kind":"ollama"}])",
       "at most 5"},
  };
  SystemClock clock;
  for (const WrongCase& one : cases) {
    const auto made = MakeProviders(clock, ParseJson(one.rows).value().as_array(), {});

    ASSERT_FALSE(made) << one.rows;
    EXPECT_EQ(made.error().code(), ErrorCode::kInvalidSetting) << one.rows;
    EXPECT_TRUE(made.error().message().contains(one.named)) << made.error().message();
    EXPECT_FALSE(made.error().message().contains("hidden")) << made.error().message();
  }
}

TEST(ProviderSpecTest, CountsCostsAndRoundsUp) {
  const TokenPrice price{.input = 0.4, .cached_input = 0.1, .output = 1.6};

  EXPECT_EQ(CostMicros(price, {.input = 1000, .cached_input = 0, .output = 100}), 560);
  EXPECT_EQ(CostMicros(price, {.input = 1000, .cached_input = 900, .output = 0}), 130);
  EXPECT_EQ(CostMicros(price, {.input = 1, .cached_input = 0, .output = 0}), 1);
  EXPECT_EQ(CostMicros({}, {.input = 1000, .cached_input = 0, .output = 100}), 0);
}

}  // namespace
}  // namespace falconer::agent
