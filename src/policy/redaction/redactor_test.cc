#include "policy/redaction/redactor.h"

#include <random>

#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/file.h"

namespace falconer::policy {
namespace {

std::string Masked(std::string text, Surface surface = Surface::kPreview) {
  Redactor().RedactText(surface, text);
  return text;
}

std::string MaskedJson(std::string_view text, Surface surface = Surface::kPreview) {
  json::value value = ParseJson(text).value();
  Redactor().RedactJson(surface, value);
  return json::serialize(value);
}

std::string MaskedBody(std::string_view type, std::string body) {
  Redactor().RedactBody(Surface::kPreview, type, body);
  return body;
}

// Put together here, so that no scanner takes this file for a leak.
std::string Key(std::string_view prefix, std::size_t length) {
  constexpr std::string_view kRest = "A7bC9dE2fG4hI6jK8lM1nO3pQ5rS0tU7vW9xY2zA4bC6dE8fG1hI3jK5lM7n";
  return std::string(prefix) + std::string(kRest.substr(0, length));
}

struct TextRow {
  std::string text;
  std::string expected;
};

const std::string kJwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJlLXdpdGgtYnl0ZXM";

std::vector<TextRow> TextRows() {
  return {
      {"password=hunter2&user=jane", "password=********&user=jane"},
      {"Password: hunter2!", "Password: ********"},
      {"{\"password\": \"$ecret{1}\"}", "{\"password\": \"********\"}"},
      {"password='[x]'", "password='********'"},
      {R"({"password": "hun\"ter 2", "a": 1})", R"({"password": "********", "a": 1})"},
      {R"(body="{\"password\":\"x y\",\"b\":1}")", R"(body="{\"password\":\"********\",\"b\":1}")"},
      {"mutation { login(password: \"x\", user: \"jane\") }",
       "mutation { login(password: \"********\", user: \"jane\") }"},
      {"user%5Bpassword%5D=abc&x=1", "user%5Bpassword%5D=********&x=1"},
      {"pay 4111 1111 1111 1111 now", "pay ****-****-****-1111 now"},
      {"pay 4111-1111-1111-1111.", "pay ****-****-****-1111."},
      {"amex 378282246310005", "amex ****-****-****-0005"},
      {"ssn 123-45-6789", "ssn ***-**-6789"},
      {"mail jane.doe+x@example.com now", "mail j***@example.com now"},
      {"call +49 30 1234567, or (555) 123-4567", "call ***4567, or ***4567"},
      {"to DE89 3704 0044 0532 0130 00 today", "to DE**...3000 today"},
      {"GB82WEST12345698765432", "GB**...5432"},
      {"BE68 5390 0754 7034", "BE**...7034"},
      {"key " + Key("sk_live_", 24) + " ok", "key sk_...nO3p ok"},
      {"Authorization: Bearer " + Key("", 32), "Authorization: Bearer ********"},
      {"-H 'Authorization: Basic amFuZTpodW50ZXIy'", "-H 'Authorization: Basic ********'"},
      {"sent Basic amFuZTpodW50ZXIy along", "sent Basic ******** along"},
      {"jwt " + kJwt + ".", "jwt eyJ...0ZXM."},
      {"https://jane:hunter2@example.com/a", "https://jane:********@example.com/a"},
      {"https://example.com/?a=1&access_token=abcdef&b=2",
       "https://example.com/?a=1&access_token=********&b=2"},
      {"https://app.test/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=x",
       "https://app.test/cb?code=Spl...SbIA&state=x"},
      {"Cookie: sid=abc123; theme=dark\r\nHost: a.test",
       "Cookie: sid=********; theme=********\r\nHost: a.test"},
      {"Set-Cookie: sid=abc; Path=/; HttpOnly", "Set-Cookie: sid=********; Path=/; HttpOnly"},
      {"cvv=123&zip=94110", "cvv=***&zip=94110"},
      {"a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb",
       "a\n[private_key]\nb"},
      {"cut -----BEGIN PRIVATE KEY-----\nMIIE", "cut [private_key]"},
      {"the value is " + Key("", 40) + " there", "the value is A7b...Y2zA there"},
      {"X-Api-Key: " + Key("", 20), "X-Api-Key: A7b...8lM1"},
  };
}

TEST(RedactorTest, MasksWhatTextsHold) {
  for (const TextRow& row : TextRows()) EXPECT_EQ(Masked(row.text), row.expected) << row.text;
}

TEST(RedactorTest, MasksTheKeysOfEveryIssuer) {
  for (const std::string& key :
       {Key("ghp_", 36), Key("github_pat_", 40), Key("glpat-", 20), Key("xoxb-", 30),
        Key("rk_live_", 24), Key("sk-ant-api03-", 40), Key("sk-proj-", 40), Key("sk-", 40),
        Key("AIza", 35), Key("ya29.", 40), Key("npm_", 36), Key("hf_", 34), Key("SG.", 42),
        std::string("AKIAIOSFODNN7EXAMPLE"), Key("hvs.", 24), Key("shpat_", 32)}) {
    const std::string text = "using " + key + " here";
    const std::string masked = Masked(text);
    EXPECT_FALSE(masked.contains(key.substr(4, key.size() - 8))) << masked;
    EXPECT_TRUE(masked.contains("...")) << masked;
    EXPECT_FALSE(Masked(text, Surface::kModel).contains(key)) << key;
  }
}

TEST(RedactorTest, LeavesOrdinaryTextAlone) {
  for (const char* text : {
           "Password: required",
           "Forgot your password? Enter the token we sent.",
           "The password must have 8 characters.",
           "{\"tokens_used\": 512, \"max_tokens\": 4096, \"token_type\": \"bearer\"}",
           "next_page_token=abc",
           "const password = form.password;",
           "token = getToken()",
           "curl -H \"X-Api-Key: ${API_KEY}\" --data password={{password}}",
           "if (token == other || api_key==x) return;",
           "{\"text\":{\"secret\":\"LOGIN\",\"field\":\"username\"}}",
           "{\"secret\":\"LOGIN\"}",
           "TEST(CanonicalJsonTest, SortsKeysByUtf16CodeUnits)",
           "Basic understanding of Bearer tokens",
           "order 1234567890123456 shipped",
           "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
           "id 550e8400-e29b-41d4-a716-446655440000",
           "at 2026-11-15T21:15:37.123Z took 12.5 ms",
           "StructuredStateExtractorReadsFramesAndElements2026",
           "https://docs.test/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
           "integrity=\"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\"",
           "see a@b, x@localhost and @mention",
           "1.2.3.4:8080 and 10-20-30",
           "Cookie: we use cookies to improve this site",
           "Authorization: see the manual",
           "act_0123456789abcdef01234567 s3f2a90c1d4e.t000004",
           "sk-learn-is-a-library-for-python",
           "The basics: 000-12-3456 was never issued",
           "data 4111111111111112 is no card",
       }) {
    EXPECT_EQ(Masked(text), text);
  }
}

TEST(RedactorTest, MasksFieldsByTheirNames) {
  struct Row {
    const char* json;
    const char* expected;
  };
  constexpr Row kRows[] = {
      {R"({"password":"x"})", R"({"password":"********"})"},
      {R"({"a":{"b":[{"userPassword":"x"}]}})", R"({"a":{"b":[{"userPassword":"********"}]}})"},
      {R"({"card_number":4111111111111111})", R"({"card_number":"****-****-****-1111"})"},
      {R"({"cvv":123,"cvc":"999"})", R"({"cvv":"***","cvc":"***"})"},
      {R"({"ssn":"123456789"})", R"({"ssn":"***-**-6789"})"},
      {R"({"email":"jane@example.com"})", R"({"email":"j***@example.com"})"},
      {R"({"token":512,"tokens_used":7})", R"({"token":512,"tokens_used":7})"},
      {R"({"secret":true,"password":false})", R"({"secret":true,"password":false})"},
      {R"({"text":{"secret":"LOGIN"}})", R"({"text":{"secret":"LOGIN"}})"},
      {R"({"password":{"secret":"LOGIN","field":"password"}})",
       R"({"password":{"secret":"LOGIN","field":"password"}})"},
      {R"({"extracted":{"secret":"hunter2"}})", R"({"extracted":{"secret":"********"}})"},
      {R"({"text":{"secret":"sk_live_4eC39HqLyjWDarjtT1zdp7dc"}})",
       R"({"text":{"secret":"sk_...p7dc"}})"},
      {R"({"name":"password","value":"x"})", R"({"name":"password","value":"********"})"},
      {R"({"headers":[{"name":"Authorization","value":"Bearer abc"}]})",
       R"({"headers":[{"name":"Authorization","value":"Bearer ********"}]})"},
      {R"({"body":"{\"pin\":1234,\"n\":1}"})", R"({"body":"{\"pin\":\"********\",\"n\":1}"})"},
      {R"({"credentials":{"user":"jane","list":["abc"]}})",
       R"({"credentials":{"user":"********","list":["********"]}})"},
      {R"({"variables":{"input":{"newPassword":"x"}}})",
       R"({"variables":{"input":{"newPassword":"********"}}})"},
      {R"({"note":"card 4111111111111111"})", R"({"note":"card ****-****-****-1111"})"},
      {R"({"password":""})", R"({"password":""})"},
      {R"({"selector":"label=Password","text":"hunter2"})",
       R"({"selector":"label=Password","text":"********"})"},
  };
  for (const Row& row : kRows) EXPECT_EQ(MaskedJson(row.json), row.expected);
}

TEST(RedactorTest, MasksBodiesByTheirType) {
  EXPECT_EQ(MaskedBody("application/x-www-form-urlencoded; charset=utf-8",
                       "user%5Bname%5D=Jane+Doe&user%5Bpassword%5D=a%26b&cc-number=4111111111111111"
                       "&mail=jane%40example.com&json=%7B%22cvv%22%3A%22123%22%7D"),
            "user%5Bname%5D=Jane+Doe&user%5Bpassword%5D=********&cc-number=****-****-****-1111"
            "&mail=j***@example.com&json=%7B%22cvv%22:%22***%22%7D");
  EXPECT_EQ(MaskedBody("application/json", R"({"a":"x","api_key":"short"})"),
            R"({"a":"x","api_key":"********"})");
  EXPECT_EQ(MaskedBody("application/octet-stream", "\xff\xfe\x01"), "[binary, 3 bytes]");
  EXPECT_EQ(MaskedBody("text/plain", "password=x"), "password=********");
}

TEST(RedactorTest, MasksPartsOfMultipartBodies) {
  const std::string body =
      "--XX\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\njane\r\n"
      "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\nmore\r\n"
      "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.json\"\r\n"
      "Content-Type: application/json\r\n\r\n{\"cvv\":\"123\"}\r\n"
      "--XX\r\nContent-Disposition: form-data; name=\"i\"; filename=\"a.png\"\r\n"
      "Content-Type: image/png\r\n\r\n\x89PNG\xff\r\n--XX--\r\n";
  const std::string masked = MaskedBody("multipart/form-data; boundary=XX", body);
  EXPECT_TRUE(masked.contains("name=\"user\"\r\n\r\njane\r\n--XX\r\n")) << masked;
  EXPECT_TRUE(masked.contains("name=\"password\"\r\n\r\n********\r\n--XX\r\n")) << masked;
  EXPECT_TRUE(masked.contains("{\"cvv\":\"***\"}\r\n--XX")) << masked;
  EXPECT_TRUE(masked.contains("[binary, 5 bytes]\r\n--XX--\r\n")) << masked;
}

// Whatever is judged and shown by its parts is masked by the same ones.
TEST(RedactorTest, CutsMultipartBodiesAsTheyAreJudged) {
  const std::string part = "Content-Disposition: form-data; filename=\"name=x\"; name=\"password\"";
  const std::string bodies[] = {
      "note\r\n--XX\r\n" + part + "\r\n\r\nhunter2\r\n--XX--\r\n",
      "--XX\n" + part + "\n\nhunter2\n--XX--\n",
      "--XX\r\n" + part + "\r\n\r\nx--XX hunter2 --XX\r\n--XX--\r\n",
      "--XX\r\n" + part + "\r\n\r\nhunter2",
      "password=hunter2\r\n--XX\r\n\r\nx\r\n--XX--\r\npassword=hunter2",
  };
  for (const std::string& body : bodies) {
    const std::string masked = MaskedBody("multipart/form-data; boundary=XX", body);
    EXPECT_FALSE(masked.contains("hunter2")) << masked;
    EXPECT_TRUE(masked.contains("--XX")) << masked;
  }
}

TEST(RedactorTest, MaskingTwiceChangesNothing) {
  for (const auto& surface : kSurfaces) {
    for (const RedactionLevel level : {RedactionLevel::kStandard, RedactionLevel::kStrict}) {
      const Redactor redactor({.level = level, .digest_key = "k"});
      for (const TextRow& row : TextRows()) {
        std::string once = row.text;
        redactor.RedactText(surface.value, once);
        std::string twice = once;
        redactor.RedactText(surface.value, twice);
        EXPECT_EQ(twice, once) << surface.name << ": " << row.text;
        json::value value{{"password", row.text},    {"note", row.text}, {"email", row.text},
                          {"cookie", row.text},      {"iban", row.text}, {"token", row.text},
                          {"card_number", row.text}, {"phone", row.text}};
        redactor.RedactJson(surface.value, value);
        const json::value before = value;
        redactor.RedactJson(surface.value, value);
        EXPECT_EQ(json::serialize(value), json::serialize(before)) << surface.name;
      }
    }
  }
}

// Pieces in any order uncover what a mask leaves beside it.
TEST(RedactorTest, NoMixtureIsMaskedDifferentlyTheSecondTime) {
  constexpr std::string_view kPieces[] = {"password",    "=",
                                          ":",           " ",
                                          "\"",          "'",
                                          "{",           "}",
                                          ",",           "&",
                                          "Bearer ",     "Authorization",
                                          "Cookie",      "eyJhbGciOi",
                                          ".",           "ghp_",
                                          "sk-",         "4111111111111111",
                                          "123-45-6789", "(555) 123-4567",
                                          "jane",        "@",
                                          "example.com", "https://",
                                          "user:",       "/",
                                          "?token=",     "\n",
                                          "-----BEGIN ", "PRIVATE KEY",
                                          "-----",       "A7bC9dE2fG4hI6jK8lM1nO3p",
                                          "********",    "[secret x]",
                                          "...",         "DE89370400440532013000",
                                          "\xff",        "cvv",
                                          "api_key",     "true",
                                          "123",         "Set-Cookie: a=b; Path=/",
                                          "sk_...xxxx"};
  const Redactor redactor;
  std::mt19937 random(7);  // NOLINT(bugprone-random-generator-seed): the same texts every time
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::uint32_t left = random() % 12 + 1; left > 0; --left) {
      text += kPieces[random() % std::size(kPieces)];
    }
    std::string once = text;
    redactor.RedactText(Surface::kPreview, once);
    std::string twice = once;
    redactor.RedactText(Surface::kPreview, twice);
    ASSERT_EQ(twice, once) << text;
  }
}

TEST(RedactorTest, ASurfaceDecidesWhatHappensToAClass) {
  const std::string text = "jane@example.com 4111111111111111 " + Key("", 40);
  EXPECT_EQ(Masked(text, Surface::kModel), "jane@example.com ****-****-****-1111 " + Key("", 40));
  EXPECT_EQ(Masked(text, Surface::kLedger), "jane@example.com ****-****-****-1111 A7b...Y2zA");
  const std::string told = Masked(text, Surface::kTelemetry);
  EXPECT_TRUE(told.starts_with("[email#")) << told;
  EXPECT_TRUE(told.contains("[card dropped] [high_entropy dropped]")) << told;
  EXPECT_TRUE(Masked(text, Surface::kReplay).starts_with("[email~"));
}

TEST(RedactorTest, DigestsDependOnTheKeyAndTheValueAlone) {
  const auto digest = [](std::string key, std::string text) {
    Redactor({.digest_key = std::move(key)}).RedactText(Surface::kTelemetry, text);
    return text;
  };
  EXPECT_EQ(digest("k", "a@example.com"), digest("k", "a@example.com"));
  EXPECT_NE(digest("k", "a@example.com"), digest("l", "a@example.com"));
  EXPECT_NE(digest("k", "a@example.com"), digest("k", "b@example.com"));
}

TEST(RedactorTest, WholePayloadsGoByTheirClass) {
  const Redactor redactor;
  json::value text("jane said password=x");
  redactor.RedactPayload(Surface::kLog, PayloadClass::kTextRaw, text);
  EXPECT_EQ(text, json::value("[text_raw dropped]"));
  json::value kept("jane said password=x");
  redactor.RedactPayload(Surface::kLedger, PayloadClass::kTextRaw, kept);
  EXPECT_EQ(kept, json::value("jane said password=********"));
}

TEST(RedactorTest, FindsKnownSecretsInEveryForm) {
  const std::string value = "p\"ä/s s&w<o'rd+1";
  Redactor redactor;
  const NamedSecret secrets[] = {{"login", value}, {"pin", "12"}};
  redactor.SetKnownSecrets(KnownSecrets::Build(secrets));
  const std::string basic = EncodeBase64("jane:" + value);
  const std::vector<std::string> forms = {
      value,
      "p%22%C3%A4%2Fs%20s%26w%3Co%27rd%2B1",
      "p%22%c3%a4%2fs%20s%26w%3co%27rd%2b1",
      "p%22%C3%A4%2Fs+s%26w%3Co%27rd%2B1",
      "p\\\"ä/s s&w<o'rd+1",
      "p\\\"\\u00e4/s s&w<o'rd+1",
      "p\\\"ä\\/s s&w<o'rd+1",
      "p&quot;ä/s s&amp;w&lt;o&#39;rd+1",
      "7022c3a42f73207326773c6f2772642b31",
      "7022C3A42F73207326773C6F2772642B31",
      EncodeBase64(value),
      basic,
      EncodeBase64("x" + value + "y"),
  };
  for (const std::string& form : forms) {
    std::string text = "before " + form + " after";
    const RedactionTally tally = redactor.RedactText(Surface::kModel, text);
    EXPECT_TRUE(text.contains("[secret login]")) << form << " -> " << text;
    EXPECT_GE(tally[FindingKind::kKnownSecret], 1) << form;
  }
}

TEST(RedactorTest, KnownSecretsAreTakenOutOfNamesAndMasksToo) {
  Redactor redactor;
  const NamedSecret secrets[] = {{"pin", "6789"}, {"word", "correct horse"}};
  redactor.SetKnownSecrets(KnownSecrets::Build(secrets));
  json::value value = {
      {"correct horse", 1}, {"ssn", "123-45-6789"}, {"note", "123-45-6789"}, {"n", 6789}};
  redactor.RedactJson(Surface::kPreview, value);
  const std::string text = json::serialize(value);
  EXPECT_FALSE(text.contains("correct horse")) << text;
  EXPECT_FALSE(text.contains("6789")) << text;
}

TEST(RedactorTest, SaysHowManyOfEachKind) {
  std::string text = "a@example.com b@example.com 4111111111111111";
  const RedactionTally tally = Redactor().RedactText(Surface::kPreview, text);
  EXPECT_EQ(json::serialize(tally.ToJson()), R"({"card":1,"email":2})");
  EXPECT_EQ(tally.total(), 3);
}

// No text makes a scan slower than its length allows.
TEST(RedactorTest, LongTextsTakeTimeInProportion) {
  for (const char* piece : {"eyJabcdefgh-", "sk-", "authorization:a ", "://", "a.b@c@",
                            "Aa1Bb2Cc3Dd-", "password:\"", "-----BEGIN ", "4111 "}) {
    std::string text;
    while (text.size() < 100'000) text += piece;
    const auto start = std::chrono::steady_clock::now();
    Redactor().RedactText(Surface::kLog, text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << piece;
  }
}

TEST(RedactorTest, ThePageShowsTheTable) {
  const auto page =
      ReadFile(std::filesystem::path(__FILE__).parent_path() / "../../../docs/redaction.md");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->contains(RedactionMatrix(RedactionLevel::kStandard)));
  EXPECT_TRUE(page->contains(RedactionMatrix(RedactionLevel::kStrict)));
}

}  // namespace
}  // namespace falconer::policy
