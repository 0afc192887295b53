// Cookies and localStorage, out of one session and into another.

#include "browser/context/storage.h"

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::Cookie;
using browser::StorageState;

const Cookie* FindCookie(const std::vector<Cookie>& cookies, std::string_view name) {
  for (const Cookie& cookie : cookies) {
    if (cookie.name == name) return &cookie;
  }
  ADD_FAILURE() << "no cookie " << name;
  static const Cookie none;
  return &none;
}

BROWSER_TEST(StorageTest, MovesToAnotherSession) {
  co_await t.Open("/empty.html");
  co_await t.Page(
      "localStorage.setItem('plan', 'gold'); localStorage.setItem('\\u00e9\\n', '\\u2603')");
  co_await t.Page("document.cookie = 'lasting=1; max-age=3600'; document.cookie = 'brief=2'");
  co_await t.Page("fetch('/cookies/set?server=3')");
  // An origin that no tab shows any more.
  co_await t.Open(t.site.CrossSiteUrl("/empty.html"));
  co_await t.Page("localStorage.setItem('there', 'too')");
  co_await t.Open(t.site.Url("/empty.html"));

  const auto saved = co_await t.session->storage().Save(t.ctx);
  EXPECT_TRUE(saved) << Why(saved);
  if (!saved) co_return;
  EXPECT_EQ(saved->origins.size(), 2U);
  EXPECT_TRUE(FindCookie(saved->cookies, "locked")->http_only);
  EXPECT_TRUE(FindCookie(saved->cookies, "lasting")->expires);
  EXPECT_FALSE(FindCookie(saved->cookies, "brief")->expires);

  // Through its JSON form, as it would travel.
  const auto parsed = browser::ParseStorageState(browser::ToJson(*saved));
  EXPECT_TRUE(parsed) << Why(parsed);
  const auto other = co_await OpenFixture(t, {});
  const auto loaded = co_await other->session->storage().Load(t.ctx, *parsed);
  EXPECT_TRUE(loaded) << Why(loaded);
  co_await other->Open("/empty.html");
  EXPECT_EQ(co_await other->PageText("localStorage.getItem('plan')"), "gold");
  EXPECT_EQ(co_await other->PageText("localStorage.getItem('\\u00e9\\n')"), "\u2603");
  const auto seen =
      co_await other->PageText("(await (await fetch('/cookies/read')).json()).cookie");
  for (const char* cookie : {"lasting=1", "brief=2", "server=3", "locked=1"})
    EXPECT_TRUE(seen.contains(cookie)) << seen;
  co_await other->Open(t.site.CrossSiteUrl("/empty.html"));
  EXPECT_EQ(co_await other->PageText("localStorage.getItem('there')"), "too");

  const auto again = co_await other->session->storage().Save(t.ctx);
  EXPECT_TRUE(again) << Why(again);
  if (again) EXPECT_EQ(again->origins, saved->origins);
}

BROWSER_TEST(StorageTest, LoadingAsksNoServerAndShowsNoTab) {
  int opened = 0;
  const auto told = t.session->tabs().on_opened().Subscribe([&](const auto&) { ++opened; });
  const StorageState state{
      .origins = {{.origin = t.site.Url("").substr(0, t.site.Url("").find('/', 8)),
                   .local_storage = {{"a", "1"}}},
                  {.origin = "https://unreachable.test", .local_storage = {{"b", "2"}}}}};
  const auto loaded = co_await t.session->storage().Load(t.ctx, state);
  EXPECT_TRUE(loaded) << Why(loaded);
  EXPECT_EQ(t.site.RequestCount("/"), 0U);
  EXPECT_EQ(opened, 0);
  EXPECT_EQ(t.session->tabs().all().size(), 1U);
  const auto tab = co_await t.session->tabs().Open(t.ctx);
  EXPECT_TRUE(tab) << Why(tab);
  if (tab) EXPECT_EQ((*tab)->id().value(), "t2");

  const auto saved = co_await t.session->storage().Save(t.ctx);
  EXPECT_TRUE(saved) << Why(saved);
  if (saved) EXPECT_EQ(saved->origins, state.origins);
}

BROWSER_TEST(StorageTest, TabsOpenedWhileStorageLoadsAreTabs) {
  co_await t.Open("/empty.html");
  const auto hidden = co_await t.session->tabs().OpenHidden(t.ctx);
  EXPECT_TRUE(hidden) << Why(hidden);
  co_await t.Page("void window.open('/empty.html')");
  const auto popped = co_await t.session->changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(10)),
      [&] { return t.session->tabs().all().size() == 2; }, "the popup");
  EXPECT_TRUE(popped) << Why(popped);
}

BROWSER_TEST(StorageTest, ReplacesWhatAnOriginHad) {
  co_await t.Open("/empty.html");
  co_await t.Page("localStorage.setItem('old', '1')");
  const auto before = co_await t.session->storage().Save(t.ctx);
  EXPECT_TRUE(before) << Why(before);
  if (!before || before->origins.empty()) co_return;
  StorageState state = *before;
  state.origins[0].local_storage = {{"new", "2"}};
  const auto loaded = co_await t.session->storage().Load(t.ctx, state);
  EXPECT_TRUE(loaded) << Why(loaded);
  // The process of a page that is open hears of it a little later.
  const auto heard =
      co_await t.WaitFor(R"({"kind": "function", "expression": "localStorage.new === '2'"})");
  EXPECT_TRUE(heard && heard->satisfied) << Why(heard);
  EXPECT_EQ(co_await t.PageText("JSON.stringify(localStorage)"), R"({"new":"2"})");
}

BROWSER_TEST(StorageTest, CookiesAreSetReadAndCleared) {
  auto& storage = t.session->storage();
  const std::vector<Cookie> cookies = {
      {.name = "host", .value = "1", .domain = "example.test", .path = "/a", .same_site = "Strict"},
      {.name = "wide",
       .value = "2",
       .domain = ".example.test",
       .secure = true,
       .same_site = "None"}};
  const auto set = co_await storage.SetCookies(t.ctx, cookies);
  EXPECT_TRUE(set) << Why(set);
  auto read = co_await storage.Cookies(t.ctx);
  EXPECT_TRUE(read) << Why(read);
  if (!read) co_return;
  EXPECT_EQ(read->size(), 2U);
  EXPECT_EQ(FindCookie(*read, "host")->domain, "example.test");
  EXPECT_EQ(FindCookie(*read, "host")->path, "/a");
  EXPECT_EQ(FindCookie(*read, "wide")->domain, ".example.test");
  EXPECT_TRUE(FindCookie(*read, "wide")->secure);

  const auto other = co_await OpenFixture(t, {});
  const auto elsewhere = co_await other->session->storage().Cookies(t.ctx);
  EXPECT_TRUE(elsewhere && elsewhere->empty());

  const auto cleared = co_await storage.ClearCookies(t.ctx);
  EXPECT_TRUE(cleared) << Why(cleared);
  read = co_await storage.Cookies(t.ctx);
  EXPECT_TRUE(read && read->empty());
}

BROWSER_TEST(StorageTest, ACookieTheBrowserRefusesIsAnInvalidArgument) {
  for (const Cookie& bad : {Cookie{.name = "a;b", .value = "1", .domain = "example.test"},
                            Cookie{.name = "a", .value = "1", .domain = "not a host"},
                            Cookie{.name = "a", .value = "1", .domain = "example.test/path"},
                            Cookie{.name = "a", .value = "1", .domain = ""}}) {
    const auto set = co_await t.session->storage().SetCookies(t.ctx, {bad});
    EXPECT_EQ(CodeOf(set), ErrorCode::kInvalidArgument) << bad.name << " " << Why(set);
  }
}

BROWSER_TEST(StorageTest, ReadsAPageThatDoesNotAnswer) {
  co_await t.Open("/empty.html");
  co_await t.Page("localStorage.setItem('kept', '1')");
  co_await t.Page("void setTimeout(() => alert('busy'), 0)");
  const auto shown = co_await t.tab()->changes().Until(
      t.ctx.WithTimeout(std::chrono::seconds(10)),
      [&] { return t.tab()->dialogs().open().has_value(); }, "the dialog");
  EXPECT_TRUE(shown) << Why(shown);
  const auto saved = co_await t.session->storage().Save(t.ctx);
  EXPECT_TRUE(saved) << Why(saved);
  if (saved) EXPECT_EQ(saved->origins.size(), 1U);
}

}  // namespace
}  // namespace falconer::test
