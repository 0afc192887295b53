#include "app/secrets/secret_sources.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::app {
namespace {

TEST(SecretSourcesTest, ReadsACommandFromItsSetting) {
  const auto command =
      ParseSecretCommand("shop:username shop.example.com|*.pay.example.com pass show shop/user");
  ASSERT_TRUE(command) << command.error().message();
  EXPECT_EQ(command->name, "shop");
  EXPECT_EQ(command->field, "username");
  ASSERT_EQ(command->hosts.size(), 2U);
  EXPECT_EQ(command->hosts[1].text(), "*.pay.example.com");
  EXPECT_EQ(command->words, (std::vector<std::string>{"pass", "show", "shop/user"}));
  EXPECT_EQ(ParseSecretCommand("shop shop.example.com pass")->field, "value");
}

TEST(SecretSourcesTest, SaysWhatIsWrongWithACommand) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"shop pass", "expected a name, hosts and a program"},
      {"sh$op h.example.com pass", "letters, digits"},
      {"shop: h.example.com pass", "letters, digits"},
      {"shop not_a/host pass", "not_a/host"},
  };
  for (const auto& [text, why] : rows) {
    const auto command = ParseSecretCommand(text);
    ASSERT_FALSE(command) << text;
    EXPECT_EQ(command.error().code(), ErrorCode::kInvalidSetting);
    EXPECT_TRUE(command.error().message().contains(why)) << command.error().message();
  }
}

TEST(SecretSourcesTest, AVaultThatComesLaterIsFound) {
  const auto folder = TempDir::Create("falconer-sources-").value();
  Settings settings = DefaultSettings();
  settings.data.dir = folder.path();
  auto sources = SecretSourcesFrom(settings, {}).value();
  EXPECT_EQ(sources[0]->Find("late").error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(sources[0]->Known()->empty());

  const policy::VaultHome home = VaultHomeFrom(settings, {});
  policy::VaultFile vault(home.vault(),
                          policy::CreateVaultKey(home, policy::KeyPlace::kFile).value());
  policy::Secret secret{.name = "late"};
  secret.fields.push_back({"password", policy::SecretText("hunter2")});
  ASSERT_TRUE(vault.Put(std::move(secret)));

  EXPECT_TRUE(sources[0]->Find("late"));
}

}  // namespace
}  // namespace falconer::app
