#pragma once
// BROWSER_TEST: a test with a real Chromium. One browser serves all tests of the process; each test
// gets a session of its own and a site without records.

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/file.h"
#include "browser/browser.h"
#include "browser/driver.h"
#include "browser/state/structured_state_extractor.h"
#include "browser/waits/wait_manager.h"
#include "tests/support/test_site.h"

namespace falconer::test {

// How long a test waits for what is sure to come, and for what starts or ends browsers.
inline constexpr auto kPatience = std::chrono::seconds(10);
inline constexpr auto kLongPatience = std::chrono::seconds(20);

// How long the test of long holds holds a request: FALCONER_LONG_HOLD_S seconds, 3 by default.
std::chrono::seconds LongHold();

// The browser that tests run: FALCONER_TEST_BROWSER=full makes it full Chromium.
browser::BrowserConfig TestBrowserConfig();

// What a test works with.
class BrowserFixture {
 public:
  BrowserFixture(CallContext ctx, browser::Browser& browser, TestSite& site,
                 std::shared_ptr<browser::Session> session, std::filesystem::path artifacts);

  CallContext ctx;
  browser::Browser& browser;
  TestSite& site;
  std::shared_ptr<browser::Session> session;
  std::filesystem::path artifacts;
  browser::Driver driver;
  browser::WaitManager waits;
  browser::StructuredStateExtractor extractor;

  // Opens a page of the site and expects it to load.
  Task<void> Open(std::string path);
  // Performs one action, given as JSON text without "action_type"'s braces: R"({"action_type":
  // "click", ...})".
  Task<Result<model::ActionOutcome>> Do(std::string action);
  // The same for the everyday actions on a selector.
  Task<Result<model::ActionOutcome>> Click(std::string selector);
  Task<Result<model::ActionOutcome>> Fill(std::string selector, std::string text);
  // Performs the action after arming the condition (JSON text) and gives the wait's outcome.
  Task<Result<model::WaitOutcome>> DoAndWait(std::string action, std::string condition);
  Task<Result<model::WaitOutcome>> WaitFor(std::string condition);
  Task<Result<model::StructuredState>> State(browser::StateRequest request = {});
  // Evaluates in the page's own world, to look at effects; null when it fails.
  Task<json::value> Page(std::string expression);
  // The same as text; the expression may use await.
  Task<std::string> PageText(std::string expression);
  std::shared_ptr<browser::Tab> tab();
  // Everything that was under way in the page has had its turn.
  Task<void> TwoFrames();
};

// A session with other options, closed when the test ends.
Task<std::unique_ptr<BrowserFixture>> OpenFixture(BrowserFixture& other,
                                                  browser::SessionOptions options);

// The state, which must be readable.
Task<model::StructuredState> Read(BrowserFixture& t, browser::StateRequest request = {});
// The element with this name; an empty one when there is none.
model::ElementState Named(const model::StructuredState& state, std::string_view name);

using BrowserTestBody = Task<void> (*)(BrowserFixture& t);
void RunInBrowser(BrowserTestBody body);

// The code of a failed result's error, or nothing.
template <typename T>
std::optional<ErrorCode> CodeOf(const Result<T>& result) {
  return result ? std::nullopt : std::optional(result.error().code());
}

template <typename T>
std::string Why(const Result<T>& result) {
  return result ? "ok" : Describe(result.error()) + " " + json::serialize(result.error().details());
}

}  // namespace falconer::test

#define BROWSER_TEST(suite, name)                                                           \
  static ::falconer::Task<void> suite##_##name##_Body(::falconer::test::BrowserFixture& t); \
  TEST(suite, name) {                                                                       \
    ::falconer::test::RunInBrowser(&suite##_##name##_Body);                                 \
  }                                                                                         \
  static ::falconer::Task<void> suite##_##name##_Body(::falconer::test::BrowserFixture& t)
