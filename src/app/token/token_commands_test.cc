#include "app/token/token_commands.h"

#include <gtest/gtest.h>

#include "app/token/token_input.h"
#include "ledger/reader.h"
#include "policy/tokens/key_folder.h"
#include "tests/support/command_bench.h"

namespace falconer::app {
namespace {

class TokenCommandsTest : public test::CommandBench {
 protected:
  void MakeKey() { Run({"token", "keygen", "--algorithm", "EdDSA", "--kid", "k1"}); }
  // A token of the agent that may read.
  json::object Issue(const std::string& agent = "shopper") {
    return Run({"token", "issue", "--agent", agent, "--capability", "READ"});
  }
  // What `token verify` says of it: "valid", or the reason.
  std::string Verify(const json::object& issued, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"token", "verify", TextAt(issued, "token")};
    words.insert(words.end(), more.begin(), more.end());
    words.emplace_back("--json");
    const test::Printed printed = Print(std::move(words));
    const json::object answer = ParseJsonObject(printed.out).value_or(json::object());
    EXPECT_EQ(printed.code, IsTrueAt(answer, "ok") ? kExitOk : kExitFailed) << printed.all();
    if (IsTrueAt(answer, "ok")) return "valid";
    return std::string(answer.at("error").at("details").at("reason").as_string());
  }
};

TEST_F(TokenCommandsTest, NothingIsIssuedWithoutAKey) {
  const json::object answer =
      Run({"token", "issue", "--agent", "a", "--capability", "READ"}, kExitFailed);
  EXPECT_EQ(answer.at("error").at("code").as_string(), "NOT_FOUND");
}

TEST_F(TokenCommandsTest, IssuesVerifiesAndLists) {
  MakeKey();
  const json::object issued =
      Run({"token", "issue", "--agent", "shopper", "--capability", "READ", "--capability",
           "CAP_PURCHASE", "--domain", "shop.example.com", "--max-purchase", "150 EUR", "--ttl",
           "60s", "--plan", "p1", "--no-pii"});
  EXPECT_EQ(issued.at("kid").as_string(), "k1");
  EXPECT_EQ(issued.at("granted").as_array().size(), 2U);
  EXPECT_TRUE(issued.at("denied").as_array().empty());

  EXPECT_EQ(Verify(issued), "valid");
  EXPECT_EQ(Verify(issued, {"--url", "https://shop.example.com/"}), "valid");
  EXPECT_EQ(Verify(issued, {"--url", "https://evil.test/"}), "domain_outside");
  EXPECT_EQ(Verify(issued, {"--capability", "PURCHASE", "--amount", "150EUR"}), "valid");
  EXPECT_EQ(Verify(issued, {"--capability", "PURCHASE", "--amount", "150.01 EUR"}), "amount_over");
  EXPECT_EQ(Verify(issued, {"--capability", "PURCHASE"}), "amount_unknown");
  EXPECT_EQ(Verify(issued, {"--capability", "DELETE"}), "capability_missing");
  const json::object row = Run({"token", "list"}).at("tokens").at(0).as_object();
  EXPECT_EQ(row.at("jti"), issued.at("jti"));
  EXPECT_EQ(row.at("standing").as_string(), "in_force");
  EXPECT_EQ(row.at("plan_id").as_string(), "p1");
}

TEST_F(TokenCommandsTest, WhereAProofIsAskedForWhatNeedsOneIsRefusedWithoutIt) {
  MakeKey();
  const std::vector<std::string> strict = {"--capability", "WRITE", "--set", "tokens.proof=true"};
  const json::object unproved =
      Run({"token", "issue", "--agent", "a", "--capability", "READ", "--capability", "WRITE"});
  const json::object proved = Run({"token", "issue", "--agent", "a", "--capability", "READ",
                                   "--capability", "WRITE", "--auth", "passkey"});

  EXPECT_EQ(Verify(unproved, {"--capability", "WRITE"}), "valid") << "nobody asks for it";
  EXPECT_EQ(Verify(unproved, strict), "proof_too_weak");
  EXPECT_EQ(Verify(proved, strict), "valid");
  const json::object asked = Run({"token", "issue", "--agent", "a", "--capability", "READ",
                                  "--capability", "WRITE", "--set", "tokens.proof=true"});
  EXPECT_EQ(asked.at("denied").as_array().size(), 1U) << json::serialize(asked);
}

TEST_F(TokenCommandsTest, PrintsTheTokenAloneForPeople) {
  MakeKey();
  const std::string text = Text({"token", "issue", "--agent", "shopper", "--capability", "READ"});
  EXPECT_EQ(std::ranges::count(text, '.'), 2);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  EXPECT_TRUE(Text({"token", "list"}).contains("shopper"));
  EXPECT_TRUE(Text({"keys", "list"}).contains("primary"));
}

TEST_F(TokenCommandsTest, RevokesOneAnAgentsAndAll) {
  MakeKey();
  const json::object one = Issue();
  const json::object two = Issue();
  const json::object other = Issue("other");

  Run({"token", "revoke", TextAt(one, "jti"), "--reason", "stolen"});
  EXPECT_EQ(Verify(one), "revoked");
  EXPECT_EQ(Verify(two), "valid");
  EXPECT_EQ(Run({"token", "revoke-agent", "shopper"}).at("revoked"), 1)
      << "the other was revoked before";
  EXPECT_EQ(Verify(two), "agent_revoked");
  EXPECT_EQ(Verify(other), "valid");
  EXPECT_EQ(Verify(Issue()), "valid") << "issued after the revocation";
  EXPECT_EQ(Run({"token", "revoke-all", "--reason", "incident"}).at("revoked"), 2);
  EXPECT_EQ(Verify(other), "all_revoked");
  EXPECT_EQ(
      Run({"token", "list", "--agent", "other"}).at("tokens").at(0).at("revoked_by").as_string(),
      "all");
}

TEST_F(TokenCommandsTest, SaysWhenWhatIsRevokedWasNotIssuedHere) {
  MakeKey();
  const json::object issued = Issue();
  const std::string known = TextAt(issued, "jti");
  EXPECT_EQ(Text({"token", "revoke", known}), "revoked " + known + "\n");
  EXPECT_EQ(Run({"token", "revoke", known}).at("issued_here"), true);

  const std::string text = Text({"token", "revoke", "stranger"});

  EXPECT_TRUE(text.contains("revoked stranger")) << text;
  EXPECT_TRUE(text.contains("no token of this id was issued here")) << text;
  EXPECT_EQ(Run({"token", "revoke", "stranger"}).at("issued_here"), false);
  EXPECT_EQ(Run({"token", "revoke", TextAt(issued, "token")}, kExitUsage).at("ok"), false)
      << "a whole token is no id";
}

TEST_F(TokenCommandsTest, SaysWhatToDoAboutDamagedKeys) {
  MakeKey();
  const auto ring = policy::KeyFolder::PathIn(folder_.path()) / "ring.json";
  ASSERT_TRUE(WriteFileAtomic(ring, "{"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"keys", "list"},
        {"token", "keygen"},
        {"token", "issue", "--agent", "a", "--capability", "READ"}}) {
    const json::object answer = Run(words, kExitUsage);
    const std::string hint = TextAt(answer.at("error").as_object(), "hint");
    EXPECT_TRUE(hint.contains("backup") && hint.contains("token keygen")) << hint;
  }
}

TEST_F(TokenCommandsTest, RotationKeepsOldTokensAndRemovalDoesNot) {
  MakeKey();
  const json::object old = Issue();
  const json::object ring = Run({"keys", "rotate", "--algorithm", "ES256"});
  ASSERT_EQ(ring.at("keys").as_array().size(), 2U);
  EXPECT_EQ(ring.at("keys").at(0).at("state").as_string(), "deprecated");
  EXPECT_EQ(Verify(old), "valid");
  const json::object fresh = Issue();
  EXPECT_NE(TextAt(fresh, "kid"), "k1");
  EXPECT_EQ(Verify(fresh), "valid");

  Run({"keys", "remove", "k1"});

  EXPECT_EQ(Verify(old), "unknown_kid");
  EXPECT_EQ(Verify(fresh), "valid");
}

TEST_F(TokenCommandsTest, AnEmergencyRotationEndsTheOldTokens) {
  MakeKey();
  const json::object old = Issue();
  Run({"keys", "rotate", "--algorithm", "EdDSA", "--grace", "0s"});
  EXPECT_EQ(Verify(old), "key_retired");
  EXPECT_EQ(Run({"keys", "list"}).at("keys").at(0).at("state").as_string(), "retired");
}

TEST_F(TokenCommandsTest, TakesThePublicKeyOfAnotherIssuer) {
  const auto outside = policy::TokenKey::Generate(policy::TokenAlgorithm::kEdDsa);
  const auto file = folder_.path() / "authority.pem";
  ASSERT_TRUE(WriteFileAtomic(file, outside.PrivatePem()));
  Run({"keys", "import", file.string()}, kExitUsage);
  const json::object ring = Run({"keys", "import", file.string(), "--kid", "authority"});
  EXPECT_EQ(ring.at("keys").at(0).at("signs"), false) << "a private half is not taken along";
  Run({"keys", "set-primary", "authority"}, kExitUsage);
}

TEST_F(TokenCommandsTest, TakesAPublicKeyAsAJwk) {
  const auto file = folder_.path() / "authority.json";
  const std::string x = R"("x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")";
  ASSERT_TRUE(WriteFileAtomic(file, "\n{\"kty\": \"OKP\", \"crv\": \"Ed25519\", " + x + "}\n"));
  const json::object ring = Run({"keys", "import", file.string(), "--kid", "authority"});
  EXPECT_EQ(ring.at("keys").at(0).at("algorithm").as_string(), "EdDSA");
  EXPECT_EQ(ring.at("keys").at(0).at("signs"), false);
  ASSERT_TRUE(WriteFileAtomic(file, "{\"kty\": \"oct\", \"k\": \"c2VjcmV0\"}"));
  Run({"keys", "import", file.string(), "--kid", "other"}, kExitUsage);
}

TEST_F(TokenCommandsTest, RefusesWordsThatMakeNoSense) {
  MakeKey();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"token", "issue", "--agent", "a", "--capability", "FLY"},
        {"token", "issue", "--capability", "READ"},
        {"token", "issue", "--agent", "a"},
        {"token", "issue", "--agent", "a", "--capability", "READ", "--ttl", "2h"},
        {"token", "issue", "--agent", "a", "--capability", "READ", "--ttl", "soon"},
        {"token", "issue", "--agent", "a", "--capability", "READ", "--domain", "a*b"},
        {"token", "issue", "--agent", "a", "--capability", "READ", "--max-purchase", "150"},
        {"token", "issue", "--agent", "a", "--capability", "READ", "--auth", "promise"},
        {"token", "keygen", "--algorithm", "HS256"},
        {"token", "keygen", "--kid", "../x"},
        {"token", "list", "--limit", "0"},
        {"token", "revoke", ""},
        {"token", "revoke-agent", ""},
        {"keys", "deprecate", "k1"},
        {"keys", "rotate", "--grace", "later"}}) {
    EXPECT_EQ(Run(words, kExitUsage).at("ok"), false);
  }
  EXPECT_EQ(Run({"keys", "remove", "nobody"}, kExitFailed).at("ok"), false);
}

TEST_F(TokenCommandsTest, EverythingIsOnRecordAndNoTokenIs) {
  MakeKey();
  const json::object issued = Issue();
  Run({"token", "revoke", TextAt(issued, "jti")});
  Run({"token", "revoke-all"});
  const json::object records = Run({"audit", "query", "--kind", "token"});
  std::vector<std::string> events;
  for (const json::value& record : records.at("records").as_array()) {
    events.emplace_back(record.at("payload").at("event").as_string());
  }
  EXPECT_EQ(events, (std::vector<std::string>{"key_made", "token_issue", "token_revoke",
                                              "token_revoke_all"}));
  const std::string text = json::serialize(records);
  EXPECT_TRUE(text.contains(TextAt(issued, "jti")));
  EXPECT_FALSE(text.contains(TextAt(issued, "token").substr(0, 40)));
}

}  // namespace
}  // namespace falconer::app
