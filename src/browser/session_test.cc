#include "browser/session.h"

#include "base/async/task_scope.h"
#include "browser/network/egress_door.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_browser.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using namespace std::chrono_literals;
using test::FakeBrowser;
using test::Settle;

struct SessionBench {
  explicit SessionBench(CallContext c)
      : ctx(std::move(c)), fake(ctx.executor()), tasks(ctx.executor()) {}

  Task<void> Open() {
    auto attached = co_await fake.Attach(ctx);
    browser = *std::move(attached);
    auto opened = co_await browser->NewSession(ctx, SessionId("s"), {});
    session = *std::move(opened);
  }
  // A page opens another.
  void Popup() {
    const json::object target{{"targetId", "popup"},
                              {"type", "page"},
                              {"title", ""},
                              {"url", ""},
                              {"attached", true},
                              {"openerId", "target-" + fake.last_page()},
                              {"browserContextId", session->context_id()}};
    fake.peer().Event(
        "", "Target.attachedToTarget",
        json::serialize(json::object{
            {"sessionId", "popup"}, {"targetInfo", target}, {"waitingForDebugger", true}}));
  }
  Task<void> OpenHidden() {
    const auto hidden = co_await session->tabs().OpenHidden(ctx);
    EXPECT_FALSE(hidden) << "the test refuses it";
  }
  Task<void> AwaitTabs(std::size_t count, std::optional<Result<void>>* out) {
    *out = co_await session->changes().Until(
        ctx, [=, this] { return session->tabs().all().size() == count; }, "the tabs");
  }

  CallContext ctx;
  FakeBrowser fake;
  std::unique_ptr<Browser> browser;
  std::shared_ptr<Session> session;
  TaskScope tasks;
};

CO_TEST(SessionTest, APageThatWasHeldBackIsNewsWhenItBecomesATab) {
  SessionBench bench(ctx);
  co_await bench.Open();
  bench.fake.peer().On("Target.createTarget").Ignore();
  bench.tasks.Spawn("hidden", bench.OpenHidden());
  std::optional<Result<void>> two;
  bench.tasks.Spawn("tabs", bench.AwaitTabs(2, &two));
  bench.Popup();
  co_await Settle();
  EXPECT_FALSE(two) << "it is held while the hidden page is on its way";

  const auto asked = bench.fake.peer().LastOf("Target.createTarget");
  bench.fake.peer().Push(json::serialize(
      json::object{{"id", asked.id}, {"error", {{"code", -32000}, {"message", "refused"}}}}));
  co_await Settle();

  EXPECT_TRUE(two && two->has_value());
  co_await bench.tasks.Stop();
}

CO_TEST(SessionTest, AContextThatIsNotDisposedIsLogged) {
  SessionBench bench(ctx);
  co_await bench.Open();
  bench.fake.peer().On("Target.disposeBrowserContext").Fail("no such context");
  const test::CapturedLog log;

  co_await bench.session->Close(ctx);

  EXPECT_EQ(log.CountOf({"session.dispose_failed", "\"s\"", "no such context"}), 1U);
  EXPECT_FALSE(bench.session->is_open());
}

CO_TEST(SessionTest, ALostBrowserIsWhyItsDownloadsFail) {
  SessionBench bench(ctx);
  co_await bench.Open();
  bench.fake.peer().Event("", "Browser.downloadWillBegin",
                          R"({"frameId": "target-page1", "guid": "g", "url": "http://site/file",
                              "suggestedFilename": "file.txt"})");
  EXPECT_EQ(bench.session->downloads().all().size(), 1U);

  bench.fake.peer().HangUp("the browser closed its pipe");
  const auto begun = co_await bench.session->downloads().Begun(ctx.WithTimeout(5s), 1);
  const auto& last = bench.session->downloads().all().back();

  EXPECT_EQ(begun.error().code(), ErrorCode::kBrowserGone);
  EXPECT_EQ(last.state, DownloadState::kFailed);
  EXPECT_TRUE(last.failure.has_value());
}

// Lets everybody out and remembers whom.
class CountingDoor final : public EgressDoor {
 public:
  EgressPass Admit(const SessionId& session) override {
    admitted.push_back(session.value());
    return {.proxy_server = "http://127.0.0.1:9", .user = session.value(), .password = "pw"};
  }
  void Govern(const SessionId& /*session*/, std::shared_ptr<const EgressJudge> /*judge*/) override {
  }
  void Dismiss(const SessionId& session) override { dismissed.push_back(session.value()); }
  model::EgressMark Mark(const SessionId& /*session*/) const override { return {}; }
  model::EgressReport Since(const SessionId& /*session*/,
                            const model::EgressMark& /*mark*/) const override {
    return {};
  }
  std::vector<std::string> admitted;
  std::vector<std::string> dismissed;
};

CO_TEST(SessionTest, LeavesByItsDoorUntilItEnds) {
  FakeBrowser fake(ctx.executor());
  auto browser = co_await fake.Attach(ctx);
  const auto door = std::make_shared<CountingDoor>();
  SessionOptions options;
  options.egress = door;
  const auto session = co_await (*browser)->NewSession(ctx, SessionId("s1"), options);
  EXPECT_TRUE(session);
  const auto created = fake.peer().LastOf("Target.createBrowserContext").params;
  EXPECT_EQ(TextAt(created, "proxyServer"), "http://127.0.0.1:9");
  EXPECT_EQ(TextAt(created, "proxyBypassList"), "<-loopback>") << "loopback is no exception";
  EXPECT_EQ(fake.peer().LastOf("Fetch.enable").params.at("handleAuthRequests"), json::value(true));
  EXPECT_TRUE(door->dismissed.empty());
  if (session) co_await (*session)->Close(ctx);
  EXPECT_EQ(door->dismissed, door->admitted);
}

CO_TEST(SessionTest, ASessionThatDoesNotOpenLeavesNobodyAtTheDoor) {
  FakeBrowser fake(ctx.executor());
  auto browser = co_await fake.Attach(ctx);
  fake.peer().On("Target.createBrowserContext").Fail("no");
  const auto door = std::make_shared<CountingDoor>();
  SessionOptions options;
  options.egress = door;
  EXPECT_FALSE(co_await (*browser)->NewSession(ctx, SessionId("s1"), options));
  EXPECT_EQ(door->dismissed, door->admitted);
}

}  // namespace
}  // namespace falconer::browser
