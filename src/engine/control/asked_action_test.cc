#include "engine/control/asked_action.h"

#include "base/file.h"
#include "base/sha256.h"
#include "engine/approvals/approval_draft.h"
#include "tests/support/co_test.h"

namespace falconer::engine {
namespace {

const std::string kContractDigest(64, 'd');

AskedAction Asking(std::string_view spec, const std::filesystem::path& artifacts = "/nowhere") {
  return {.told = ToldBy(model::ActionSpec::FromJson(ParseJson(spec).value()).value()),
          .page_url = "https://a.test/page",
          .target_url = "",
          .contract_digest = kContractDigest,
          .element = std::nullopt,
          .artifacts = artifacts};
}

model::ApprovalRequest Question(const ShownAction& shown) {
  return DraftForAction({.tenant = TenantId("acme")}, {}, shown.words, policy::Redactor());
}

CO_TEST(AskedActionTest, WhoApprovesAScriptReadsAllOfIt) {
  // As long as they may be.
  const std::string script = "a(" + std::string(model::kMaxScriptLength - 3, 'x') + ")";
  const std::string argument = "\"" + std::string(model::kMaxScriptArgument - 2, 'y') + "\"";
  const auto shown = co_await ShowAction(
      ctx, Asking(R"({"action_type": "custom_js_restricted", "js_expression": ")" + script +
                  R"(", "js_argument": )" + argument + "}"));
  EXPECT_TRUE(shown) << (shown ? "" : shown.error().message());
  const model::ApprovalRequest request = Question(*shown);
  EXPECT_EQ(request.preview->body, script);
  EXPECT_EQ(request.preview->fields.at(0), (model::PreviewField{"argument", argument}));
  EXPECT_FALSE(request.preview->is_cut);
  EXPECT_EQ(request.digest, kContractDigest);
}

CO_TEST(AskedActionTest, FilesAreShownByTheirContentAndTheDigestHoldsIt) {
  const auto folder = TempDir::Create("falconer-test-").value();
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "cv.pdf", "mine"));
  const std::string_view spec =
      R"({"action_type": "upload", "selector": "#f", "files": [{"path": "cv.pdf"}]})";
  const auto shown = co_await ShowAction(ctx, Asking(spec, folder.path()));
  EXPECT_TRUE(shown) << (shown ? "" : shown.error().message());
  const model::ApprovalRequest request = Question(*shown);
  EXPECT_EQ(request.preview->files.at(0).name, "cv.pdf");
  EXPECT_EQ(request.preview->files.at(0).bytes, 4U);
  EXPECT_EQ(request.preview->files.at(0).sha256, Sha256Hex("mine"));
  EXPECT_NE(request.digest, kContractDigest);

  EXPECT_TRUE(WriteFileAtomic(folder.path() / "cv.pdf", "other"));
  const auto again = co_await ShowAction(ctx, Asking(spec, folder.path()));
  EXPECT_NE(Question(*again).digest, request.digest);
}

CO_TEST(AskedActionTest, ADownloadSaysWhatIsClickedAndWhereItLeads) {
  AskedAction asked = Asking(R"({"action_type": "download_trigger", "selector": "#get"})");
  asked.target_url = "https://b.test/all.zip";
  asked.element = model::ElementFacts{
      .role = "link", .name = "Everything", .tag = "a", .href = "https://b.test/all.zip"};
  const auto shown = co_await ShowAction(ctx, std::move(asked));
  const std::string text = json::serialize(Question(*shown).ToJson());
  for (const std::string_view part : {"https://b.test/all.zip", "Everything", "link"})
    EXPECT_TRUE(text.contains(part)) << part << " in " << text;
}

}  // namespace
}  // namespace falconer::engine
