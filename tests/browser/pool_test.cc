// The pool with real browsers: crashes, hangs, and what is left behind.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>

#include "base/unique_fd.h"
#include "browser/browser_pool.h"
#include "cdp/browser_folder.h"
#include "tests/support/co_test.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using namespace std::chrono_literals;
using browser::BrowserPool;
using browser::PlacedSession;
using browser::PoolConfig;

browser::BrowserFactory Launcher() {
  return [](CallContext ctx) {
    return browser::Browser::Launch(std::move(ctx), TestBrowserConfig(), {});
  };
}

Task<PlacedSession> Open(BrowserPool* pool, CallContext ctx, std::string id) {
  auto opened = co_await pool->Open(ctx.WithTimeout(kLongPatience), SessionId(std::move(id)), {});
  EXPECT_TRUE(opened) << Why(opened);
  co_return opened ? *std::move(opened) : PlacedSession{};
}

// Waits until the session has ended, and says why it did.
Task<std::optional<ErrorCode>> UntilClosed(CallContext ctx,
                                           std::shared_ptr<browser::Session> session) {
  const auto closed = co_await session->changes().Until(
      ctx.WithTimeout(kLongPatience), [&] { return !session->is_open(); }, "the session to end");
  EXPECT_TRUE(closed) << Why(closed);
  co_return CodeOf(session->Alive());
}

// Temporary folders go to a place of our own while this lives, so that it can be looked into.
class OwnTempDir {
 public:
  OwnTempDir() : dir_(*TempDir::Create("falconer-test-")) {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", dir_.path().c_str(), 1);
  }
  ~OwnTempDir() {
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }
  OwnTempDir(const OwnTempDir&) = delete;
  OwnTempDir& operator=(const OwnTempDir&) = delete;

  // The paths of everything in it, one per line.
  std::string Content() const {
    std::string content;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_.path())) {
      content += entry.path().string() + "\n";
    }
    return content;
  }

 private:
  TempDir dir_;
  std::optional<std::string> before_;
};

// Whether the process ends within a while. Works for processes that are not our children.
bool Ends(int pid) {
  const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process) return true;
  pollfd ended{.fd = process.get(), .events = POLLIN, .revents = 0};
  return ::poll(&ended, 1, 10'000) == 1;
}

BROWSER_TEST(PoolTest, RecoversFromABrowserThatIsKilled) {
  BrowserPool pool(t.ctx.executor(), t.ctx.clock(), {}, Launcher());
  const auto a = co_await Open(&pool, t.ctx, "a");
  const int pid = pool.List().at(0).pid;
  ::kill(pid, SIGKILL);
  EXPECT_EQ(co_await UntilClosed(t.ctx, a.session), ErrorCode::kBrowserGone);

  const auto b = co_await Open(&pool, t.ctx, "b");
  EXPECT_EQ(b.place.browser_number(), 2U);
  EXPECT_NE(pool.List().at(0).pid, pid);
  co_await pool.Stop(t.ctx.WithTimeout(kLongPatience));
}

BROWSER_TEST(PoolTest, EndsABrowserThatHangs) {
  BrowserPool pool(t.ctx.executor(), t.ctx.clock(),
                   {.health_interval = 50ms, .health_timeout = 200ms}, Launcher());
  const auto a = co_await Open(&pool, t.ctx, "a");
  const int pid = pool.List().at(0).pid;
  ::kill(pid, SIGSTOP);
  EXPECT_EQ(co_await UntilClosed(t.ctx, a.session), ErrorCode::kBrowserGone);
  EXPECT_TRUE(Ends(pid));
  co_await pool.Stop(t.ctx.WithTimeout(kLongPatience));
}

BROWSER_TEST(PoolTest, LeavesNoProcessAndNoFolder) {
  const OwnTempDir temp;
  BrowserPool pool(t.ctx.executor(), t.ctx.clock(), {.max_browsers = 2}, Launcher());
  const auto a = co_await Open(&pool, t.ctx, "a");
  const auto b = co_await Open(&pool, t.ctx, "b");
  const auto browsers = pool.List();
  EXPECT_EQ(browsers.size(), 2U);
  EXPECT_NE(temp.Content(), "");
  // One leaves in good order, one does not get the chance.
  ::kill(browsers.at(1).pid, SIGKILL);
  EXPECT_EQ(co_await UntilClosed(t.ctx, b.session), ErrorCode::kBrowserGone);
  co_await pool.Stop(t.ctx.WithTimeout(kLongPatience));
  EXPECT_FALSE(a.session->is_open());
  for (const auto& status : browsers) EXPECT_TRUE(Ends(status.pid));
  EXPECT_EQ(temp.Content(), "");
}

BROWSER_TEST(PoolTest, SaysWhyABrowserCannotStart) {
  browser::BrowserConfig config;
  config.executable = "/bin/false";
  BrowserPool pool(t.ctx.executor(), t.ctx.clock(), {}, [config](CallContext ctx) {
    return browser::Browser::Launch(std::move(ctx), config, {});
  });
  const auto opened = co_await pool.Open(t.ctx.WithTimeout(kLongPatience), SessionId("a"), {});
  EXPECT_EQ(CodeOf(opened), ErrorCode::kBrowserLaunchFailed) << Why(opened);
  co_await pool.Stop(t.ctx);
}

// Launches a browser, tells its process id, and waits to be killed.
[[noreturn]] void LaunchAndHang(int tell) {
  SystemClock clock;
  boost::asio::io_context io;
  std::unique_ptr<browser::Browser> browser;
  const auto body = [](CallContext ctx, std::unique_ptr<browser::Browser>* out) -> Task<void> {
    auto launched = co_await browser::Browser::Launch(std::move(ctx), TestBrowserConfig(), {});
    if (launched) *out = *std::move(launched);
  };
  RunCo(io, body(CallContext(io.get_executor(), clock), &browser));
  const int pid = browser ? browser->pid() : -1;
  if (::write(tell, &pid, sizeof pid) == sizeof pid) ::pause();
  ::_exit(1);
}

TEST(OrphanTest, AKilledOwnerLeavesNoBrowserRunning) {
  const OwnTempDir temp;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t owner = ::fork();
  if (owner == 0) LaunchAndHang(ends[1]);
  const UniqueFd told(ends[0]);
  ::close(ends[1]);
  int browser = -1;
  ASSERT_EQ(::read(told.get(), &browser, sizeof browser), static_cast<ssize_t>(sizeof browser));
  EXPECT_GT(browser, 0);

  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);

  EXPECT_TRUE(Ends(browser)) << "browser " << browser << " outlived its owner";
  // Its folder is removed by whoever starts a browser next.
  EXPECT_NE(temp.Content(), "");
  cdp::RemoveAbandonedFolders();
  EXPECT_EQ(temp.Content(), "");
}

}  // namespace
}  // namespace falconer::test
