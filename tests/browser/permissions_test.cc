// What is not granted is denied, and nothing waits for a person who is not there.

#include "browser/context/permissions.h"

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

constexpr std::string_view kLocate =
    "await new Promise(done => navigator.geolocation.getCurrentPosition("
    "p => done(p.coords.latitude), e => done('denied ' + e.code)))";
constexpr std::string_view kNotify = "await Notification.requestPermission()";
constexpr std::string_view kCopy =
    "await navigator.clipboard.writeText('copied').then(() => "
    "navigator.clipboard.readText()).catch(e => e.name)";

// As a page would ask when a person has just clicked.
Task<std::string> Ask(BrowserFixture* t, std::string_view expression) {
  const auto reply = co_await t->tab()->session()->Send(
      t->ctx.WithTimeout(std::chrono::seconds(10)),
      cdp::RuntimeEvaluate{.expression = "(async () => String(" + std::string(expression) + "))()",
                           .return_by_value = true,
                           .await_promise = true,
                           .user_gesture = true});
  EXPECT_TRUE(reply) << expression << ": " << Why(reply);
  const bool has_text = reply && reply->result.value && reply->result.value->is_string();
  co_return has_text ? std::string(reply->result.value->get_string()) : "";
}

BROWSER_TEST(PermissionsTest, WhatIsNotGrantedIsDeniedAtOnce) {
  co_await t.Open("/empty.html");
  EXPECT_EQ(co_await Ask(&t, kLocate), "denied 1");
  EXPECT_EQ(co_await Ask(&t, kNotify), "denied");
  EXPECT_EQ(co_await Ask(&t, kCopy), "NotAllowedError");
  EXPECT_EQ(co_await Ask(
                &t, "await navigator.mediaDevices.getUserMedia({audio: true}).catch(() => 'no')"),
            "no");
  EXPECT_EQ(co_await Ask(
                &t, "await navigator.mediaDevices.getDisplayMedia?.().catch(() => 'no') ?? 'no'"),
            "no");
  EXPECT_EQ(co_await Ask(
                &t, "await navigator.usb?.requestDevice({filters: []}).catch(() => 'no') ?? 'no'"),
            "no");
  EXPECT_EQ(co_await Ask(&t, "await navigator.serial?.requestPort().catch(() => 'no') ?? 'no'"),
            "no");
  EXPECT_EQ(co_await Ask(&t,
                         "await navigator.hid?.requestDevice({filters: []}).then(d => d.length ? "
                         "'yes' : 'no', () => 'no') ?? 'no'"),
            "no");
}

BROWSER_TEST(PermissionsTest, EveryPermissionReadsAsDenied) {
  co_await t.Open("/empty.html");
  for (const std::string_view name : browser::AllPermissions()) {
    const std::string state =
        co_await Ask(&t, "await navigator.permissions.query({name: '" + std::string(name) +
                             "'}).then(s => s.state, () => 'unknown')");
    // Pages are never told that access to storage was denied.
    const bool is_hidden = name.ends_with("storage-access") && state == "prompt";
    EXPECT_TRUE(state == "denied" || state == "unknown" || is_hidden) << name << " is " << state;
  }
}

BROWSER_TEST(PermissionsTest, TheBrowserKnowsEveryNameInTheTable) {
  for (const std::string_view name : browser::AllPermissions()) {
    const auto set = co_await t.session->root()->Send(
        t.ctx, cdp::BrowserSetPermission{.permission = {.name = std::string(name)},
                                         .setting = "denied",
                                         .browser_context_id = t.session->context_id()});
    EXPECT_TRUE(set) << name << ": " << Why(set);
  }
}

BROWSER_TEST(PermissionsTest, WhatIsGrantedWorks) {
  browser::SessionOptions options;
  options.permissions = {"geolocation", "notifications", "clipboard-read", "clipboard-write"};
  options.geolocation = browser::Geolocation{.latitude = 47.5, .longitude = 8.5};
  const auto a = co_await OpenFixture(t, options);
  co_await a->Open("/empty.html");
  EXPECT_EQ(co_await Ask(a.get(), kLocate), "47.5");
  EXPECT_EQ(co_await Ask(a.get(), kNotify), "granted");
  EXPECT_EQ(co_await Ask(a.get(), kCopy), "copied");

  // A grant is the session's own.
  co_await t.Open("/empty.html");
  EXPECT_EQ(co_await Ask(&t, kNotify), "denied");
}

BROWSER_TEST(PermissionsTest, AnUnknownPermissionIsRefused) {
  browser::SessionOptions options;
  options.permissions = {"telepathy"};
  const auto opened = co_await t.browser.NewSession(t.ctx, SessionId("bad"), options);
  EXPECT_EQ(CodeOf(opened), ErrorCode::kInvalidArgument) << Why(opened);
}

}  // namespace
}  // namespace falconer::test
