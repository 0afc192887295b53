#include "policy/secrets/secret_store.h"

#include <type_traits>

#include <gtest/gtest.h>

#include "base/file.h"
#include "policy/secrets/command_source.h"
#include "policy/secrets/environment_source.h"
#include "policy/secrets/vault_file.h"

namespace falconer::policy {
namespace {

template <typename T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

static_assert(!Printable<SecretText>);
static_assert(!std::is_copy_constructible_v<SecretText>);
static_assert(!std::is_constructible_v<json::value, SecretText>);

std::vector<HostPattern> Hosts(const std::vector<std::string>& texts) {
  return ParseHostPatterns(texts).value();
}

SecretCommand Command(std::string name, std::vector<std::string> words) {
  return {.name = std::move(name), .words = std::move(words), .hosts = Hosts({"shop.test"})};
}

class SecretStoreTest : public ::testing::Test {
 protected:
  Result<std::string> Get(SecretReference reference, std::string_view host = "shop.test",
                          std::uint16_t port = 443) {
    auto value = store_.Resolve(reference, {.host = ParseHost(host).value(), .port = port}, now_);
    if (!value) return Fail(value.error());
    return std::string(value->Reveal());
  }
  std::string Redacted(std::string text) {
    redactor_.RedactText(Surface::kModel, text);
    return text;
  }
  void AddVault() {
    auto vault = std::make_unique<VaultFile>(folder_.path() / "v", VaultKey::Random());
    Secret login{.name = "login", .hosts = Hosts({"shop.test", "*.pay.test:8443"})};
    login.fields.push_back({"username", SecretText("jane")});
    login.fields.push_back({"password", SecretText("correct horse")});
    login.fields.push_back({"totp", SecretText("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")});
    ASSERT_TRUE(vault->Put(std::move(login)));
    ASSERT_TRUE(store_.Add(std::move(vault)));
  }

  TempDir folder_ = TempDir::Create("secrets").value();
  Redactor redactor_;
  SecretStore store_{redactor_};
  WallTime now_{std::chrono::seconds(59)};
};

TEST_F(SecretStoreTest, GivesFieldsToTheHostsOfASecretOnly) {
  AddVault();
  EXPECT_EQ(Get({"login"}).value(), "correct horse");
  EXPECT_EQ(Get({"login", "username"}).value(), "jane");
  EXPECT_EQ(Get({"login"}, "a.pay.test", 8443).value(), "correct horse");
  for (const char* host : {"evil.test", "shop.test.evil.test", "www.shop.test", "pay.test"}) {
    EXPECT_EQ(Get({"login"}, host, 8443).error().code(), ErrorCode::kSecurityDomainBlock) << host;
  }
  EXPECT_EQ(Get({"login"}, "a.pay.test", 443).error().code(), ErrorCode::kSecurityDomainBlock);
  EXPECT_EQ(Get({"login", "pin"}).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(Get({"other"}).error().code(), ErrorCode::kNotFound);
}

TEST_F(SecretStoreTest, GivesCodesAndNeverTheirSeed) {
  AddVault();
  EXPECT_EQ(Get({"login", "totp"}).value(), "287082");
  EXPECT_EQ(Redacted("the code 287082"), "the code [secret login.totp]");
}

TEST_F(SecretStoreTest, TheRedactorKnowsValuesBeforeAnyoneElse) {
  AddVault();
  EXPECT_EQ(Redacted("is correct horse here"), "is [secret login] here");
  EXPECT_EQ(Redacted("correct%20horse"), "[secret login]");
  EXPECT_EQ(Redacted("user jane"), "user jane");
}

TEST_F(SecretStoreTest, TakesSecretsFromTheEnvironment) {
  auto source = EnvironmentSource::Create({"PATH=/bin", "FALCONER_SECRET_API_KEY=abc123xyz",
                                           "FALCONER_SECRET_API_KEY_HOSTS=shop.test, *.b.test",
                                           "FALCONER_SECRET_LOST=unbound"});
  ASSERT_TRUE(source);
  ASSERT_TRUE(store_.Add(std::make_unique<EnvironmentSource>(*std::move(source))));
  EXPECT_EQ(Get({"api-key"}).value(), "abc123xyz");
  EXPECT_EQ(Get({"lost"}).error().code(), ErrorCode::kSecurityDomainBlock);
  EXPECT_EQ(Redacted("abc123xyz unbound"), "[secret API_KEY] [secret LOST]");
  EXPECT_EQ(EnvironmentSource::Create({"FALCONER_SECRET_A=1", "FALCONER_SECRET_A_HOSTS=**"})
                .error()
                .code(),
            ErrorCode::kInvalidSetting);
}

TEST_F(SecretStoreTest, TakesSecretsFromCommandsWithoutAShell) {
  const CommandLimits limits{.timeout = std::chrono::milliseconds(2000), .output_bytes = 64};
  std::vector<SecretCommand> commands;
  commands.push_back(Command("good", {"printf", "%s\n%s\n", "from $(HOME) tool", "more"}));
  commands.push_back(Command("bad", {"false"}));
  commands.push_back(Command("loud", {"yes"}));
  commands.push_back(Command("silent", {"true"}));
  commands.push_back(Command("none", {"/no/such/program"}));
  ASSERT_TRUE(store_.Add(std::make_unique<CommandSource>(std::move(commands), limits)));
  EXPECT_EQ(Get({"good"}).value(), "from $(HOME) tool");
  EXPECT_EQ(Redacted("from $(HOME) tool"), "[secret good]");
  EXPECT_EQ(Get({"bad"}).error().code(), ErrorCode::kExecutionError);
  EXPECT_EQ(Get({"loud"}).error().code(), ErrorCode::kExecutionError);
  EXPECT_EQ(Get({"silent"}).error().code(), ErrorCode::kExecutionError);
  EXPECT_EQ(Get({"none"}).error().code(), ErrorCode::kToolUnavailable);
}

TEST_F(SecretStoreTest, EndsACommandThatTakesTooLong) {
  const CommandLimits limits{.timeout = std::chrono::milliseconds(50), .output_bytes = 64};
  const auto start = std::chrono::steady_clock::now();
  const auto slow = RunCommand({"sleep", "30"}, {}, limits);
  EXPECT_EQ(slow.error().code(), ErrorCode::kToolTimeout);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST_F(SecretStoreTest, HandsACommandItsInput) {
  const auto echoed = RunCommand({"cat"}, SecretText("abc"));
  ASSERT_TRUE(echoed) << Describe(echoed.error());
  EXPECT_EQ(echoed->Reveal(), "abc");
  // A program that does not read its input is no failure.
  EXPECT_TRUE(RunCommand({"true"}, SecretText(std::string(200'000, 'x'))));
}

TEST_F(SecretStoreTest, ASourceThatCannotSayIsNotPassedOver) {
  std::vector<SecretCommand> commands;
  commands.push_back(Command("login", {"false"}));
  ASSERT_TRUE(store_.Add(std::make_unique<CommandSource>(std::move(commands))));
  AddVault();
  EXPECT_EQ(Get({"login"}).error().code(), ErrorCode::kExecutionError);
}

TEST_F(SecretStoreTest, ListsWithoutValues) {
  AddVault();
  const auto infos = store_.List();
  ASSERT_TRUE(infos);
  EXPECT_EQ(json::serialize(ToJson(infos->at(0))),
            R"({"name":"login","source":"vault","type":"password",)"
            R"("hosts":["shop.test","*.pay.test:8443"],)"
            R"("fields":["username","password","totp"],"version":1})");
}

TEST(SecretReferenceTest, ReadsBothFormsAndNothingElse) {
  EXPECT_EQ(ParseSecretReference({{"secret", "A"}}).value(), (SecretReference{.name = "A"}));
  const SecretReference with_field{.name = "A", .field = "username"};
  EXPECT_EQ(ParseSecretReference(ToJson(with_field)).value(), with_field);
  for (const json::value& bad :
       {json::value("A"), json::value{{"secret", ""}}, json::value{{"secret", "a b"}},
        json::value{{"secret", "A"}, {"x", 1}}, json::value{{"field", "a"}}}) {
    EXPECT_EQ(ParseSecretReference(bad).error().code(), ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace falconer::policy
