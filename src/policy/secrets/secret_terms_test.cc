// By whom, where, until when and how often secrets are given out.

#include "policy/secrets/secret_terms.h"

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "policy/secrets/secret_store.h"
#include "policy/secrets/vault_crypto.h"
#include "policy/secrets/vault_file.h"

namespace falconer::policy {
namespace {

constexpr WallTime kNoon{std::chrono::hours(12)};

Secret LimitedLogin(SecretTerms terms) {
  Secret secret{.name = "login", .hosts = ParseHostPatterns({"shop.test"}).value()};
  secret.fields.push_back({"username", SecretText("jane")});
  secret.fields.push_back({"password", SecretText("correct horse")});
  secret.fields.push_back({"totp", SecretText("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")});
  secret.terms = std::move(terms);
  return secret;
}

std::string GivenOrWhy(const Result<std::string>& value) {
  if (value) return "given";
  const std::string reason = TextAt(value.error().details(), "reason");
  const bool is_typed = value.error().code() == ErrorCode::kConstraintViolated && !reason.empty();
  return is_typed ? reason : std::string(value.error().name());
}

class SecretTermsTest : public ::testing::Test {
 protected:
  static VaultKey Key() { return VaultKey::Parse(SecretText(std::string(64, '1'))).value(); }
  VaultFile Vault() const { return VaultFile(folder_.path() / "v", Key()); }
  void Put(SecretTerms terms) { ASSERT_TRUE(Vault().Put(LimitedLogin(std::move(terms)))); }
  static SecretDemand Demand() {
    return {.host = ParseHost("shop.test").value(), .path = "/login", .agent = "shopper"};
  }

  // As a program does that has just started.
  Result<std::string> Get(SecretReference reference, const SecretDemand& demand = Demand(),
                          WallTime now = kNoon) const {
    Redactor redactor;
    SecretStore store(redactor);
    EXPECT_TRUE(store.Add(std::make_unique<VaultFile>(folder_.path() / "v", Key())));
    const auto value = store.Resolve(reference, demand, now);
    if (!value) return Fail(value.error());
    std::string masked(value->Reveal());
    redactor.RedactText(Surface::kModel, masked);
    const bool is_public = reference.field == "username";
    EXPECT_TRUE(is_public || !masked.contains(value->Reveal())) << "the redactor does not know it";
    return std::string(value->Reveal());
  }

  TempDir folder_ = TempDir::Create("terms").value();
};

TEST_F(SecretTermsTest, EachFieldOfASingleUseSecretIsGivenOnceAndForgotten) {
  Put({.uses = SecretUses::kOnce});
  EXPECT_EQ(Get({"login"}).value(), "correct horse");
  EXPECT_EQ(GivenOrWhy(Get({"login"})), "secret_used");
  EXPECT_EQ(GivenOrWhy(Get({"login", "password"})), "secret_used");
  EXPECT_EQ(Get({"login", "username"}).value(), "jane");
  EXPECT_EQ(Get({"login", "totp"}).value().size(), 6U);
  EXPECT_EQ(GivenOrWhy(Get({"login", "totp"})), "secret_used");

  const Secret left = Vault().Find("login").value();
  for (const SecretField& field : left.fields) EXPECT_TRUE(field.value.empty()) << field.name;
  EXPECT_EQ(left.version, 4);
}

TEST_F(SecretTermsTest, OfManyWhoAskAtOnceOneGetsIt) {
  Put({.uses = SecretUses::kOnce});
  std::atomic<int> given = 0;
  std::atomic<int> refused = 0;
  std::vector<std::jthread> programs;
  for (int i = 0; i < 8; ++i) {
    programs.emplace_back([&] {
      const auto value = Get({"login"});
      given += value ? 1 : 0;
      refused += GivenOrWhy(value) == "secret_used" ? 1 : 0;
    });
  }
  programs.clear();
  EXPECT_EQ(given, 1);
  EXPECT_EQ(refused, 7);
}

TEST_F(SecretTermsTest, AProgramThatDiesWithItHasUsedIt) {
  Put({.uses = SecretUses::kOnce});
  const pid_t child = ::fork();
  if (child == 0) {
    const auto taken =
        Vault().Take("login", "password", [](const Secret&) { return Result<void>(); });
    if (taken) ::kill(::getpid(), SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the child did not get it";
  EXPECT_EQ(GivenOrWhy(Get({"login"})), "secret_used");
}

TEST_F(SecretTermsTest, WhatCannotBeForgottenIsNotGiven) {
  Put({.uses = SecretUses::kOnce});
  const auto before = folder_.path() / "v";
  const auto aside = folder_.path() / "aside";
  // Nothing can be written beside a vault whose folder is gone.
  const auto folder = folder_.path() / "in";
  std::filesystem::create_directory(folder);
  std::filesystem::rename(before, folder / "v");
  VaultFile vault(folder / "v", Key());
  const auto taken = vault.Take("login", "password", [&](const Secret&) {
    std::filesystem::rename(folder, aside);
    return Result<void>();
  });
  ASSERT_FALSE(taken);
  EXPECT_EQ(VaultFile(aside / "v", Key()).Find("login").value().MainField()->Reveal(),
            "correct horse");
}

TEST_F(SecretTermsTest, ASingleUseSecretIsNotCompared) {
  Put({.uses = SecretUses::kOnce});
  SecretDemand comparing = Demand();
  comparing.purpose = SecretPurpose::kComparing;
  EXPECT_EQ(GivenOrWhy(Get({"login"}, comparing)), "secret_single_use");
  EXPECT_EQ(GivenOrWhy(Get({"login"})), "given") << "to be refused is no use";
  Put({});
  EXPECT_EQ(GivenOrWhy(Get({"login"}, comparing)), "given");
}

TEST_F(SecretTermsTest, AnEphemeralSecretEnds) {
  const WallTime end = SecretEnd(kNoon, kUsualSecretLife).value();
  EXPECT_EQ(end - kNoon, std::chrono::seconds(300));
  Put({.expires_at = end});
  EXPECT_EQ(GivenOrWhy(Get({"login"}, Demand(), end - std::chrono::milliseconds(1))), "given");
  EXPECT_EQ(GivenOrWhy(Get({"login"}, Demand(), end)), "secret_expired");

  ASSERT_TRUE(Vault().ForgetExpired(end - std::chrono::milliseconds(1)));
  EXPECT_EQ(Vault().Find("login").value().MainField()->Reveal(), "correct horse");
  ASSERT_TRUE(Vault().ForgetExpired(end));
  EXPECT_TRUE(Vault().Find("login").value().MainField()->empty());
  EXPECT_EQ(GivenOrWhy(Get({"login"}, Demand(), end)), "secret_expired");
}

TEST_F(SecretTermsTest, ALifeHasBounds) {
  for (const int seconds : {1, 300, 900}) {
    EXPECT_TRUE(SecretEnd(kNoon, std::chrono::seconds(seconds))) << seconds;
  }
  for (const int seconds : {-1, 0, 901}) {
    EXPECT_EQ(SecretEnd(kNoon, std::chrono::seconds(seconds)).error().code(),
              ErrorCode::kInvalidArgument)
        << seconds;
  }
}

TEST_F(SecretTermsTest, ItsAgentsAndPagesOnlyGetIt) {
  Put({.agents = {"shopper", "clerk"}, .pages = {"/login", "/account/*"}});
  struct Row {
    std::string_view agent;
    std::string_view path;
    std::string_view told;
  };
  const Row rows[] = {
      {"shopper", "/login", "given"},           {"clerk", "/account/2/pay", "given"},
      {"Shopper", "/login", "secret_agent"},    {"", "/login", "secret_agent"},
      {"shopper", "/login/x", "secret_page"},   {"shopper", "/account", "secret_page"},
      {"shopper", "/accounts/", "secret_page"}, {"shopper", "", "secret_page"},
  };
  for (const Row& row : rows) {
    SecretDemand demand = Demand();
    demand.agent = row.agent;
    demand.path = row.path;
    EXPECT_EQ(GivenOrWhy(Get({"login"}, demand)), row.told) << row.agent << " " << row.path;
  }
  SecretDemand elsewhere = Demand();
  elsewhere.host = ParseHost("evil.test").value();
  EXPECT_EQ(GivenOrWhy(Get({"login"}, elsewhere)), "SECURITY_DOMAIN_BLOCK");
}

TEST_F(SecretTermsTest, OnlyNamesOfUsersGoWhereTheirTextIsMeantForOthers) {
  Put({.uses = SecretUses::kOnce});
  SecretDemand published = Demand();
  published.place = SecretPlace::kPublished;
  for (const char* field : {"", "password", "totp"}) {
    EXPECT_EQ(GivenOrWhy(Get({"login", field}, published)), "secret_place") << field;
  }
  EXPECT_EQ(Get({"login", "username"}, published).value(), "jane");
  EXPECT_EQ(Get({"login"}).value(), "correct horse") << "a refusal uses nothing up";
}

TEST_F(SecretTermsTest, InputsButThoseForQueriesAreFields) {
  struct Row {
    const char* tag;
    const char* type;
    SecretPlace place;
  };
  constexpr Row kRows[] = {
      {"input", "password", SecretPlace::kField}, {"input", "text", SecretPlace::kField},
      {"input", "email", SecretPlace::kField},    {"input", "search", SecretPlace::kPublished},
      {"input", "url", SecretPlace::kPublished},  {"textarea", "", SecretPlace::kPublished},
      {"div", "", SecretPlace::kPublished},
  };
  for (const Row& row : kRows) {
    EXPECT_EQ(SecretPlaceOf({.tag = row.tag, .type = row.type}), row.place) << row.tag << row.type;
  }
}

TEST_F(SecretTermsTest, PagesArePaths) {
  for (const std::string_view page : {"/", "/*", "/login", "/a%20b/*"}) {
    EXPECT_TRUE(CheckSecretPage(page)) << page;
  }
  for (const std::string_view page : {"", "login", "*", "/*/x", "/a**", "/a?b", "/a#b", "/a b"}) {
    EXPECT_EQ(CheckSecretPage(page).error().code(), ErrorCode::kInvalidArgument) << page;
  }
}

TEST_F(SecretTermsTest, ARevokedSecretIsRefusedWithWhatWasLentFromIt) {
  Put({});
  Secret lent = LimitedLogin({.lent_from = "login"});
  lent.name = "loan";
  ASSERT_TRUE(Vault().Put(std::move(lent)));
  EXPECT_EQ(GivenOrWhy(Get({"loan"})), "given");

  EXPECT_EQ(Vault().Revoke("login").value(), (std::vector<std::string>{"login", "loan"}));
  EXPECT_EQ(GivenOrWhy(Get({"login"})), "secret_revoked");
  EXPECT_EQ(GivenOrWhy(Get({"loan"})), "secret_revoked");
  EXPECT_TRUE(Vault().Find("login").value().MainField()->empty());
  EXPECT_EQ(Vault().Revoke("other").error().code(), ErrorCode::kNotFound);

  ASSERT_TRUE(Vault().Remove("login"));
  EXPECT_TRUE(Vault().List().value().empty());
}

TEST_F(SecretTermsTest, WhatWasUsedOrRevokedMeanwhileDoesNotComeBack) {
  Put({.uses = SecretUses::kOnce});
  Secret changed = Vault().Find("login").value();
  EXPECT_EQ(GivenOrWhy(Get({"login"})), "given");
  EXPECT_EQ(Vault().PutOver(std::move(changed), 1).error().code(), ErrorCode::kPreconditionFailed);
  EXPECT_EQ(GivenOrWhy(Get({"login"})), "secret_used");
  EXPECT_EQ(Vault().PutOver(LimitedLogin({}), 0).error().code(), ErrorCode::kPreconditionFailed);
  EXPECT_EQ(Vault().PutOver(LimitedLogin({}), 2).value(), 3);

  Secret loan = LimitedLogin({.lent_from = "login"});
  loan.name = "loan";
  ASSERT_TRUE(Vault().Revoke("login"));
  EXPECT_EQ(Vault().PutOver(std::move(loan), 0).error().code(), ErrorCode::kPreconditionFailed);
}

TEST_F(SecretTermsTest, TermsAreKeptAndToldWithoutValues) {
  const SecretTerms terms{.agents = {"shopper"},
                          .pages = {"/login"},
                          .expires_at = kNoon,
                          .uses = SecretUses::kOnce,
                          .used = {"totp"},
                          .is_revoked = true,
                          .lent_from = "other"};
  Put(terms);
  EXPECT_EQ(Vault().Find("login").value().terms, terms);
  EXPECT_EQ(json::serialize(ToJson(Vault().List().value().at(0)).at("terms")),
            R"({"agents":["shopper"],"pages":["/login"],"expires_at_ms":43200000,"uses":"once",)"
            R"("used":["totp"],"revoked":true,"lent_from":"other"})");
}

TEST_F(SecretTermsTest, TermsThatAreNotKnownAreNoTermsAtAll) {
  Secret secret = LimitedLogin({.is_revoked = true});
  const std::string packed(PackSecret(secret).Reveal());
  EXPECT_TRUE(UnpackSecret(SecretText(packed)));
  std::string strange = packed;
  strange.replace(strange.find("revoked"), 7, "revokes");
  EXPECT_EQ(UnpackSecret(SecretText(strange)).error().code(), ErrorCode::kStoreDamaged);
  EXPECT_EQ(UnpackSecret(SecretText(packed + "x")).error().code(), ErrorCode::kStoreDamaged);
}

// Written before secrets had terms.
TEST_F(SecretTermsTest, AnOldVaultIsReadAndASecretWithoutTermsIsWrittenAsThen) {
  constexpr std::string_view kOld =
      "falconer-vault 1 69b5a4ba42c17824fcafaa0b92a5dfbaedeec10697abc69ea08b0064bbfdc421\n"
      R"({"check":"p96j0XNrX2lGVzadOYzGPQ==","salt":"EenPx+nJ/CuGlrJ/7NH3MQ==","secrets":[{"name":)"
      R"("login","sealed":"16KeKFb31KcRPdpZHC8iIErSdvCvxPefxEjhYKwUn1wR3aNkt74PC2Fy2eEyd4xeO75cMJBg)"
      R"(xZXmep7SQXE14q6BqRa5tlfTbxBZnK59wf2d2M25Kt/m70XAV1tU1bpLzR4Un2OHeClxhdEupMzyn2tOz4g6KGgrlmdW)"
      R"(lahH6J4PqTIj4rs=","version":2}],"mac":"vY2ytbnpFNxyZOLD7i/WyhQxX3iFV8dNXL7GXbG9K6I="})"
      "\n";
  ASSERT_TRUE(WriteFileAtomic(folder_.path() / "v", kOld));
  EXPECT_EQ(Get({"login"}).value(), "correct horse");
  const Secret secret = Vault().Find("login").value();
  EXPECT_TRUE(secret.terms.empty());
  // Type, one host, two fields: texts with their lengths, and two numbers.
  EXPECT_EQ(PackSecret(secret).size(),
            (4U + 8) + 4 + (4 + 9) + 4 + (4 + 8 + 4 + 13) + (4 + 4 + 4 + 32));
}

}  // namespace
}  // namespace falconer::policy
