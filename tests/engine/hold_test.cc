// What becomes of requests that are held, over a real browser: tokens that are revoked meanwhile,
// servers that send on what was approved, files, and what people see.

#include "base/file.h"
#include "base/sha256.h"
#include "tests/support/control_bench.h"

namespace falconer::test {
namespace {

// One path is asked about; everything else may leave.
constexpr char kAskAtFirst[] = R"(
policy: {name: ask-at-first, version: "1"}
rules:
  - name: anything
    when: {capability: [READ, NAVIGATE, INTERACT, WRITE, SUBMIT, UPLOAD, SCRIPT, PII]}
    then: allow
  - name: first
    when: {request: {path: /first}}
    then: {require_approval: {who: human}}
  - name: scripts
    when: {capability: SCRIPT}
    then: {require_approval: {who: human}}
)";

std::string GoTo(const std::string& url) {
  return R"({"action_type": "navigate", "url": ")" + url + R"("})";
}

BROWSER_TEST(HoldTest, ATokenThatIsRevokedWhilePeopleDecideLetsNothingGo) {
  ControlBench test(t, kAskBeforeBuying);
  co_await test.OpenStore();
  InBackground buying(t.ctx.executor(), test.bench.Execute(TurnStep(1, ClickOn("#buy"))));

  const auto question = co_await test.Asked();
  co_await test.bench.control().Revoke("tester");
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto bought = co_await buying.Join();

  EXPECT_EQ(FailureIn(bought), "TOKEN_REVOKED") << json::serialize(bought.ToJson());
  EXPECT_TRUE(bought.failure->details.contains("denial_id"));
  EXPECT_TRUE(json::serialize(bought.metadata).contains(R"("end":{"code":"TOKEN_REVOKED")"));
  EXPECT_EQ(t.site.RequestCount("/effect"), 0u);
  co_await test.bench.Stop();
}

// What a page sends once its turn is over, and the server has told it to.
constexpr std::string_view kLatePage =
    "<button id=go onclick=\"fetch('/signal').then(() => fetch('/late', {method: 'POST', body: "
    "'x'}))"
    ".then(() => fetch('/tried?sent'), () => fetch('/tried?refused'))\">Show more</button>";

Task<std::string> SendLate(BrowserFixture* t, ControlBench* test, bool is_revoked) {
  t->site.Serve("/page", std::string(kLatePage));
  for (const char* path : {"/signal", "/late", "/tried"})
    t->site.On(path, [](const auto&) { return net::TextResponse(200, "text/plain", "ok"); });
  t->site.Hold("/signal");
  co_await test->bench.Execute(TurnStep(0, GoTo(t->site.Url("/page"))));
  const auto clicked = co_await test->bench.Execute(TurnStep(1, ClickOn("#go")));
  EXPECT_TRUE(clicked.success) << json::serialize(clicked.ToJson());
  if (is_revoked) co_await test->bench.control().Revoke("tester");
  t->site.Release("/signal");
  const auto tried = co_await t->site.UntilRequests(t->ctx.WithTimeout(kLongPatience), "/tried", 1);
  EXPECT_TRUE(tried) << Why(tried);
  co_return tried ? t->site.Requests("/tried").back().target : "";
}

BROWSER_TEST(HoldTest, WhatAPageSendsAfterItsTurnLeavesWhileTheTokenIsInForce) {
  ControlBench test(t);
  EXPECT_EQ(co_await SendLate(&t, &test, false), "/tried?sent");
  EXPECT_EQ(t.site.RequestCount("/late"), 1u);
  co_await test.bench.Stop();
}

BROWSER_TEST(HoldTest, WhatAPageSendsAfterItsTurnIsRefusedOnceTheTokenIsRevoked) {
  ControlBench test(t);
  EXPECT_EQ(co_await SendLate(&t, &test, true), "/tried?refused");
  EXPECT_EQ(t.site.RequestCount("/late"), 0u);
  co_await test.bench.Stop();
}

net::HttpResponse LeadTo(int status, std::string_view place) {
  auto answer = net::TextResponse(status, "text/plain", "");
  answer.headers.Add("Location", std::string(place));
  return answer;
}

Task<void> SendOn(BrowserFixture* t, int status) {
  t->site.Reset();
  ControlBench test(*t, kAskAtFirst);
  t->site.Serve(
      "/page",
      "<form method=post action=/first><input name=a value=1><button id=go>Go on</button></form>");
  t->site.On("/first", [status](const auto&) { return LeadTo(status, "/second"); });
  t->site.On("/second", [](const auto&) { return net::TextResponse(200, "text/html", "there"); });
  co_await test.bench.Execute(TurnStep(0, GoTo(t->site.Url("/page"))));
  InBackground clicking(t->ctx.executor(), test.bench.Execute(TurnStep(1, ClickOn("#go"))));

  const auto first = co_await test.Asked();
  EXPECT_TRUE(first.target_url.ends_with("/first")) << first.target_url;
  co_await test.Answer(first.request_id, model::ApprovalAnswer::kApprove);
  const auto arrived =
      co_await t->site.UntilRequests(t->ctx.WithTimeout(kLongPatience), "/first", 1);
  EXPECT_TRUE(arrived) << Why(arrived);
  const auto second = co_await test.Asked();
  EXPECT_TRUE(second.target_url.ends_with("/second")) << second.target_url;
  co_await test.Answer(second.request_id, model::ApprovalAnswer::kDeny);
  const auto clicked = co_await clicking.Join();

  EXPECT_EQ(FailureIn(clicked), "APPROVAL_DENIED") << json::serialize(clicked.ToJson());
  EXPECT_EQ(t->site.RequestCount("/second"), 0u) << status;
  const auto report = test.ReplayOf(clicked.turn_id.value());
  EXPECT_EQ(report.status(), engine::ReplayStatus::kReproduced) << json::serialize(report.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(HoldTest, WhatAServerSendsOnAfterAnApprovalIsAskedAboutAgain) {
  co_await SendOn(&t, 307);
  co_await SendOn(&t, 308);
}

constexpr char kAskAtPurchases[] = R"(
policy: {name: ask-at-purchases, version: "1"}
rules:
  - name: anything
    when: {capability: [READ, NAVIGATE, INTERACT, WRITE, SUBMIT, PII, DELETE]}
    then: allow
  - name: buying
    when: {capability: PURCHASE}
    then: {require_approval: {who: human}}
)";

// Most shops answer an order by leading on to a page about it.
BROWSER_TEST(HoldTest, WhereAShopLeadsToAfterAnApprovalIsNotAskedAbout) {
  ControlBench test(t, kAskAtPurchases);
  t.site.Serve("/page",
               "<form method=post action=/checkout><input name=total value='9 EUR'><button "
               "id=go>Buy now</button></form>");
  t.site.On("/checkout", [](const auto&) { return LeadTo(303, "/checkout/done"); });
  t.site.On("/checkout/done", [](const auto&) { return LeadTo(302, "/orders/1"); });
  t.site.On("/orders/1", [](const auto&) { return net::TextResponse(200, "text/html", "there"); });
  co_await test.bench.Execute(TurnStep(0, GoTo(t.site.Url("/page"))));
  InBackground clicking(t.ctx.executor(), test.bench.Execute(TurnStep(1, ClickOn("#go"))));

  const auto question = co_await test.Asked();
  EXPECT_TRUE(question.target_url.ends_with("/checkout")) << question.target_url;
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto clicked = co_await clicking.Join();

  EXPECT_EQ(FailureIn(clicked), "success") << json::serialize(clicked.ToJson());
  EXPECT_EQ(t.site.RequestCount("/orders/1"), 1u);
  const auto report = test.ReplayOf(clicked.turn_id.value());
  EXPECT_EQ(report.status(), engine::ReplayStatus::kReproduced) << json::serialize(report.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(HoldTest, WhereAShopLeadsToForMoreThanWasApprovedIsAskedAbout) {
  ControlBench test(t, kAskAtPurchases);
  t.site.Serve("/page",
               "<form method=post action=/checkout><input name=total value='9 EUR'><button "
               "id=go>Buy now</button></form>");
  t.site.On("/checkout", [](const auto&) { return LeadTo(303, "/account/delete?id=7"); });
  t.site.On("/account/delete",
            [](const auto&) { return net::TextResponse(200, "text/html", "gone"); });
  co_await test.bench.Execute(TurnStep(0, GoTo(t.site.Url("/page"))));
  InBackground clicking(t.ctx.executor(), test.bench.Execute(TurnStep(1, ClickOn("#go"))));

  const auto first = co_await test.Asked();
  co_await test.Answer(first.request_id, model::ApprovalAnswer::kApprove);
  const auto second = co_await test.Asked();
  EXPECT_TRUE(second.target_url.contains("/account/delete")) << second.target_url;
  co_await test.Answer(second.request_id, model::ApprovalAnswer::kDeny);
  const auto clicked = co_await clicking.Join();

  EXPECT_EQ(FailureIn(clicked), "APPROVAL_DENIED") << json::serialize(clicked.ToJson());
  EXPECT_EQ(t.site.RequestCount("/account/delete"), 0u);
  co_await test.bench.Stop();
}

BROWSER_TEST(HoldTest, ADenialEndsWhatItsTurnWaitsFor) {
  ControlBench test(t, kAskAtFirst);
  t.site.Serve("/page", "<form method=post action=/first><button id=go>Go on</button></form>");
  co_await test.bench.Execute(TurnStep(0, GoTo(t.site.Url("/page"))));
  constexpr std::string_view kLongWait =
      R"(, "wait_conditions": [{"kind": "selector", "payload": {"selector": "#there"},
         "timeout_ms": 600000}], "timeout": {"wait_ms": 600000, "total_ms": 600000})";
  InBackground clicking(t.ctx.executor(),
                        test.bench.Execute(TurnStep(1, ClickOn("#go"), kLongWait)));

  const auto question = co_await test.Asked();
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kDeny);
  const auto clicked = co_await clicking.Join();

  EXPECT_EQ(FailureIn(clicked), "APPROVAL_DENIED") << json::serialize(clicked.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(HoldTest, AScriptIsShownToWhoApprovesIt) {
  ControlBench test(t, kAskAtFirst);
  t.site.Serve("/page", "<p>page</p>");
  co_await test.bench.Execute(TurnStep(0, GoTo(t.site.Url("/page"))));
  InBackground running(
      t.ctx.executor(),
      test.bench.Execute(TurnStep(
          1,
          R"({"action_type": "custom_js_restricted", "js_expression": "document.title = 'x'"})")));

  const auto question = co_await test.Asked();
  EXPECT_EQ(question.preview->body, "document.title = 'x'");
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto ran = co_await running.Join();
  EXPECT_EQ(FailureIn(ran), "success") << json::serialize(ran.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(HoldTest, AFileThatIsStillOnTheDiskIsApprovedByItsContent) {
  ControlBench test(t, kAskAtFirst);
  t.site.Serve("/page",
               "<form method=post action=/first enctype=multipart/form-data><input id=file "
               "type=file name=one><button id=go>Go on</button></form>");
  t.site.On("/first", [](const auto&) { return net::TextResponse(200, "text/html", "there"); });
  co_await test.bench.Execute(TurnStep(0, GoTo(t.site.Url("/page"))));
  const auto folder = test.bench.ArtifactsOf("w1");
  EXPECT_TRUE(WriteFileAtomic(folder / "one.bin", "disk bytes"));
  const auto put = co_await test.bench.Execute(TurnStep(
      1, R"({"action_type": "upload", "selector": "#file", "files": [{"path": "one.bin"}]})"));
  EXPECT_TRUE(put.success) << json::serialize(put.ToJson());
  InBackground sending(t.ctx.executor(), test.bench.Execute(TurnStep(2, ClickOn("#go"))));

  const auto question = co_await test.Asked();
  const std::vector<model::PreviewFile> files =
      question.preview ? question.preview->files : std::vector<model::PreviewFile>();
  EXPECT_EQ(files.size(), 1u) << json::serialize(question.ToJson());
  if (files.size() == 1) {
    EXPECT_EQ(files[0].name, "one.bin");
    EXPECT_EQ(files[0].sha256, Sha256Hex("disk bytes"));
  }
  co_await test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const auto sent = co_await sending.Join();

  EXPECT_EQ(FailureIn(sent), "success") << json::serialize(sent.ToJson());
  const auto arrived = t.site.Requests("/first");
  EXPECT_TRUE(!arrived.empty() && arrived.back().body.contains("disk bytes"));
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
