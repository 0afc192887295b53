#include "policy/secrets/vault_file.h"

#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/sha256.h"

namespace falconer::policy {
namespace {

Secret Login(std::string_view password, const std::vector<std::string>& hosts = {"shop.test"}) {
  Secret secret{
      .name = "login", .type = SecretType::kPassword, .hosts = ParseHostPatterns(hosts).value()};
  secret.fields.push_back({"username", SecretText("jane")});
  secret.fields.push_back({"password", SecretText(password)});
  return secret;
}

VaultKey KeyOf(char digit) {
  return VaultKey::Parse(SecretText(std::string(64, digit))).value();
}

class VaultFileTest : public ::testing::Test {
 protected:
  VaultFile Open(char digit = '1') { return VaultFile(path_, KeyOf(digit)); }
  std::string Content() { return ReadFile(path_).value(); }

  TempDir folder_ = TempDir::Create("vault").value();
  std::filesystem::path path_ = folder_.path() / "secrets.vault";
};

TEST_F(VaultFileTest, KeepsWhatWasPut) {
  EXPECT_EQ(Open().Put(Login("hunter2")).value(), 1);
  const auto found = Open().Find("login");
  ASSERT_TRUE(found) << Describe(found.error());
  EXPECT_EQ(found->Field("password")->Reveal(), "hunter2");
  EXPECT_EQ(found->MainField()->Reveal(), "hunter2");
  EXPECT_EQ(found->hosts.at(0).text(), "shop.test");
  EXPECT_EQ(found->type, SecretType::kPassword);
}

TEST_F(VaultFileTest, ShowsNoValueAndIsPrivate) {
  ASSERT_TRUE(Open().Put(Login("hunter2")));
  EXPECT_FALSE(Content().contains("hunter2"));
  EXPECT_FALSE(Content().contains("jane"));
  EXPECT_FALSE(Content().contains("shop.test"));
  struct stat status{};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST_F(VaultFileTest, NeverWritesTheSameBytesTwice) {
  ASSERT_TRUE(Open().Put(Login("hunter2")));
  const std::string first = Content();
  ASSERT_TRUE(Open().Put(Login("hunter2")));
  EXPECT_NE(Content(), first);
}

TEST_F(VaultFileTest, CountsVersionsAndForgetsWhatIsRemoved) {
  EXPECT_EQ(Open().Put(Login("a")).value(), 1);
  EXPECT_EQ(Open().Put(Login("b")).value(), 2);
  EXPECT_EQ(Open().List().value().size(), 1U);
  EXPECT_TRUE(Open().Remove("login"));
  EXPECT_EQ(Open().Find("login").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(Open().Remove("login").error().code(), ErrorCode::kNotFound);
}

TEST_F(VaultFileTest, TellsAWrongKeyFromADamagedFile) {
  ASSERT_TRUE(Open().Put(Login("hunter2")));
  EXPECT_EQ(Open('2').Find("login").error().code(), ErrorCode::kUnauthorized);
  EXPECT_EQ(Open('2').Put(Login("x")).error().code(), ErrorCode::kUnauthorized);
  const std::string good = Content();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    ASSERT_TRUE(WriteFileAtomic(path_, bad));
    const auto found = Open().Find("login");
    ASSERT_FALSE(found) << i;
    EXPECT_EQ(found.error().code(), ErrorCode::kStoreDamaged) << i;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}, good.size() - 1}) {
    ASSERT_TRUE(WriteFileAtomic(path_, good.substr(0, size)));
    EXPECT_EQ(Open().Find("login").error().code(), ErrorCode::kStoreDamaged) << size;
  }
}

// Someone who knows the format but not the key renames a secret and mends the digest.
TEST_F(VaultFileTest, RefusesAFileThatWasRewrittenWithoutTheKey) {
  ASSERT_TRUE(Open().Put(Login("hunter2")));
  std::string text = Content();
  std::string body = text.substr(text.find('\n') + 1);
  body.replace(body.find("\"login\""), 7, "\"admin\"");
  ASSERT_TRUE(WriteFileAtomic(path_, "falconer-vault 1 " + Sha256Hex(body) + "\n" + body));
  EXPECT_EQ(Open().Find("admin").error().code(), ErrorCode::kStoreDamaged);
}

TEST_F(VaultFileTest, ANewKeyClosesTheOldOneOut) {
  VaultFile vault = Open('1');
  ASSERT_TRUE(vault.Put(Login("hunter2")));
  ASSERT_TRUE(vault.RotateKey(KeyOf('2')));
  EXPECT_TRUE(vault.Find("login"));
  EXPECT_TRUE(Open('2').Find("login"));
  EXPECT_EQ(Open('1').Find("login").error().code(), ErrorCode::kUnauthorized);
}

TEST_F(VaultFileTest, RefusesNamesThatAreNone) {
  Secret secret = Login("x");
  secret.name = "a b";
  EXPECT_EQ(Open().Put(std::move(secret)).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Open().Put(Secret{.name = "empty"}).error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(VaultFileTest, AKeyFileIsPrivateAndMadeOnce) {
  const auto path = folder_.path() / "key";
  const auto key = VaultKey::CreateFile(path);
  ASSERT_TRUE(key);
  EXPECT_EQ(VaultKey::FromFile(path).value().Reveal(), key->Reveal());
  EXPECT_EQ(VaultKey::CreateFile(path).error().code(), ErrorCode::kAlreadyExists);
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  EXPECT_EQ(VaultKey::FromFile(path).error().code(), ErrorCode::kUnauthorized);
  EXPECT_EQ(VaultKey::FromFile(folder_.path() / "no").error().code(), ErrorCode::kNotFound);
}

TEST_F(VaultFileTest, AKeyThatCouldNotBeWrittenLeavesNoFileInItsPlace) {
  const auto path = folder_.path() / "key";
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto ignored = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{.rlim_cur = 0, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const auto failed = VaultKey::CreateFile(path);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, ignored);

  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), ErrorCode::kIoError);
  EXPECT_EQ(VaultKey::FromFile(path).error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  EXPECT_TRUE(VaultKey::CreateFile(path));
}

TEST_F(VaultFileTest, AKeyFromTheEnvironmentIsHex) {
  const std::vector<std::string> environment = {"A=1", "KEY=" + std::string(64, 'a'), "BAD=xyz"};
  EXPECT_TRUE(VaultKey::FromEnvironment(environment, "KEY"));
  const auto bad = VaultKey::FromEnvironment(environment, "BAD");
  EXPECT_EQ(bad.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(bad.error().message().contains("xyz"));
  EXPECT_EQ(VaultKey::FromEnvironment(environment, "NO").error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace falconer::policy
