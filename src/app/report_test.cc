#include "app/report.h"

#include <sstream>

#include <gtest/gtest.h>

#include "api/mcp/stdio_server.h"
#include "base/settings/settings.h"
#include "policy/tokens/token_fault.h"

namespace falconer::app {
namespace {

class ReportTest : public testing::Test {
 protected:
  std::ostringstream out_;
  std::ostringstream err_;
  Terminal terminal_{out_, err_, Colour::kOff};
};

TEST_F(ReportTest, PrintsTheTypedErrorAndAHintAsComplaints) {
  PrintError(terminal_, OutputForm::kText,
             Error(ErrorCode::kBrowserLaunchFailed, "no Chromium found"));

  EXPECT_EQ(out_.str(), "");
  EXPECT_TRUE(err_.str().starts_with("error: BROWSER_LAUNCH_FAILED: no Chromium found\nhint:  "))
      << err_.str();
}

TEST_F(ReportTest, WhatAnErrorQuotesCannotMoveTheCursor) {
  PrintError(terminal_, OutputForm::kText, Error(ErrorCode::kScriptError, "it said \x1b[2Jok"));

  EXPECT_TRUE(err_.str().contains("it said \\u{1b}[2Jok\n")) << err_.str();
}

TEST_F(ReportTest, PrintsErrorsAsJsonOnStandardOutput) {
  PrintError(terminal_, OutputForm::kJson, Error(ErrorCode::kTimeout, "too slow"));

  const auto answer = ParseJsonObject(out_.str());
  ASSERT_TRUE(answer) << out_.str();
  EXPECT_EQ(answer->at("ok"), false);
  EXPECT_EQ(answer->at("error").at("code").as_string(), "TIMEOUT");
  EXPECT_FALSE(answer->at("error").at("hint").as_string().empty());
  EXPECT_EQ(err_.str(), "");
}

TEST_F(ReportTest, HasAHintForEveryCode) {
  for (const ErrorTraits& row : AllErrorCodes())
    EXPECT_FALSE(HintFor(row.code).empty()) << row.name;
}

TEST_F(ReportTest, WhatIsRefusedIsNoFaultOfTheMachine) {
  const std::string_view fallback = HintFor(ErrorCode::kInternalError);
  for (const policy::TokenFaultRow& row : policy::AllTokenFaults())
    EXPECT_NE(HintFor(policy::TokenError(row.fault)), fallback) << row.reason;
  for (const ErrorCode code :
       {ErrorCode::kPolicyDenied, ErrorCode::kSecurityDomainBlock, ErrorCode::kApprovalDenied,
        ErrorCode::kApprovalTimeout, ErrorCode::kSecurityApprovalRequired, ErrorCode::kUnauthorized,
        ErrorCode::kAlreadyExists, ErrorCode::kRuntimePaused, ErrorCode::kPolicyRateLimit}) {
    EXPECT_NE(HintFor(code), fallback) << TraitsOf(code).name;
  }
}

TEST_F(ReportTest, DetailsChooseAMoreExactHint) {
  const Error late(ErrorCode::kTimeout, "too slow");

  EXPECT_EQ(HintFor(late), HintFor(ErrorCode::kTimeout));
  EXPECT_TRUE(HintFor(WithDetail(late, kSettingDetail, "browser.launch_timeout"))
                  .contains("--set browser.launch_timeout="));
  EXPECT_TRUE(HintFor(WithDetail(late, kSettingDetail, "browser.attach_url"))
                  .starts_with("browser.attach_url must name"));
  EXPECT_TRUE(HintFor(WithDetail(late, kSettingsFileDetail, "/a/{b}.yaml"))
                  .starts_with("/a/{b}.yaml must be a file that this user may read"));
  EXPECT_EQ(HintFor(WithDetail(late, kSettingDetail, "other")), HintFor(ErrorCode::kTimeout));
}

TEST_F(ReportTest, TheProxyIsBlamedOnlyForWhatAProxyDid) {
  const Error failed(ErrorCode::kNavigationFailed, "http://a.example/");
  const auto hint = [&](std::string_view net_error) {
    return HintFor(WithDetail(failed, kNetErrorDetail, net_error));
  };

  EXPECT_TRUE(hint("net::ERR_PROXY_CONNECTION_FAILED").contains("proxy.server"));
  EXPECT_TRUE(hint("net::ERR_TUNNEL_CONNECTION_FAILED").contains("proxy.server"));
  EXPECT_FALSE(hint("net::ERR_CONNECTION_REFUSED").contains("proxy"));
  EXPECT_TRUE(hint("net::ERR_CONNECTION_REFUSED").contains("a server answers there"));
  EXPECT_TRUE(hint("net::ERR_NAME_NOT_RESOLVED").contains("no host has this name"));
  EXPECT_FALSE(HintFor(failed).contains("proxy")) << "a tab without history has no net error";
}

TEST_F(ReportTest, SaysWhatToDoAboutARefusedAddress) {
  const Error refused(ErrorCode::kSecurityDomainBlock, "http://a.example/ is refused");
  EXPECT_TRUE(HintFor(WithDetail(refused, kReasonDetail, "address_not_public"))
                  .contains("policy.allow_domains"));
  const Error spent(ErrorCode::kBudgetExceeded, "http://a.example/: used up");
  EXPECT_TRUE(HintFor(WithDetail(spent, kReasonDetail, "byte_limit")).contains("egress.max_bytes"));
}

TEST_F(ReportTest, AStreamThatIsNotOpenIsNoMatterOfFolders) {
  const Error closed(ErrorCode::kIoError, "cannot use standard output");

  EXPECT_EQ(HintFor(WithDetail(closed, api::kStreamDetail, "output")),
            "start Falconer with standard output open, on a pipe or a file");
  EXPECT_TRUE(HintFor(WithDetail(closed, api::kStreamDetail, api::kClientStream))
                  .starts_with("the client closed its end"));
}

TEST_F(ReportTest, PrintsJsonWhateverBytesAreInIt) {
  PrintError(terminal_, OutputForm::kJson,
             Error(ErrorCode::kNotFound, "a\xff\xfe\"b\xE2\x82 \xF0\x9F\x98\x80 \xED\xA0\x80"));

  const auto answer = ParseJsonObject(out_.str());
  ASSERT_TRUE(answer) << answer.error().message() << out_.str();
  EXPECT_EQ(answer->at("error").at("message").as_string(),
            "a\uFFFD\uFFFD\"b\uFFFD\uFFFD \U0001F600 \uFFFD\uFFFD\uFFFD");
}

TEST_F(ReportTest, PaintsOnlyWhereThereIsColour) {
  const Terminal coloured(out_, err_, Colour::kOn);

  EXPECT_EQ(terminal_.Paint(Ink::kRed, "no"), "no");
  EXPECT_EQ(coloured.Paint(Ink::kGreen, "yes"), "\x1b[32myes\x1b[0m");
  EXPECT_EQ(coloured.Paint(Ink::kPlain, "as is"), "as is");
}

}  // namespace
}  // namespace falconer::app
