// Secrets in contracts: asked for last of all, given as their terms say.

#include "base/async/fake_clock.h"
#include "engine/action_engine.h"
#include "engine/attempt_rules.h"
#include "engine/secret_desk.h"
#include "policy/secrets/totp.h"
#include "policy/secrets/vault_file.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

constexpr std::string_view kSeed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
constexpr std::string_view kFillCode =
    R"({"action_type": "fill", "selector": "#password", "text": {"secret": "login", "field": "totp"}})";
constexpr std::string_view kTypePassword =
    R"({"action_type": "type", "selector": "#password", "text": {"secret": "login"}})";

// A vault that counts how often it is asked.
class CountingVault final : public policy::SecretSource {
 public:
  CountingVault(policy::VaultFile vault, std::atomic<int>* asked)
      : vault_(std::move(vault)), asked_(asked) {}
  std::string_view kind() const override { return vault_.kind(); }
  Result<policy::Secret> Find(std::string_view name) override {
    ++*asked_;
    return vault_.Find(name);
  }
  Result<policy::SecretText> Take(std::string_view name, std::string_view field,
                                  const Check& check) override {
    return vault_.Take(name, field, check);
  }
  Result<std::vector<policy::SecretInfo>> List() override { return vault_.List(); }
  Result<std::vector<policy::Secret>> Known() override { return vault_.Known(); }

 private:
  policy::VaultFile vault_;
  std::atomic<int>* asked_;
};

// A desk with a vault of one login, on a clock of its own.
struct SecretBench {
  explicit SecretBench(policy::SecretTerms terms = {}) {
    policy::VaultFile vault(folder.path() / "vault", policy::VaultKey::Random());
    policy::Secret login{.name = "login",
                         .hosts = policy::ParseHostPatterns({"127.0.0.1", "localhost"}).value(),
                         .terms = std::move(terms)};
    login.fields.push_back({"password", policy::SecretText("correct horse")});
    login.fields.push_back({"totp", policy::SecretText(kSeed)});
    login.fields.push_back({"username", policy::SecretText("ann")});
    EXPECT_TRUE(vault.Put(std::move(login)));
    engine::SecretDesk::Sources sources;
    sources.push_back(std::make_unique<CountingVault>(std::move(vault), &asked));
    desk.emplace(clock, redactor, std::move(sources));
  }
  // The code of this moment.
  std::string Code() const {
    const auto spec = policy::ParseTotp(kSeed).value();
    const auto now = std::chrono::floor<std::chrono::seconds>(clock.WallNow());
    return std::string(policy::TotpCode(spec, now).Reveal());
  }

  TempDir folder = TempDir::Create("falconer-secret-turn-").value();
  FakeClock clock;
  policy::Redactor redactor;
  std::atomic<int> asked = 0;
  std::optional<engine::SecretDesk> desk;
};

// What people decide, after a while.
struct People {
  FakeClock& clock;
  Result<void> answer = {};

  Task<Result<void>> Decide() {
    clock.Advance(std::chrono::minutes(5));
    co_return answer;
  }
};

// A page that goes on while people decide.
struct OtherPage {
  BrowserFixture& t;

  Task<Result<void>> Comes() {
    co_await t.Open("/form.html?again");
    co_return Result<void>();
  }
};

// With an element that is judged, as in every turn.
Task<Result<void>> Met() {
  co_return Result<void>();
}

using Before = std::function<Task<Result<void>>()>;

Task<model::ActionExecutionResult> CarryAs(BrowserFixture& t, SecretBench& bench, Before before,
                                           std::string_view action, std::string agent = "shopper") {
  const auto contract = model::ActionContract::FromJson(
      ParseJson(R"({"workflow_id": "w1", "action_spec": )" + std::string(action) + "}").value());
  EXPECT_TRUE(contract) << Why(contract);
  engine::DriveKit kit(t.session, {});
  const auto guards = model::DeriveGuards(*contract);
  const engine::EngineInput input{.contract = *contract,
                                  .guards = guards,
                                  .before_effect = std::move(before),
                                  .meets = [](const model::ElementFacts&) { return Met(); },
                                  .reveal = engine::RevealFrom(&*bench.desk, std::move(agent))};
  co_return co_await engine::CarryOut(t.ctx, &kit, &input);
}

Task<model::ActionExecutionResult> CarryAs(BrowserFixture& t, SecretBench& bench, People& people,
                                           std::string_view action, std::string agent = "shopper") {
  return CarryAs(t, bench, [&people] { return people.Decide(); }, action, std::move(agent));
}

std::string EndOf(const model::ActionExecutionResult& result) {
  if (!result.failure) return "success";
  const std::string reason = TextAt(result.failure->details, "reason");
  return reason.empty() ? std::string(TraitsOf(result.failure->code).name) : reason;
}

BROWSER_TEST(SecretTurnTest, TheCodeThatIsTypedIsThatOfTheMomentOfTyping) {
  SecretBench bench;
  People people{.clock = bench.clock};
  co_await t.Open("/form.html");
  const std::string before = bench.Code();

  const auto filled = co_await CarryAs(t, bench, people, kFillCode);

  EXPECT_EQ(EndOf(filled), "success") << json::serialize(filled.ToJson());
  EXPECT_NE(before, bench.Code()) << "the hold was longer than a code lives";
  EXPECT_EQ(co_await t.PageText("password.value"), bench.Code());
}

BROWSER_TEST(SecretTurnTest, WhatPeopleDenyNeverAsksForTheSecret) {
  SecretBench bench({.uses = policy::SecretUses::kOnce});
  People people{.clock = bench.clock, .answer = Fail(ErrorCode::kApprovalDenied, "no")};
  co_await t.Open("/form.html");

  const auto denied = co_await CarryAs(t, bench, people, kTypePassword);
  people.answer = {};
  const int asked = bench.asked;
  const auto approved = co_await CarryAs(t, bench, people, kTypePassword);

  EXPECT_EQ(EndOf(denied), "APPROVAL_DENIED") << json::serialize(denied.ToJson());
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(EndOf(approved), "success") << json::serialize(approved.ToJson());
  EXPECT_EQ(co_await t.PageText("password.value"), "correct horse");
}

BROWSER_TEST(SecretTurnTest, ASecretThatIsRefusedLeavesNothingDone) {
  SecretBench bench({.agents = {"shopper"}});
  People people{.clock = bench.clock};
  co_await t.Open("/form.html");

  const auto refused = co_await CarryAs(t, bench, people, kTypePassword, "other");

  EXPECT_EQ(EndOf(refused), "secret_agent") << json::serialize(refused.ToJson());
  EXPECT_EQ(TraitsOf(refused.failure->code).name, "CONSTRAINT_VIOLATED");
  EXPECT_FALSE(refused.metadata.contains(engine::kMayHaveActed)) << "nothing was typed";
  EXPECT_EQ(co_await t.PageText("password.value"), "");
}

BROWSER_TEST(SecretTurnTest, NoScriptRunsWhereASecretWasTyped) {
  constexpr std::string_view kSpell =
      R"js({"action_type": "custom_js_restricted",
          "js_expression": "[...document.querySelector('#password').value].map(c => c.codePointAt())"})js";
  SecretBench bench;
  People people{.clock = bench.clock};
  co_await t.Open("/form.html");
  const auto harmless = co_await CarryAs(t, bench, people, kSpell);
  EXPECT_EQ(EndOf(harmless), "success") << json::serialize(harmless.ToJson());
  const auto typed = co_await CarryAs(t, bench, people, kTypePassword);
  EXPECT_EQ(EndOf(typed), "success") << json::serialize(typed.ToJson());

  const auto spelled = co_await CarryAs(t, bench, people, kSpell);

  EXPECT_EQ(EndOf(spelled), "SECURITY_JS_BLOCKED") << json::serialize(spelled.ToJson());
  co_await t.Open("/form.html?again");
  const auto anew = co_await CarryAs(t, bench, people, kSpell);
  EXPECT_EQ(EndOf(anew), "SECURITY_JS_BLOCKED")
      << "the site may keep it: " << json::serialize(anew.ToJson());
}

BROWSER_TEST(SecretTurnTest, ASingleUseSecretIsTypedOnce) {
  SecretBench bench({.uses = policy::SecretUses::kOnce});
  People people{.clock = bench.clock};
  co_await t.Open("/form.html");

  const auto first = co_await CarryAs(t, bench, people, kTypePassword);
  co_await t.Open("/form.html");
  const auto second = co_await CarryAs(t, bench, people, kTypePassword);

  EXPECT_EQ(EndOf(first), "success") << json::serialize(first.ToJson());
  EXPECT_EQ(EndOf(second), "secret_used") << json::serialize(second.ToJson());
  EXPECT_EQ(co_await t.PageText("password.value"), "");
}

std::string PutSecret(std::string_view action, std::string_view selector,
                      std::string_view field = "password") {
  return R"({"action_type": ")" + std::string(action) + R"(", "selector": ")" +
         std::string(selector) + R"(", "text": {"secret": "login", "field": ")" +
         std::string(field) + R"("}})";
}

BROWSER_TEST(SecretTurnTest, WhatIsMeantForOthersOrForAnAddressGetsNoSecretButTheNameOfAUser) {
  SecretBench bench({.uses = policy::SecretUses::kOnce});
  People people{.clock = bench.clock};
  t.site.Serve("/page",
               "<textarea id=notes></textarea><div id=rich contenteditable>-</div>"
               "<input id=find type=search><input id=link type=url><input id=plain>");
  co_await t.Open("/page");

  for (const char* selector : {"#notes", "#rich", "#find", "#link"}) {
    for (const char* action : {"fill", "type"}) {
      for (const char* field : {"password", "totp"}) {
        const std::string put = PutSecret(action, selector, field);
        const auto refused = co_await CarryAs(t, bench, people, put);
        EXPECT_EQ(EndOf(refused), "secret_place") << put << json::serialize(refused.ToJson());
        EXPECT_FALSE(refused.metadata.contains(engine::kMayHaveActed)) << put;
      }
    }
  }
  const auto named = co_await CarryAs(t, bench, people, PutSecret("fill", "#notes", "username"));
  const auto typed = co_await CarryAs(t, bench, people, PutSecret("type", "#plain"));

  EXPECT_EQ(EndOf(named), "success") << json::serialize(named.ToJson());
  EXPECT_EQ(EndOf(typed), "success") << "used up: " << json::serialize(typed.ToJson());
  EXPECT_EQ(co_await t.PageText(
                "[notes.value, rich.textContent, find.value, link.value, plain.value].join('|')"),
            "ann|-|||correct horse");
}

// What comes instead is asked about, and gets the value.
BROWSER_TEST(SecretTurnTest, APageThatIsReplacedMeanwhileDoesNotCostTheSecret) {
  SecretBench bench({.uses = policy::SecretUses::kOnce});
  OtherPage other{t};
  co_await t.Open("/form.html");

  const auto typed = co_await CarryAs(t, bench, [&other] { return other.Comes(); }, kTypePassword);

  EXPECT_EQ(EndOf(typed), "success") << json::serialize(typed.ToJson());
  EXPECT_EQ(co_await t.PageText("location.search + password.value"), "?againcorrect horse");
}

}  // namespace
}  // namespace falconer::test
