#include "engine/secret_desk.h"

#include <atomic>

#include <gtest/gtest.h>

#include "engine/reveal_secret.h"
#include "policy/secrets/secret_store.h"
#include "tests/support/co_test.h"

namespace falconer::engine {
namespace {

// One secret, found as slowly as the test wants.
class SlowSource final : public policy::SecretSource {
 public:
  explicit SlowSource(std::atomic<bool>* may_answer) : may_answer_(may_answer) {}

  std::string_view kind() const override { return "slow"; }
  Result<policy::Secret> Find(std::string_view name) override {
    may_answer_->wait(false);
    if (name != "shop") return Fail(ErrorCode::kNotFound, "none");
    policy::Secret secret{.name = "shop",
                          .hosts = policy::ParseHostPatterns({"shop.test"}).value()};
    secret.fields.push_back({"password", policy::SecretText("hunter2-and-more")});
    return secret;
  }
  Result<std::vector<policy::SecretInfo>> List() override {
    return std::vector<policy::SecretInfo>();
  }
  Result<std::vector<policy::Secret>> Known() override { return std::vector<policy::Secret>(); }

 private:
  std::atomic<bool>* may_answer_;
};

struct DeskBench {
  explicit DeskBench(const CallContext& ctx, bool answers = true) : may_answer(answers) {
    SecretDesk::Sources sources;
    sources.push_back(std::make_unique<SlowSource>(&may_answer));
    desk.emplace(ctx.clock(), redactor, std::move(sources));
  }
  ~DeskBench() { Answer(); }
  void Answer() {
    may_answer = true;
    may_answer.notify_all();
  }

  std::atomic<bool> may_answer;
  policy::Redactor redactor;
  std::optional<SecretDesk> desk;
};

CO_TEST(SecretDeskTest, GivesAValueOnlyToItsHosts) {
  DeskBench bench(ctx);
  const auto value = co_await bench.desk->Resolve(ctx, {"shop", ""}, "https://shop.test/login");
  EXPECT_TRUE(value && value->Reveal() == "hunter2-and-more");
  for (const std::string url :
       {"https://evil.test/", "https://shop.test.evil.test/", "https://a.shop.test/"}) {
    const auto refused = co_await bench.desk->Resolve(ctx, {"shop", ""}, url);
    EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kSecurityDomainBlock) << url;
  }
}

CO_TEST(SecretDeskTest, ADocumentWithoutAHostGetsNothing) {
  DeskBench bench(ctx);
  for (const std::string url :
       {"about:blank", "about:srcdoc", "data:text/html,x", "null", "", "file:///etc/passwd",
        "blob:https://shop.test/1", "ftp://shop.test"}) {
    const auto refused = co_await bench.desk->Resolve(ctx, {"shop", ""}, url);
    EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kSecurityDomainBlock) << url;
  }
}

CO_TEST(SecretDeskTest, TheRedactorKnowsAValueBeforeWhoeverAsked) {
  DeskBench bench(ctx);
  const auto value = co_await bench.desk->Resolve(ctx, {"shop", ""}, "https://shop.test/");
  EXPECT_TRUE(value);
  std::string text = "the page says hunter2-and-more";
  bench.redactor.RedactText(policy::Surface::kLedger, text);
  EXPECT_EQ(text, "the page says [secret shop]");
}

CO_TEST(SecretDeskTest, ASlowSourceHoldsUpNobodyWhoHasNoTime) {
  DeskBench bench(ctx, false);
  const auto late = co_await bench.desk->Resolve(ctx.WithTimeout(std::chrono::milliseconds(20)),
                                                 {"shop", ""}, "https://shop.test/");
  EXPECT_TRUE(!late && late.error().code() == ErrorCode::kTimeout);
  bench.Answer();
  const auto value = co_await bench.desk->Resolve(ctx, {"shop", ""}, "https://shop.test/");
  EXPECT_TRUE(value);
}

CO_TEST(SecretDeskTest, ABlankDocumentBelongsToItsMaker) {
  DeskBench bench(ctx);
  const RevealSecret reveal = RevealFrom(&*bench.desk);
  browser::SecretUse use{.text = {.value = "shop", .source = model::TextInput::Source::kSecret},
                         .url = "about:srcdoc",
                         .origin = "https://shop.test",
                         .page_url = "https://evil.test/"};
  const auto value = co_await reveal(ctx, use);
  EXPECT_TRUE(value && *value == "hunter2-and-more");
  // An address can be had by a document that belongs to nobody.
  use.url = "https://shop.test/sandboxed";
  use.origin = "null";
  const auto refused = co_await reveal(ctx, use);
  EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kSecurityDomainBlock);
}

TEST(SecretDeskTest, WithoutADeskNothingIsRevealed) {
  EXPECT_FALSE(RevealFrom(nullptr));
}

}  // namespace
}  // namespace falconer::engine
