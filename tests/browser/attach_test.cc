// Attaching to a browser that somebody else runs.

#include "app/attach.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"
#include "browser/browser_pool.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kMark = "DevTools listening on ";

// A browser with an open debugging port, run by the test.
class PortBrowser {
 public:
  PortBrowser() : profile_(*TempDir::Create("falconer-test-")) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const UniqueFd read(ends[0]);
    Spawn(ends[1]);
    ::close(ends[1]);
    ReadAddress(read.get());
  }
  ~PortBrowser() {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  PortBrowser(const PortBrowser&) = delete;
  PortBrowser& operator=(const PortBrowser&) = delete;

  const std::string& ws_url() const { return ws_url_; }
  std::string http_url() const { return "http" + ws_url_.substr(2, ws_url_.find('/', 5) - 2); }
  bool is_running() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }

 private:
  void Spawn(int errors) {
    const auto executable = browser::FindExecutable(TestBrowserConfig());
    ASSERT_TRUE(executable) << Why(executable);
    std::vector<std::string> arguments = browser::LaunchArguments(TestBrowserConfig());
    arguments.insert(arguments.begin(), executable->string());
    arguments.push_back("--user-data-dir=" + profile_.path().string());
    arguments.emplace_back("--remote-debugging-port=0");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    EXPECT_EQ(
        ::posix_spawn(&pid_, executable->c_str(), &actions, &attributes, pointers.data(), environ),
        0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }

  void ReadAddress(int errors) {
    std::string said;
    char c = 0;
    while (::read(errors, &c, 1) == 1) {
      said.push_back(c);
      const auto at = said.find(kMark);
      if (c != '\n' || at == std::string::npos) continue;
      ws_url_ = said.substr(at + kMark.size());
      ws_url_.pop_back();
      return;
    }
    ADD_FAILURE() << "the browser named no port: " << said;
  }

  TempDir profile_;
  pid_t pid_ = 0;
  std::string ws_url_;
};

BROWSER_TEST(AttachTest, FindsTheBrowserBehindItsPort) {
  const PortBrowser port;
  for (const std::string& url : {port.http_url(), port.http_url() + "/", port.ws_url()}) {
    const auto found = co_await app::FindDebuggerUrl(t.ctx, url);
    EXPECT_TRUE(found) << url << ": " << Why(found);
    if (found) EXPECT_EQ(*found, port.ws_url()) << url;
  }
}

BROWSER_TEST(AttachTest, DrivesAPageAndLeavesTheBrowserRunning) {
  const PortBrowser port;
  {
    auto attached = co_await app::AttachToBrowser(t.ctx, port.http_url(), {});
    EXPECT_TRUE(attached) << Why(attached);
    if (!attached) co_return;
    EXPECT_EQ((*attached)->pid(), 0);
    const auto session = co_await (*attached)->NewSession(t.ctx, SessionId("a"), {});
    EXPECT_TRUE(session) << Why(session);
    BrowserFixture a(t.ctx, **attached, t.site, *session, t.artifacts);
    t.site.Serve("/one", "<button onclick=\"document.title='clicked'\">Go</button>");
    co_await a.Open("/one");
    const auto clicked = co_await a.Click("role=button[name=\"Go\"]");
    EXPECT_TRUE(clicked) << Why(clicked);
    EXPECT_EQ(co_await a.PageText("document.title"), "clicked");
    // A message of several megabytes.
    co_await a.Page("void (window.big = 'x'.repeat(8 << 20))");
    EXPECT_EQ((co_await a.PageText("big")).size(), std::size_t{8} << 20);
    co_await (*attached)->Close(t.ctx.WithTimeout(10s));
  }
  EXPECT_TRUE(port.is_running());
  const auto again = co_await app::AttachToBrowser(t.ctx, port.ws_url(), {});
  EXPECT_TRUE(again) << Why(again);
}

BROWSER_TEST(AttachTest, NoticesThatTheBrowserIsGone) {
  auto port = std::make_unique<PortBrowser>();
  auto attached = co_await app::AttachToBrowser(t.ctx, port->http_url(), {});
  EXPECT_TRUE(attached) << Why(attached);
  if (!attached) co_return;
  const auto session = co_await (*attached)->NewSession(t.ctx, SessionId("a"), {});
  EXPECT_TRUE(session) << Why(session);
  port.reset();
  const auto ended = co_await (*session)->changes().Until(
      t.ctx.WithTimeout(10s), [&] { return !(*session)->is_open(); }, "the session to end");
  EXPECT_TRUE(ended) << Why(ended);
  EXPECT_EQ(CodeOf((*session)->Alive()), ErrorCode::kBrowserGone);
  EXPECT_FALSE((*attached)->is_alive());
}

BROWSER_TEST(AttachTest, APoolCanStandOnAnAttachedBrowser) {
  const PortBrowser port;
  browser::BrowserPool pool(t.ctx.executor(), t.ctx.clock(), {},
                            [url = port.http_url()](CallContext ctx) {
                              return app::AttachToBrowser(std::move(ctx), url, {});
                            });
  const auto opened = co_await pool.Open(t.ctx.WithTimeout(20s), SessionId("a"), {});
  EXPECT_TRUE(opened) << Why(opened);
  co_await pool.Stop(t.ctx.WithTimeout(10s));
  EXPECT_TRUE(port.is_running());
}

BROWSER_TEST(AttachTest, SaysWhatIsWrongWithAnAddress) {
  const struct {
    std::string url;
    ErrorCode code;
  } cases[] = {
      {"", ErrorCode::kInvalidArgument},
      {"localhost:9222", ErrorCode::kInvalidArgument},
      {"http://", ErrorCode::kInvalidArgument},
      {"ftp://localhost", ErrorCode::kInvalidArgument},
      {"https://localhost:9222", ErrorCode::kUnsupported},
      {"wss://localhost:9222/devtools/browser/x", ErrorCode::kUnsupported},
      {"http://127.0.0.1:1", ErrorCode::kNetworkError},
      {t.site.Url("/"), ErrorCode::kProtocolError},
      {"ws" + t.site.Url("/devtools/browser/x").substr(4), ErrorCode::kNetworkError},
  };
  for (const auto& one : cases) {
    const auto attached = co_await app::AttachToBrowser(t.ctx, one.url, {.launch_timeout = 5s});
    EXPECT_EQ(CodeOf(attached), one.code) << one.url << ": " << Why(attached);
  }
}

}  // namespace
}  // namespace falconer::test
