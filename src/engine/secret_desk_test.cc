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
  SlowSource(std::atomic<bool>* may_answer, policy::SecretTerms terms)
      : may_answer_(may_answer), terms_(std::move(terms)) {}

  std::string_view kind() const override { return "slow"; }
  Result<policy::Secret> Find(std::string_view name) override {
    may_answer_->wait(false);
    if (name != "shop") return Fail(ErrorCode::kNotFound, "none");
    policy::Secret secret{
        .name = "shop", .hosts = policy::ParseHostPatterns({"shop.test"}).value(), .terms = terms_};
    secret.fields.push_back({"password", policy::SecretText("hunter2-and-more")});
    return secret;
  }
  Result<std::vector<policy::SecretInfo>> List() override {
    return std::vector<policy::SecretInfo>();
  }
  Result<std::vector<policy::Secret>> Known() override { return std::vector<policy::Secret>(); }

 private:
  std::atomic<bool>* may_answer_;
  policy::SecretTerms terms_;
};

struct DeskBench {
  explicit DeskBench(const CallContext& ctx, bool answers = true, policy::SecretTerms terms = {})
      : may_answer(answers) {
    SecretDesk::Sources sources;
    sources.push_back(std::make_unique<SlowSource>(&may_answer, std::move(terms)));
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

SecretAsk AskFor(std::string url) {
  return {.reference = {"shop", ""}, .url = std::move(url)};
}

CO_TEST(SecretDeskTest, GivesAValueOnlyToItsHosts) {
  DeskBench bench(ctx);
  const auto value = co_await bench.desk->Resolve(ctx, AskFor("https://shop.test/login"));
  EXPECT_TRUE(value && value->Reveal() == "hunter2-and-more");
  for (const std::string url :
       {"https://evil.test/", "https://shop.test.evil.test/", "https://a.shop.test/",
        // Anybody on the way could have written it.
        "http://shop.test/login"}) {
    const auto refused = co_await bench.desk->Resolve(ctx, AskFor(url));
    EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kSecurityDomainBlock) << url;
  }
}

CO_TEST(SecretDeskTest, ADocumentWithoutAHostGetsNothing) {
  DeskBench bench(ctx);
  for (const std::string url :
       {"about:blank", "about:srcdoc", "data:text/html,x", "null", "", "file:///etc/passwd",
        "blob:https://shop.test/1", "ftp://shop.test"}) {
    const auto refused = co_await bench.desk->Resolve(ctx, AskFor(url));
    EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kSecurityDomainBlock) << url;
  }
}

CO_TEST(SecretDeskTest, TheRedactorKnowsAValueBeforeWhoeverAsked) {
  DeskBench bench(ctx);
  const auto value = co_await bench.desk->Resolve(ctx, AskFor("https://shop.test/"));
  EXPECT_TRUE(value);
  std::string text = "the page says hunter2-and-more";
  bench.redactor.RedactText(policy::Surface::kLedger, text);
  EXPECT_EQ(text, "the page says [secret shop]");
}

CO_TEST(SecretDeskTest, ASlowSourceHoldsUpNobodyWhoHasNoTime) {
  DeskBench bench(ctx, false);
  const auto late = co_await bench.desk->Resolve(ctx.WithTimeout(std::chrono::milliseconds(20)),
                                                 AskFor("https://shop.test/"));
  EXPECT_TRUE(!late && late.error().code() == ErrorCode::kTimeout);
  bench.Answer();
  const auto value = co_await bench.desk->Resolve(ctx, AskFor("https://shop.test/"));
  EXPECT_TRUE(value);
}

CO_TEST(SecretDeskTest, ABlankDocumentBelongsToItsMaker) {
  DeskBench bench(ctx);
  const RevealSecret reveal = RevealFrom(&*bench.desk, "shopper");
  browser::SecretUse use{.text = {.value = "shop", .source = model::TextInput::Source::kSecret},
                         .url = "about:srcdoc",
                         .origin = "https://shop.test",
                         .page_url = "https://evil.test/"};
  const auto value = co_await reveal(ctx, use, policy::SecretPurpose::kTyping);
  EXPECT_TRUE(value && *value == "hunter2-and-more");
  // An address can be had by a document that belongs to nobody.
  use.url = "https://shop.test/sandboxed";
  use.origin = "null";
  const auto refused = co_await reveal(ctx, use, policy::SecretPurpose::kTyping);
  EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kSecurityDomainBlock);
}

std::string ReasonIn(const Result<std::string>& value) {
  return value ? "given" : TextAt(value.error().details(), "reason");
}

CO_TEST(SecretDeskTest, WhoAsksAndOnWhichPageIsHeldAgainstTheTerms) {
  DeskBench bench(ctx, true, {.agents = {"shopper"}, .pages = {"/login"}});
  browser::SecretUse use{.text = {.value = "shop", .source = model::TextInput::Source::kSecret},
                         .url = "https://shop.test/login?next=%2F#top",
                         .origin = "https://shop.test",
                         .page_url = "https://shop.test/login"};
  constexpr auto kTyping = policy::SecretPurpose::kTyping;
  const RevealSecret shopper = RevealFrom(&*bench.desk, "shopper");
  const RevealSecret other = RevealFrom(&*bench.desk, "other");

  const auto given = co_await shopper(ctx, use, kTyping);
  const auto to_other = co_await other(ctx, use, kTyping);
  use.url = "https://shop.test/";
  const auto elsewhere = co_await shopper(ctx, use, kTyping);
  // The page around it does not count, and a blank document has no path.
  use.url = "about:srcdoc";
  const auto blank = co_await shopper(ctx, use, kTyping);

  EXPECT_EQ(ReasonIn(given), "given");
  EXPECT_EQ(ReasonIn(to_other), "secret_agent");
  EXPECT_EQ(ReasonIn(elsewhere), "secret_page");
  EXPECT_EQ(ReasonIn(blank), "secret_page");
}

CO_TEST(SecretDeskTest, WhatItIsForIsHeldAgainstTheTerms) {
  DeskBench bench(ctx, true, {.uses = policy::SecretUses::kOnce});
  const browser::SecretUse use{
      .text = {.value = "shop", .source = model::TextInput::Source::kSecret},
      .url = "https://shop.test/",
      .origin = "https://shop.test",
      .page_url = "https://shop.test/"};
  const RevealSecret reveal = RevealFrom(&*bench.desk, "shopper");

  const auto compared = co_await reveal(ctx, use, policy::SecretPurpose::kComparing);
  const auto typed = co_await reveal(ctx, use, policy::SecretPurpose::kTyping);

  EXPECT_EQ(ReasonIn(compared), "secret_single_use");
  EXPECT_TRUE(!typed && typed.error().code() == ErrorCode::kUnsupported)
      << "a source that cannot forget does not give what is to be given once";
}

TEST(SecretDeskTest, WithoutADeskNothingIsRevealed) {
  EXPECT_FALSE(RevealFrom(nullptr, ""));
}

}  // namespace
}  // namespace falconer::engine
