#include "app/secrets/secret_commands.h"

#include <chrono>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/unique_fd.h"
#include "tests/support/command_bench.h"

namespace falconer::app {
namespace {

// Standard input for as long as it lives.
class StandardInput {
 public:
  explicit StandardInput(std::string_view text) : before_(::dup(STDIN_FILENO)) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), std::ssize(text));
    ::close(ends[1]);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
  }
  ~StandardInput() { ::dup2(before_.get(), STDIN_FILENO); }

 private:
  UniqueFd before_;
};

class SecretCommandsTest : public test::CommandBench {
 protected:
  json::object Run(std::vector<std::string> words, std::string_view input = "", int code = kExitOk,
                   const std::vector<std::string>& environment = {}) {
    words.emplace_back("--json");
    const StandardInput in(input);
    const test::Printed printed = test::RunCommand(std::move(words), data(), environment);
    EXPECT_EQ(printed.code, code) << printed.all();
    printed_ += printed.all();
    return ParseJsonObject(printed.out).value_or(json::object());
  }
  std::string CodeOf(const json::object& answer) {
    return std::string(answer.at("error").at("code").as_string());
  }

  std::string printed_;
};

TEST_F(SecretCommandsTest, SaysWhatToDoAboutADamagedVaultOrKey) {
  Run({"secrets", "add", "shop", "--host", "shop.test"}, "correct horse\n");
  const auto hint_with = [&](const char* file, int code) {
    const std::filesystem::path path = folder_.path() / file;
    const std::string whole = ReadFile(path).value();
    EXPECT_TRUE(WriteFileAtomic(path, whole.substr(0, 10)));
    const json::object answer = Run({"secrets", "list"}, "", code);
    EXPECT_TRUE(WriteFileAtomic(path, whole));
    return TextAt(answer.at("error").as_object(), "hint");
  };
  const std::string key = hint_with("secrets.key", kExitUsage);
  EXPECT_TRUE(key.contains("put the key back from a backup")) << key;
  const std::string vault = hint_with("secrets.vault", kExitFailed);
  EXPECT_TRUE(vault.contains("back from a backup") && vault.contains("secrets add")) << vault;
  EXPECT_FALSE(vault.contains("control store")) << vault;
  std::filesystem::remove(folder_.path() / "secrets.key");
  const json::object lost = Run({"secrets", "list"}, "", kExitFailed);
  EXPECT_TRUE(
      TextAt(lost.at("error").as_object(), "hint").contains("nothing else opens the vault"));
}

TEST_F(SecretCommandsTest, AddsFieldsAndListsThemWithoutValues) {
  Run({"secrets", "add", "shop", "--host", "shop.test"}, "correct horse\nmore\n");
  Run({"secrets", "add", "shop", "--field", "username"}, "jane\n");
  const json::object answer = Run({"secrets", "list"});
  EXPECT_EQ(json::serialize(answer.at("secrets")),
            R"([{"name":"shop","source":"vault","type":"password","hosts":["shop.test"],)"
            R"("fields":["password","username"],"version":2}])");
  EXPECT_FALSE(printed_.contains("horse")) << printed_;
  EXPECT_FALSE(ReadFile(folder_.path() / "secrets.vault").value().contains("horse"));
}

TEST_F(SecretCommandsTest, GivesOneTimeCodes) {
  Run({"secrets", "add", "shop", "--host", "shop.test", "--field", "totp"},
      "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\n");
  const json::object answer = Run({"secrets", "totp", "shop"});
  EXPECT_EQ(TextAt(answer, "code").size(), 6U);
  EXPECT_LE(answer.at("seconds_left").as_int64(), 30);
  const json::object refused =
      Run({"secrets", "add", "shop", "--field", "totp"}, "no seed!", kExitUsage);
  EXPECT_EQ(CodeOf(refused), "INVALID_ARGUMENT");
}

TEST_F(SecretCommandsTest, RemovesAndSaysWhatIsNotThere) {
  EXPECT_EQ(json::serialize(Run({"secrets", "list"}).at("secrets")), "[]");
  Run({"secrets", "add", "shop", "--host", "shop.test"}, "x1y2z3");
  Run({"secrets", "remove", "shop"});
  EXPECT_EQ(CodeOf(Run({"secrets", "remove", "shop"}, "", kExitFailed)), "NOT_FOUND");
}

TEST_F(SecretCommandsTest, RefusesWhatCannotBeASecret) {
  EXPECT_EQ(CodeOf(Run({"secrets", "add", "shop"}, "x", kExitUsage)), "INVALID_ARGUMENT");
  Run({"secrets", "add", "shop", "--host", "**"}, "x", kExitUsage);
  Run({"secrets", "add", "a b", "--host", "shop.test"}, "x", kExitUsage);
  Run({"secrets", "add", "shop", "--host", "shop.test"}, "", kExitUsage);
  Run({"secrets", "add", "shop", "--host", "shop.test", "--type", "no"}, "x", kExitUsage);
}

TEST_F(SecretCommandsTest, AnEphemeralSecretHasAnEndAndTermsOfItsOwn) {
  const auto now_ms = [] {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())
        .time_since_epoch()
        .count();
  };
  const std::int64_t before = now_ms();
  const json::object added = Run({"secrets", "add", "code", "--host", "shop.test", "--ephemeral",
                                  "--single-use", "--agent", "shopper", "--page", "/login"},
                                 "x1y2z3");
  const json::object& terms = added.at("secret").at("terms").as_object();
  const std::int64_t end = terms.at("expires_at_ms").as_int64();
  EXPECT_GE(end, before + 300'000);
  EXPECT_LE(end, now_ms() + 300'000);
  EXPECT_EQ(json::serialize(terms.at("agents")), R"(["shopper"])");
  EXPECT_EQ(json::serialize(terms.at("pages")), R"(["/login"])");
  EXPECT_EQ(TextAt(terms, "uses"), "once");

  for (const char* ttl : {"0s", "901s", "2h", "soon"}) {
    const json::object refused =
        Run({"secrets", "add", "late", "--host", "shop.test", "--ttl", ttl}, "x1y2z3", kExitUsage);
    EXPECT_EQ(CodeOf(refused), "INVALID_ARGUMENT") << ttl;
  }
  Run({"secrets", "add", "late", "--host", "shop.test", "--page", "login"}, "x1y2z3", kExitUsage);
  Run({"secrets", "add", "late", "--host", "shop.test", "--ttl", "15m"}, "x1y2z3");
}

TEST_F(SecretCommandsTest, LendsASecretForATimeAndRevokesItWithItsLoans) {
  Run({"secrets", "add", "shop", "--host", "shop.test"}, "correct horse");
  const json::object lent = Run({"secrets", "add", "loan", "--from", "shop", "--agent", "shopper"});
  EXPECT_EQ(TextAt(lent.at("secret").at("terms").as_object(), "lent_from"), "shop");
  EXPECT_TRUE(lent.at("secret").at("terms").as_object().contains("expires_at_ms"));
  EXPECT_EQ(json::serialize(lent.at("secret").at("hosts")), R"(["shop.test"])");
  Run({"secrets", "add", "shop", "--from", "shop"}, "", kExitUsage);
  Run({"secrets", "add", "again", "--from", "loan"}, "", kExitUsage);
  Run({"secrets", "add", "again", "--from", "none"}, "", kExitFailed);

  const json::object revoked = Run({"secrets", "revoke", "shop"});
  EXPECT_EQ(json::serialize(revoked.at("revoked")), R"(["shop","loan"])");
  EXPECT_EQ(CodeOf(Run({"secrets", "revoke", "none"}, "", kExitFailed)), "NOT_FOUND");
  EXPECT_FALSE(printed_.contains("horse")) << printed_;
}

// Nothing of what was revoked comes back: not its hosts, its fields or its terms.
TEST_F(SecretCommandsTest, ARevokedNameBeginsAnew) {
  Run({"secrets", "add", "shop", "--host", "shop.test", "--agent", "shopper"}, "correct horse");
  Run({"secrets", "add", "shop", "--field", "username"}, "jane");
  Run({"secrets", "revoke", "shop"});
  Run({"secrets", "add", "shop"}, "x1y2z3", kExitUsage);
  const json::object anew = Run({"secrets", "add", "shop", "--host", "other.test"}, "x1y2z3");
  EXPECT_EQ(json::serialize(anew.at("secret")),
            R"({"name":"shop","source":"vault","type":"password","hosts":["other.test"],)"
            R"("fields":["password"],"version":4})");
}

TEST_F(SecretCommandsTest, TheKeyMayComeFromTheEnvironment) {
  const std::vector<std::string> one = {"FALCONER_VAULT_KEY=" + std::string(64, '1')};
  const std::vector<std::string> two = {"FALCONER_VAULT_KEY=" + std::string(64, '2')};
  Run({"secrets", "add", "shop", "--host", "shop.test"}, "x1y2z3", kExitOk, one);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "secrets.key"));
  Run({"secrets", "list"}, "", kExitOk, one);
  EXPECT_EQ(CodeOf(Run({"secrets", "list"}, "", kExitFailed, two)), "UNAUTHORIZED");
}

}  // namespace
}  // namespace falconer::app
