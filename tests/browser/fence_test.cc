// The fence: once an action is called off, nothing more of it reaches the page; the next one does.

#include <set>
#include <string>

#include "base/async/cancel.h"
#include "cdp/write_fence.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// A scope of work that can be called off, as the kernel's is.
class Scope final : public cdp::WriteFence {
 public:
  Result<void> MayLeave() const override { return source_.token().Check(); }
  void DidLeave() const override { ++left_; }

  void Cancel() { source_.Cancel(Error(ErrorCode::kCancelled, "called off by the test")); }
  int left() const { return left_; }

 private:
  CancelSource source_;
  mutable int left_ = 0;
};

BROWSER_TEST(FenceTest, ACancelledScopeLetsNoClickThroughAndTheNextOneDoes) {
  t.site.Serve("/other", "<p>Other");
  t.site.Serve("/page",
               "<script>window.seen = ''</script><button id=b onclick='seen += \"b\"'>Go</button>"
               "<input id=f>");
  co_await t.Open("/page");
  const auto first = std::make_shared<Scope>();
  t.session->SetFence(first);
  const auto before = co_await t.Click("#b");
  EXPECT_TRUE(before) << Why(before);
  const int left = first->left();
  EXPECT_GT(left, 0);

  first->Cancel();
  const auto clicked = co_await t.Click("#b");
  const auto filled = co_await t.Fill("#f", "text");
  const auto navigated =
      co_await t.Do(R"({"action_type": "navigate", "url": ")" + t.site.Url("/other") + R"("})");
  EXPECT_EQ(CodeOf(clicked), ErrorCode::kCancelled) << Why(clicked);
  EXPECT_EQ(CodeOf(filled), ErrorCode::kCancelled) << Why(filled);
  EXPECT_EQ(CodeOf(navigated), ErrorCode::kCancelled) << Why(navigated);
  EXPECT_EQ(first->left(), left) << "nothing left after the cancel";

  const auto second = std::make_shared<Scope>();
  t.session->SetFence(second);
  const std::string seen = co_await t.PageText("seen + document.querySelector('#f').value");
  EXPECT_EQ(seen, "b");
  const auto after = co_await t.Click("#b");
  EXPECT_TRUE(after) << Why(after);
  const std::string seen_after = co_await t.PageText("seen");
  EXPECT_EQ(seen_after, "bb");
  EXPECT_GT(second->left(), 0);
  EXPECT_EQ(first->left(), left);
}

BROWSER_TEST(FenceTest, TabsAndFramesThatComeLaterHeedItToo) {
  t.site.Serve("/page", "<a id=a href=/other target=_blank>Other</a><iframe src='" +
                            t.site.CrossSiteUrl("/empty.html") + "'></iframe>");
  t.site.Serve("/other", "<p>Other");
  co_await t.Open("/page");
  const auto scope = std::make_shared<Scope>();
  t.session->SetFence(scope);
  const auto opened =
      co_await t.DoAndWait(R"({"action_type": "click", "selector": "#a"})", R"({"kind": "popup"})");
  EXPECT_TRUE(opened) << Why(opened);

  scope->Cancel();
  std::set<cdp::Session*> sessions;
  for (const auto& tab : t.session->tabs().all()) {
    sessions.insert(tab->session().get());
    for (const auto& frame : tab->frames().All()) sessions.insert(frame->session.get());
  }
  EXPECT_EQ(sessions.size(), 3U) << "two tabs, and a frame in a process of its own";
  for (cdp::Session* session : sessions) {
    const auto acted =
        co_await session->Send(t.ctx, cdp::RuntimeEvaluate{.expression = "document.title = 'x'"});
    EXPECT_EQ(CodeOf(acted), ErrorCode::kCancelled) << session->target().url;
    const auto kept = co_await session->Send(t.ctx, cdp::PageEnable{});
    EXPECT_TRUE(kept) << Why(kept);
  }
}

}  // namespace
}  // namespace falconer::test
