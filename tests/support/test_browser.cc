#include "tests/support/test_browser.h"

#include <atomic>
#include <cstdlib>

#include <boost/asio/io_context.hpp>

#include "base/json/json.h"
#include "tests/support/co_test.h"

namespace falconer::test {
namespace {

constexpr auto kActionTimeout = std::chrono::seconds(10);
constexpr auto kCeiling = std::chrono::seconds(60);

// Shared by all tests of the process; the browser is replaced when a test has killed it.
struct Shared {
  SystemClock clock;
  boost::asio::io_context io;
  TestSite site;
  std::unique_ptr<browser::Browser> browser;

  CallContext Context() { return CallContext(io.get_executor(), clock); }
};

Shared* shared = nullptr;

class SharedBrowser : public ::testing::Environment {
 public:
  void SetUp() override { shared = new Shared; }
  void TearDown() override {
    if (shared->browser) {
      RunCo(shared->io,
            shared->browser->Close(shared->Context().WithTimeout(std::chrono::seconds(10))),
            kCeiling);
    }
    shared->browser.reset();
    shared->io.restart();
    shared->io.poll();
    delete shared;
  }
};

[[maybe_unused]] ::testing::Environment* const kEnvironment =
    ::testing::AddGlobalTestEnvironment(new SharedBrowser);

Task<Result<std::shared_ptr<browser::Session>>> NewSession(browser::SessionOptions options) {
  static std::atomic<int> count = 0;
  co_return co_await shared->browser->NewSession(
      shared->Context().WithTimeout(std::chrono::seconds(20)),
      SessionId("s" + std::to_string(++count)), std::move(options));
}

Task<void> Body(BrowserTestBody body) {
  const CallContext ctx = shared->Context();
  if (!shared->browser || !shared->browser->is_alive()) {
    auto launched = co_await browser::Browser::Launch(ctx, TestBrowserConfig(), {});
    EXPECT_TRUE(launched) << Why(launched);
    if (!launched) co_return;
    shared->browser = *std::move(launched);
  }
  auto folder = TempDir::Create("falconer-test-");
  browser::SessionOptions options;
  options.artifacts = folder->path();
  const auto session = co_await NewSession(options);
  EXPECT_TRUE(session) << Why(session);
  if (!session) co_return;
  shared->site.Reset();
  {
    BrowserFixture fixture(ctx, *shared->browser, shared->site, *session, folder->path());
    co_await body(fixture);
  }
  co_await (*session)->Close(ctx.WithTimeout(std::chrono::seconds(10)));
}

}  // namespace

std::chrono::seconds LongHold() {
  constexpr int kDefault = 3;
  const char* text = std::getenv("FALCONER_LONG_HOLD_S");
  const int seconds = text != nullptr ? std::atoi(text) : 0;
  return std::chrono::seconds(seconds > 0 ? seconds : kDefault);
}

browser::BrowserConfig TestBrowserConfig() {
  browser::BrowserConfig config;
  if (const char* kind = std::getenv("FALCONER_TEST_BROWSER");
      kind != nullptr && std::string_view(kind) == "full") {
    config.kind = browser::BrowserKind::kFull;
  }
  return config;
}

BrowserFixture::BrowserFixture(CallContext context, browser::Browser& b, TestSite& s,
                               std::shared_ptr<browser::Session> own, std::filesystem::path folder)
    : ctx(std::move(context)),
      browser(b),
      site(s),
      session(std::move(own)),
      artifacts(std::move(folder)),
      driver(*session, {.action_timeout = kActionTimeout, .navigation_timeout = kActionTimeout}),
      waits(*session, driver.navigator()),
      extractor(*session) {
}

Task<void> BrowserFixture::Open(std::string path) {
  const std::string url = path.starts_with("http") ? path : site.Url(path);
  const auto opened =
      co_await driver.Perform(ctx, {.type = model::ActionType::kNavigate, .url = url});
  EXPECT_TRUE(opened) << url << ": " << Why(opened);
}

Task<Result<model::ActionOutcome>> BrowserFixture::Do(std::string action) {
  CO_TRY_ASSIGN(const auto parsed, ParseJson(action));
  CO_TRY_ASSIGN(auto spec, model::ActionSpec::FromJson(parsed));
  co_return co_await driver.Perform(ctx, std::move(spec));
}

Task<Result<model::ActionOutcome>> BrowserFixture::Click(std::string selector) {
  return Do(json::serialize(
      json::object{{"action_type", "click"}, {"selector", std::string_view(selector)}}));
}

Task<Result<model::ActionOutcome>> BrowserFixture::Fill(std::string selector, std::string text) {
  return Do(json::serialize(json::object{{"action_type", "fill"},
                                         {"selector", std::string_view(selector)},
                                         {"text", std::string_view(text)}}));
}

Task<Result<model::WaitOutcome>> BrowserFixture::DoAndWait(std::string action,
                                                           std::string condition) {
  CO_TRY_ASSIGN(const auto parsed, ParseJson(condition));
  CO_TRY_ASSIGN(auto wait, model::WaitCondition::FromJson(parsed));
  CO_TRY_ASSIGN(const auto armed,
                co_await waits.Arm(ctx.WithTimeout(kActionTimeout), tab(), std::move(wait)));
  CO_TRY(co_await Do(std::move(action)));
  co_return co_await armed->Wait(ctx.WithTimeout(kActionTimeout));
}

Task<Result<model::WaitOutcome>> BrowserFixture::WaitFor(std::string condition) {
  return DoAndWait(R"({"action_type": "wait_only"})", std::move(condition));
}

Task<Result<model::StructuredState>> BrowserFixture::State(browser::StateRequest request) {
  return extractor.Read(ctx.WithTimeout(kActionTimeout), tab(), request);
}

Task<json::value> BrowserFixture::Page(std::string expression) {
  const auto reply = co_await tab()->session()->Send(
      ctx.WithTimeout(kActionTimeout),
      cdp::RuntimeEvaluate{
          .expression = std::move(expression), .return_by_value = true, .await_promise = true});
  EXPECT_TRUE(reply) << Why(reply);
  co_return reply && reply->result.value ? *reply->result.value : json::value();
}

Task<std::string> BrowserFixture::PageText(std::string expression) {
  const auto value = co_await Page("(async () => String(" + expression + "))()");
  co_return value.is_string() ? std::string(value.get_string()) : "";
}

Task<void> BrowserFixture::TwoFrames() {
  co_await Page(
      "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
      "setTimeout(done))))");
}

Task<model::StructuredState> Read(BrowserFixture& t, browser::StateRequest request) {
  auto state = co_await t.State(request);
  EXPECT_TRUE(state) << Why(state);
  co_return state ? *std::move(state) : model::StructuredState();
}

model::ElementState Named(const model::StructuredState& state, std::string_view name) {
  for (const model::ElementState& element : state.elements) {
    if (element.name == name) return element;
  }
  ADD_FAILURE() << "no element \"" << name << "\"";
  return {};
}

std::shared_ptr<browser::Tab> BrowserFixture::tab() {
  const auto active = session->tabs().Active();
  return active ? *active : nullptr;
}

Task<std::unique_ptr<BrowserFixture>> OpenFixture(BrowserFixture& other,
                                                  browser::SessionOptions options) {
  if (options.artifacts.empty()) options.artifacts = other.artifacts;
  const auto session = co_await NewSession(options);
  EXPECT_TRUE(session) << Why(session);
  if (!session) co_return nullptr;
  co_return std::make_unique<BrowserFixture>(other.ctx, other.browser, other.site, *session,
                                             options.artifacts);
}

void RunInBrowser(BrowserTestBody body) {
  RunCo(shared->io, Body(body), kCeiling + LongHold());
}

}  // namespace falconer::test
