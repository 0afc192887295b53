#include "engine/approvals/request_preview.h"

#include <gtest/gtest.h>

#include "base/sha256.h"

namespace falconer::engine {
namespace {

using model::PreviewField;
using model::PreviewForm;
using model::RequestPreview;

constexpr std::string_view kShopUrl = "https://shop.example/orders";

RequestPreview PreviewFor(std::string_view type, std::string_view body,
                          std::string_view method = "POST", std::string_view url = kShopUrl) {
  const HeldBytes held{
      .method = method, .url = url, .headers = {{"Content-Type", std::string(type)}}, .body = body};
  return PreviewOf(held, {}, policy::Redactor());
}

std::string ValueOf(const RequestPreview& preview, std::string_view name) {
  for (const PreviewField& field : preview.fields) {
    if (field.name == name) return field.value;
  }
  return "(none)";
}

struct BodyCase {
  std::string_view what;
  std::string_view type;
  std::string_view body;
  PreviewForm form;
  std::string_view hidden;  // must not be seen anywhere
  std::string_view shown;   // must be seen somewhere
};

TEST(RequestPreviewTest, MasksEveryFormOfBody) {
  constexpr BodyCase kCases[] = {
      {"form password", "application/x-www-form-urlencoded", "user=ann&password=hunter2secret",
       PreviewForm::kForm, "hunter2secret", "********"},
      {"form card", "application/x-www-form-urlencoded", "item=7&cc-number=4242424242424242",
       PreviewForm::kForm, "4242424242424242", "****-****-****-4242"},
      {"card by its digits", "application/x-www-form-urlencoded", "x=4242+4242+4242+4242",
       PreviewForm::kForm, "4242 4242", "4242"},
      {"form ssn", "application/x-www-form-urlencoded", "ssn=123-45-6789", PreviewForm::kForm,
       "123-45", "***-**-6789"},
      {"form e-mail", "application/x-www-form-urlencoded", "email=jane.roe%40example.com",
       PreviewForm::kForm, "jane.roe", "j***@example.com"},
      {"json nested", "application/json",
       R"({"user":{"credentials":{"password":"hunter2secret"}},"item":7})", PreviewForm::kJson,
       "hunter2secret", "item"},
      {"json in json", "application/json",
       R"({"payload":"{\"password\":\"hunter2secret\",\"n\":1}"})", PreviewForm::kJson,
       "hunter2secret", "payload"},
      {"json key", "application/json", R"({"api_key":"sk_live_51H8abcdefghijklmnopqrstuv"})",
       PreviewForm::kJson, "51H8abcdefghijklmnop", "sk_"},
      {"json in a form", "application/x-www-form-urlencoded",
       "data=%7B%22password%22%3A%22hunter2secret%22%7D", PreviewForm::kForm, "hunter2secret",
       "data"},
      {"graphql variables", "application/json",
       R"({"query":"mutation Pay($c:String!){pay(card:$c){id}}","variables":{"cardNumber":"4242424242424242"}})",
       PreviewForm::kGraphQl, "4242424242424242", "Pay"},
      {"plain json", "text/plain", R"({"password":"hunter2secret"})", PreviewForm::kJson,
       "hunter2secret", "********"},
      {"text", "text/plain", "mail jane.roe@example.com about it", PreviewForm::kText, "jane.roe",
       "about it"},
      {"json that is none", "application/json", R"({"password":"hunter2secret",)",
       PreviewForm::kJson, "hunter2secret", "password"},
      {"no type at all", "", R"({"password":"hunter2secret"})", PreviewForm::kJson, "hunter2secret",
       "********"},
  };
  for (const BodyCase& c : kCases) {
    const RequestPreview preview = PreviewFor(c.type, c.body);
    const std::string all = json::serialize(preview.ToJson());
    EXPECT_EQ(preview.form, c.form) << c.what;
    EXPECT_FALSE(all.contains(c.hidden)) << c.what << ": " << all;
    EXPECT_TRUE(all.contains(c.shown)) << c.what << ": " << all;
    EXPECT_GT(preview.masked, 0) << c.what;
    EXPECT_EQ(preview.body_bytes, c.body.size()) << c.what;
    EXPECT_EQ(preview.body_sha256, Sha256Hex(c.body)) << c.what;
  }
}

TEST(RequestPreviewTest, TellsFilesByNameSizeAndDigestAndNotByContent) {
  const std::string body =
      "--XX\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
      "--XX\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2secret\r\n"
      "--XX\r\nContent-Disposition: form-data; name=\"doc\"; filename=\"my; report.txt\"\r\n"
      "Content-Type: text/plain\r\n\r\nline one\r\n--not the mark\r\n\r\n"
      "--XX--\r\n";
  const RequestPreview preview = PreviewFor("multipart/form-data; boundary=XX", body);
  EXPECT_EQ(preview.form, PreviewForm::kMultipart);
  EXPECT_TRUE(preview.is_body_whole);
  EXPECT_EQ(ValueOf(preview, "note"), "hello");
  EXPECT_EQ(ValueOf(preview, "password"), "********");
  ASSERT_EQ(preview.files.size(), 1U);
  const std::string content = "line one\r\n--not the mark\r\n";
  EXPECT_EQ(preview.files[0], (model::PreviewFile{.field = "doc",
                                                  .name = "my; report.txt",
                                                  .content_type = "text/plain",
                                                  .bytes = content.size(),
                                                  .sha256 = Sha256Hex(content)}));
  EXPECT_FALSE(json::serialize(preview.ToJson()).contains("line one"));
}

TEST(RequestPreviewTest, SaysNothingOfAFileThatIsStillOnTheDisk) {
  const std::string head =
      "--XX\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a.txt\"\r\n\r\nabc\r\n"
      "--XX\r\nContent-Disposition: form-data; name=\"b\"; filename=\"b.txt\"\r\n\r\n";
  const std::string body = head + "\r\n--XX--\r\n";
  const HeldBytes held{.method = "POST",
                       .url = kShopUrl,
                       .headers = {{"Content-Type", "multipart/form-data; boundary=XX"}},
                       .body = body,
                       .is_body_whole = false,
                       .body_gaps = {head.size()}};
  HeldBytes given = held;
  given.files = {{.gap = head.size(), .bytes = 9, .sha256 = std::string(64, 'f')}};
  const RequestPreview known = PreviewOf(given, {}, policy::Redactor());
  EXPECT_TRUE(known.is_body_whole) << "an action of ours gave it";
  EXPECT_EQ(known.files[1].sha256, std::string(64, 'f'));
  EXPECT_EQ(known.files[1].bytes, 9U);
  EXPECT_EQ(known.body_bytes, body.size() + 9);

  const RequestPreview preview = PreviewOf(held, {}, policy::Redactor());
  ASSERT_EQ(preview.files.size(), 2U);
  EXPECT_TRUE(preview.files[0].is_known);
  EXPECT_EQ(preview.files[0].bytes, 3U);
  EXPECT_FALSE(preview.files[1].is_known);
  EXPECT_EQ(preview.files[1].sha256, "") << "not that of nothing";
  EXPECT_FALSE(preview.is_body_whole);
}

TEST(RequestPreviewTest, SaysWhenAMultipartBodyIsNotWhole) {
  const std::string cut =
      "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nab";
  EXPECT_FALSE(PreviewFor("multipart/form-data; boundary=XX", cut).is_body_whole);
  EXPECT_FALSE(PreviewFor("multipart/form-data", cut).is_body_whole) << "no boundary";
  const HeldBytes held{.method = "POST", .url = kShopUrl, .body = "a=1", .is_body_whole = false};
  EXPECT_FALSE(PreviewOf(held, {}, policy::Redactor()).is_body_whole);
  const HeldBytes stream{
      .method = "POST", .url = kShopUrl, .body = "", .is_body_whole = false, .body_gaps = {0}};
  EXPECT_EQ(PreviewOf(stream, {}, policy::Redactor()).form, PreviewForm::kBinary) << "not none";
  EXPECT_FALSE(PreviewOf(stream, {}, policy::Redactor()).is_body_whole);
}

TEST(RequestPreviewTest, ShowsNoBytesThatAreNoText) {
  const RequestPreview preview = PreviewFor("application/octet-stream", "\x89PNG\xff\xfe");
  EXPECT_EQ(preview.form, PreviewForm::kBinary);
  EXPECT_EQ(preview.body, "");
  EXPECT_EQ(preview.body_bytes, 6U);
}

TEST(RequestPreviewTest, HasNoBodyWhereThereIsNone) {
  const RequestPreview preview = PreviewFor("", "", "DELETE", "https://a.example/api/items/7");
  EXPECT_EQ(preview.form, PreviewForm::kNone);
  EXPECT_EQ(preview.body_sha256, "");
  EXPECT_EQ(preview.masked, 0);
}

TEST(RequestPreviewTest, LeavesOutWhatProvesWhoSomebodyIs) {
  const HeldBytes held{.method = "POST",
                       .url = kShopUrl,
                       .headers = {{"Cookie", "sid=abc"},
                                   {"AUTHORIZATION", "Bearer abc"},
                                   {"X-Csrf-Token", "abc"},
                                   {":authority", "shop.example"},
                                   {"Origin", "https://shop.example"},
                                   {"X-Api-Key", "sk_live_51H8abcdefghijklmnopqrstuv"}}};
  const RequestPreview preview = PreviewOf(held, {}, policy::Redactor());
  ASSERT_EQ(preview.headers.size(), 2U);
  EXPECT_EQ(preview.headers[0], (PreviewField{"Origin", "https://shop.example"}));
  EXPECT_EQ(preview.headers[1].name, "X-Api-Key");
  EXPECT_FALSE(preview.headers[1].value.contains("abcdefgh")) << preview.headers[1].value;
}

TEST(RequestPreviewTest, MasksTheAddressAndDropsItsFragment) {
  const RequestPreview preview =
      PreviewFor("", "", "GET", "https://a.example/reset?token=Zx81kQpL9vWm2TnB4cYd&n=1#top");
  EXPECT_FALSE(preview.url.contains("Zx81kQpL9vWm2TnB4cYd")) << preview.url;
  EXPECT_TRUE(preview.url.starts_with("https://a.example/reset?token=")) << preview.url;
  EXPECT_FALSE(preview.url.contains('#')) << preview.url;
}

TEST(RequestPreviewTest, CutsWhatIsLongAfterMasking) {
  const std::string body =
      R"({"text":")" + std::string(9000, 'x') + R"(","password":"hunter2secret"})";
  const RequestPreview preview = PreviewFor("application/json", body);
  EXPECT_TRUE(preview.is_cut);
  EXPECT_LT(preview.body.size(), 8300U);
  std::string form;
  for (int i = 0; i < 100; ++i) form += "f" + std::to_string(i) + "=1&";
  EXPECT_TRUE(PreviewFor("application/x-www-form-urlencoded", form).is_cut);
  EXPECT_EQ(PreviewFor("application/x-www-form-urlencoded", form).fields.size(), 64U);
}

struct EffectCase {
  std::string_view method;
  std::string_view url;
  std::string_view type;
  std::string_view body;
  std::string_view effect;
};

TEST(RequestPreviewTest, SaysInWordsWhatHappens) {
  constexpr EffectCase kCases[] = {
      {"POST", "https://shop.example/checkout/pay", "application/json",
       R"({"amount":49.00,"currency":"USD"})", "Buys something for 49 USD at shop.example"},
      {"DELETE", "https://a.example/api/items/7", "", "", "Deletes /api/items/7 at a.example"},
      {"POST", "https://a.example:8443/contact", "application/x-www-form-urlencoded", "text=hi",
       "a.example:8443"},
      {"PATCH", "https://a.example/api/notes/3", "application/json", R"({"text":"x"})",
       "Changes something at a.example (PATCH /api/notes/3)"},
      {"GET", "https://a.example/page", "", "", "Asks a.example for /page (GET)"},
  };
  for (const EffectCase& c : kCases) {
    const policy::Risk risk =
        policy::AssessRisk({.action = std::nullopt,
                            .element = std::nullopt,
                            .request = model::RequestFacts{.method = std::string(c.method),
                                                           .url = std::string(c.url),
                                                           .content_type = std::string(c.type),
                                                           .resource_type = "fetch",
                                                           .body = std::string(c.body),
                                                           .body_bytes = c.body.size()}});
    const std::string effect = EffectOf(c.method, c.url, risk);
    EXPECT_TRUE(effect.contains(c.effect)) << effect << " instead of " << c.effect;
  }
}

TEST(RequestPreviewTest, SaysWhatElseLeaves) {
  policy::Risk risk;
  risk.capabilities = {model::Capability::kPurchase, model::Capability::kPii};
  EXPECT_EQ(EffectOf("POST", kShopUrl, risk),
            "Buys something at shop.example; personal data leave with it");
}

}  // namespace
}  // namespace falconer::engine
