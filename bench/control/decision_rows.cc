#include "bench/control/decision_rows.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>

#include <openssl/evp.h>
#include <openssl/pem.h>

#include "base/async/clock.h"
#include "policy/redaction/redactor.h"
#include "policy/rules/policy.h"
#include "policy/tokens/compact_jws.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::bench {
namespace {

using std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kRules = 500;
constexpr std::size_t kRedactedBytes = std::size_t{8} << 20;

// How long one call takes when it is done for at least half a second.
template <typename Call>
double SecondsPerCall(const Call& call) {
  constexpr auto kAtLeast = std::chrono::milliseconds(500);
  for (std::int64_t times = 1;; times *= 2) {
    const auto start = steady_clock::now();
    for (std::int64_t i = 0; i < times; ++i) call();
    const auto took = steady_clock::now() - start;
    if (took >= kAtLeast) return Seconds(took).count() / static_cast<double>(times);
  }
}

class OneKey final : public policy::TokenKeySource {
 public:
  explicit OneKey(policy::TokenKey key) : key_(std::move(key)) {}
  Result<policy::TokenKey> KeyNamed(std::string_view /*name*/, WallTime /*now*/) const override {
    return key_;
  }

 private:
  policy::TokenKey key_;
};

std::string TokenFor(const policy::TokenKey& key, const Clock& clock) {
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(clock.WallNow().time_since_epoch()).count();
  const json::object claims{{"iss", "abos-policy-authority"},
                            {"aud", "abos-executor"},
                            {"sub", "shopper"},
                            {"jti", "token-1"},
                            {"iat", now},
                            {"exp", now + 240},
                            {"caps", json::array{"READ", "NAVIGATE", "INTERACT"}}};
  return policy::SignCompactJws(json::serialize(claims), "k1", key);
}

// The library's part: the digest and the signature, with a key that is read once.
class RawCheck {
 public:
  explicit RawCheck(const std::string& pem)
      : key_(Read(pem), &EVP_PKEY_free), context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {}
  bool Verifies(std::string_view text, std::string_view signature) const {
    const auto bytes = [](std::string_view view) {
      return reinterpret_cast<const unsigned char*>(view.data());  // NOLINT: the library's type
    };
    EVP_MD_CTX_reset(context_.get());
    return EVP_DigestVerifyInit(context_.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
           EVP_DigestVerify(context_.get(), bytes(signature), signature.size(), bytes(text),
                            text.size()) == 1;
  }

 private:
  static EVP_PKEY* Read(const std::string& pem) {
    BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
    EVP_PKEY* key = PEM_read_bio_PUBKEY(bio, nullptr, nullptr, nullptr);
    BIO_free(bio);
    return key;
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

std::string ManyRules() {
  std::string yaml = "policy: {name: bench, version: \"1\"}\nrules:\n";
  for (int i = 0; i < kRules; ++i) {
    yaml += fmt::format(
        "  - name: rule {0}\n    when:\n      domain: [shop{0}.example, \"*.shop{0}.example\"]\n"
        "      amount: {{lte: {1}, currency: USD}}\n    then: allow\n",
        i, 10 + i);
  }
  return yaml;
}

std::string LogLikeText() {
  constexpr std::string_view kLine =
      "2026-01-02T03:04:05Z info turn.sealed workflow=checkout step=12 url=https://shop.example/"
      "cart?item=42 took_ms=18 user=jane.doe@example.com state=3f2a9c note=\"the page was read and "
      "the button pressed\"\n";
  std::string text;
  while (text.size() < kRedactedBytes) text += kLine;
  return text;
}

}  // namespace

Result<std::vector<Row>> MeasureTokens() {
  const SystemClock clock;
  const auto key = policy::TokenKey::Generate(policy::TokenAlgorithm::kRs256);
  const std::string token = TokenFor(key, clock);
  const OneKey keys(key);
  const policy::TokenVerifier verifier({}, keys, clock);
  if (const auto good = verifier.Verify(token); !good) return std::unexpected(good.error());
  TRY_ASSIGN(const policy::CompactJws jws, policy::ParseCompactJws(token));
  const RawCheck raw(key.PublicPem());
  if (!raw.Verifies(jws.signed_text, jws.signature))
    return falconer::Fail(ErrorCode::kInternalError, "the library refuses the signature");
  const double whole = SecondsPerCall([&] { static_cast<void>(verifier.Verify(token)); });
  const double library =
      SecondsPerCall([&] { static_cast<void>(raw.Verifies(jws.signed_text, jws.signature)); });
  return std::vector<Row>{{.name = "tokens verified (RS256)",
                           .value = 1 / whole,
                           .unit = "1/s",
                           .baseline = Baseline{"OpenSSL EVP alone", 1 / library, Ratio::kShare},
                           .aim = Aim{Aim::Bound::kAtLeast, 0.8}}};
}

Result<std::vector<Row>> MeasurePolicy() {
  TRY_ASSIGN(const policy::Policy policy, policy::Policy::Parse(ManyRules()));
  model::PolicyFacts facts;
  facts.tenant = "local";
  facts.agent = "bench";
  facts.capabilities = {model::Capability::kInteract};
  facts.url = "https://www.shop250.example/cart";
  facts.page_url = facts.url;
  facts.now = std::chrono::system_clock::now();
  const double took =
      SecondsPerCall([&] { static_cast<void>(policy.Decide(policy::RuleSet::kActions, facts)); });
  return std::vector<Row>{{.name = fmt::format("policy decision, {} rules", kRules),
                           .value = took * 1e6,
                           .unit = "us",
                           .aim = Aim{Aim::Bound::kAtMost, 20, Aim::Of::kValue}}};
}

std::vector<Row> MeasureRedaction() {
  const policy::Redactor redactor;
  const std::string text = LogLikeText();
  const double took = SecondsPerCall([&] {
    std::string copy = text;
    redactor.RedactText(policy::Surface::kLog, copy);
  });
  return {{.name = "redaction of log text",
           .value = static_cast<double>(text.size()) / 1e6 / took,
           .unit = "MB/s",
           .aim = Aim{Aim::Bound::kAtLeast, 100, Aim::Of::kValue}}};
}

}  // namespace falconer::bench
