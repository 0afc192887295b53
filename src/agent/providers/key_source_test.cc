// Keys as the desk of secrets gives them out.
#include "agent/providers/key_source.h"

#include <gtest/gtest.h>

#include "agent/providers/make_providers.h"
#include "engine/secret_desk.h"
#include "tests/support/co_test.h"
#include "tests/support/model_fixtures.h"
#include "tests/support/model_server.h"

namespace falconer::agent {
namespace {

// Has one key, for one host.
class OneKey final : public policy::SecretSource {
 public:
  explicit OneKey(std::string host) : host_(std::move(host)) {}

  std::string_view kind() const override { return "test"; }
  Result<policy::Secret> Find(std::string_view name) override {
    if (name != "MODEL_KEY") return Fail(ErrorCode::kNotFound, "none");
    policy::Secret secret{.name = "MODEL_KEY",
                          .type = policy::SecretType::kApiKey,
                          .hosts = policy::ParseHostPatterns({host_}).value()};
    secret.fields.push_back({"value", policy::SecretText("sk-from-the-desk")});
    return secret;
  }
  Result<std::vector<policy::SecretInfo>> List() override {
    return std::vector<policy::SecretInfo>();
  }
  Result<std::vector<policy::Secret>> Known() override { return std::vector<policy::Secret>(); }

 private:
  std::string host_;
};

struct KeyDesk {
  KeyDesk(const CallContext& ctx, std::string host) {
    engine::SecretDesk::Sources sources;
    sources.push_back(std::make_unique<OneKey>(std::move(host)));
    desk.emplace(ctx.clock(), redactor, std::move(sources));
  }
  policy::Redactor redactor;
  std::optional<engine::SecretDesk> desk;
};

json::array RowsFor(const test::ModelServer& server) {
  return {json::object{{"name", "tested"},
                       {"kind", "anthropic"},
                       {"url", server.url()},
                       {"key", {{"secret", "MODEL_KEY"}}},
                       {"vision", true}}};
}

CO_TEST(KeySourceTest, AProviderOfTheSettingsGetsItsKeyFromTheDesk) {
  KeyDesk keys(ctx, "127.0.0.1");
  test::ModelServer server(ctx);
  server.Then({.body = test::ModelFixture("anthropic_text.json")});
  auto chain = MakeProviders(ctx.clock(), RowsFor(server), KeysFrom(&*keys.desk));
  EXPECT_TRUE(chain) << Describe(chain.error());
  if (!chain) co_return;

  const auto answer = co_await (*chain)->Ask(ctx, test::SampleChatRequest(), {});

  EXPECT_TRUE(answer) << Describe(answer.error());
  EXPECT_EQ(server.asked().at(0).headers.Find("x-api-key"), "sk-from-the-desk");
  std::string text = "it says sk-from-the-desk";
  keys.redactor.RedactText(policy::Surface::kLog, text);
  EXPECT_FALSE(text.contains("sk-from-the-desk")) << text;
  co_await server.Stop();
}

CO_TEST(KeySourceTest, AKeyOfAnotherHostIsNotSent) {
  KeyDesk keys(ctx, "models.example");
  test::ModelServer server(ctx);
  auto chain = MakeProviders(ctx.clock(), RowsFor(server), KeysFrom(&*keys.desk));
  EXPECT_TRUE(chain);
  if (!chain) co_return;

  const auto answer = co_await (*chain)->Ask(ctx, test::SampleChatRequest(), {});

  EXPECT_FALSE(answer);
  if (!answer) EXPECT_EQ(answer.error().code(), ErrorCode::kSecurityDomainBlock);
  EXPECT_TRUE(server.asked().empty());
  co_await server.Stop();
}

}  // namespace
}  // namespace falconer::agent
