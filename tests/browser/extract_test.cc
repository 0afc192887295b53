// Reading from a page: text, attributes, values, tables, lists, links, markdown and markup; never a
// secret.

#include "base/json/json.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

// What was read, or null with a failed expectation.
Task<json::value> Read(BrowserFixture& t, std::string selector, json::object what) {
  json::object action{
      {"action_type", "extract"}, {"extract", std::move(what)}, {"timeout_ms", 5000}};
  if (!selector.empty()) action["selector"] = std::string_view(selector);
  const auto done = co_await t.Do(json::serialize(action));
  EXPECT_TRUE(done && done->extracted) << selector << ": " << Why(done);
  co_return done && done->extracted ? *done->extracted : json::value(json::object());
}

std::string Text(const json::value& from, std::string_view key) {
  const json::value* value = from.is_object() ? from.get_object().if_contains(key) : nullptr;
  if (value == nullptr) return "(none)";
  return value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
}

BROWSER_TEST(ExtractTest, ReadsTextAsAPersonSeesIt) {
  t.site.Serve(
      "/page",
      "<div id=d><h1>Head</h1><p>one   <b>bold</b>\n word</p><p style='display: none'>hidden</p>"
      "<script>var x = 'code'</script><p style='visibility: "
      "hidden'>unseen</p><ul><li>a<li>b</ul></div>");
  co_await t.Open("/page");

  const auto read = co_await Read(t, "#d", {{"what", "text"}});

  EXPECT_EQ(Text(read, "text"), "Head\none bold word\na\nb");
  EXPECT_EQ(Text(read, "truncated"), "false");
  EXPECT_TRUE(Text(read, "ref").starts_with("d"));
}

BROWSER_TEST(ExtractTest, ReadsTheWholePageWithoutATarget) {
  t.site.Serve("/page", "<title>Title</title><p>first</p><p>second</p>");
  co_await t.Open("/page");

  EXPECT_EQ(Text(co_await Read(t, "", {{"what", "text"}}), "text"), "first\nsecond");
}

BROWSER_TEST(ExtractTest, ReadsTheContentAsMarkdown) {
  t.site.Serve(
      "/page",
      "<title>Title</title><nav><a href=/a>A</a></nav><main><h1>Head</h1><p>one <b>bold</b> "
      "word of a <a href='https://x.test/'>page</a> that says enough for nobody to take it "
      "for an empty one</p><ul><li>a<li>b</ul></main>");
  co_await t.Open("/page");

  const auto read = co_await Read(t, "", {{"what", "markdown"}});

  EXPECT_EQ(
      Text(read, "markdown"),
      "# Head\n\none **bold** word of a [page](https://x.test/) that says enough for nobody to "
      "take it for an empty one\n\n- a\n- b");
  EXPECT_EQ(Text(read, "title"), "Title");
  EXPECT_EQ(Text(read, "quality"), "minimal");
}

BROWSER_TEST(ExtractTest, ReadsMarkupWithoutWhatIsHidden) {
  t.site.Serve("/page", "<p id=p>said</p><input type=hidden value=tok1><script>'tok2'</script>");
  co_await t.Open("/page");

  const std::string html = Text(co_await Read(t, "", {{"what", "html"}}), "html");

  EXPECT_TRUE(html.starts_with("<html>")) << html;
  EXPECT_TRUE(html.contains("<p id=\"p\">said</p>")) << html;
  EXPECT_FALSE(html.contains("tok")) << html;
}

BROWSER_TEST(ExtractTest, ReadsAPageAsAWhole) {
  t.site.Serve("/page", "<html lang=en><title>T</title><p>said <a href=/x>more</a></p>");
  co_await t.Open("/page");

  const auto page = co_await Read(t, "", {{"what", "page"}});
  const auto bare = co_await Read(t, "", {{"what", "page_text"}});

  EXPECT_EQ(Text(page, "text"), "said more");
  EXPECT_TRUE(Text(page, "markdown").starts_with("said [more](")) << Text(page, "markdown");
  EXPECT_EQ(Text(bare, "text"), "said more");
  EXPECT_EQ(Text(bare, "title"), "T");
  EXPECT_EQ(Text(bare, "language"), "en");
  EXPECT_EQ(Text(bare, "quality"), "empty");
  EXPECT_EQ(Text(bare, "links_total"), "1");
  EXPECT_EQ(Text(bare, "markdown"), "(none)");
}

BROWSER_TEST(ExtractTest, CutsLongTextAndSaysSo) {
  t.site.Serve("/page", "<p id=p>" + std::string(5000, 'x') + "</p>");
  co_await t.Open("/page");

  const auto read = co_await Read(t, "#p", {{"what", "text"}, {"max_chars", 100}});

  EXPECT_EQ(Text(read, "text"), std::string(100, 'x'));
  EXPECT_EQ(Text(read, "truncated"), "true");
}

BROWSER_TEST(ExtractTest, ReadsAttributesAndValues) {
  t.site.Serve("/page",
               "<a id=a href='/x?y=1' data-k=v title=''>l</a><input id=i value=old><select id=s "
               "multiple><option selected>p<option selected>q</select><p id=p>t</p>");
  co_await t.Open("/page");
  co_await t.Page("i.value = 'now'");

  EXPECT_EQ(Text(co_await Read(t, "#a", {{"what", "attribute"}, {"attribute", "href"}}), "value"),
            "/x?y=1");
  EXPECT_EQ(Text(co_await Read(t, "#a", {{"what", "attribute"}, {"attribute", "data-k"}}), "value"),
            "v");
  EXPECT_EQ(Text(co_await Read(t, "#a", {{"what", "attribute"}, {"attribute", "title"}}), "value"),
            "");
  EXPECT_EQ(Text(co_await Read(t, "#a", {{"what", "attribute"}, {"attribute", "none"}}), "value"),
            "null");
  EXPECT_EQ(Text(co_await Read(t, "#i", {{"what", "value"}}), "value"), "now");
  EXPECT_EQ(Text(co_await Read(t, "#s", {{"what", "value"}}), "value"), R"(["p","q"])");
  const auto wrong = co_await t.Do(
      R"({"action_type": "extract", "selector": "#p", "extract": {"what": "value"}})");
  EXPECT_EQ(CodeOf(wrong), ErrorCode::kWrongElement) << Why(wrong);
}

BROWSER_TEST(ExtractTest, ReadsTablesWithSpansAndHeaders) {
  t.site.Serve(
      "/page",
      "<table id=t><caption>Prices</caption><thead><tr><th>Bird<th>Price</thead><tbody><tr><td "
      "rowspan=2>Owl<td>1<tr><td>2"
      "<tr><td colspan=2>all</table>");
  co_await t.Open("/page");

  const auto read = co_await Read(t, "#t", {{"what", "table"}});

  EXPECT_EQ(Text(read, "caption"), "Prices");
  EXPECT_EQ(Text(read, "headers"), R"(["Bird","Price"])");
  EXPECT_EQ(Text(read, "rows"), R"([["Owl","1"],["Owl","2"],["all","all"]])");
  EXPECT_EQ(Text(read, "total_rows"), "3");
}

BROWSER_TEST(ExtractTest, ReadsOnlyAsManyRowsAsAsked) {
  std::string rows;
  for (int i = 0; i < 500; ++i) rows += "<tr><td>" + std::to_string(i);
  t.site.Serve("/page", "<table id=t>" + rows + "</table>");
  co_await t.Open("/page");

  const auto read = co_await Read(t, "#t", {{"what", "table"}, {"limit", 2}});

  EXPECT_EQ(Text(read, "rows"), R"([["0"],["1"]])");
  EXPECT_EQ(Text(read, "total_rows"), "500");
  EXPECT_EQ(Text(read, "truncated"), "true");
}

BROWSER_TEST(ExtractTest, ReadsListsAndLinks) {
  t.site.Serve("/page",
               "<ul id=u><li>one<li>two<ul><li>inner</ul></ul><nav id=n><a href='/a'>A</a><a "
               "href='https://b.example/'>B</a><a>no address</a></nav>");
  co_await t.Open("/page");

  EXPECT_EQ(Text(co_await Read(t, "#u", {{"what", "list"}}), "items"), R"(["one","two","inner"])");
  const auto links = co_await Read(t, "#n", {{"what", "links"}});
  EXPECT_EQ(Text(links, "total"), "2");
  const std::string text = Text(links, "links");
  EXPECT_TRUE(text.contains(t.site.Url("/a")) && text.contains("https://b.example/")) << text;
}

BROWSER_TEST(ExtractTest, CountsMatchesAndReadsMany) {
  t.site.Serve("/page", "<p class=c>one</p><p class=c>two</p><p class=c>three</p>");
  co_await t.Open("/page");

  EXPECT_EQ(Text(co_await Read(t, ".c", {{"what", "count"}}), "count"), "3");
  EXPECT_EQ(Text(co_await Read(t, ".none", {{"what", "count"}}), "count"), "0");
  const auto many = co_await Read(t, ".c", {{"what", "text"}, {"many", true}, {"limit", 2}});
  EXPECT_EQ(Text(many, "count"), "3");
  EXPECT_EQ(Text(many, "truncated"), "true");
  EXPECT_EQ(many.at("items").as_array().size(), 2u);
  EXPECT_EQ(Text(many.at("items").at(1), "text"), "two");
}

BROWSER_TEST(ExtractTest, AmbiguityIsRefusedUnlessManyAreWanted) {
  t.site.Serve("/page", "<p class=c>one</p><p class=c>two</p>");
  co_await t.Open("/page");

  const auto read = co_await t.Do(R"({"action_type": "extract", "selector": ".c"})");

  EXPECT_EQ(CodeOf(read), ErrorCode::kElementAmbiguous) << Why(read);
}

BROWSER_TEST(ExtractTest, WaitsForWhatComesLater) {
  t.site.Serve("/page",
               "<div id=d></div><script>setTimeout(() => d.innerHTML = '<b id=late>here</b>', "
               "120)</script>");
  co_await t.Open("/page");

  EXPECT_EQ(Text(co_await Read(t, "#late", {{"what", "text"}}), "text"), "here");
}

BROWSER_TEST(ExtractTest, AMissingElementIsNotFoundWithinItsTime) {
  co_await t.Open("/empty.html");

  const auto read =
      co_await t.Do(R"({"action_type": "extract", "selector": "#nobody", "timeout_ms": 250})");

  EXPECT_EQ(CodeOf(read), ErrorCode::kElementNotFound) << Why(read);
}

BROWSER_TEST(ExtractTest, SecretsStayInThePage) {
  co_await t.Open("/secrets.html");
  const char* secrets[] = {"hunter2", "4111111111111111", "7-37", "123456", "swordfish", "12/30"};
  std::string everything;

  for (const std::string id : {"password", "card", "cvc", "otp", "shown", "expiry"}) {
    for (const std::string what :
         {R"({"what": "value"})", R"({"what": "attribute", "attribute": "value"})",
          R"({"what": "attribute", "attribute": "VALUE"})"}) {
      const auto read = co_await t.Do(R"({"action_type": "extract", "selector": "#)" + id +
                                      R"(", "extract": )" + what + "}");
      EXPECT_EQ(CodeOf(read), ErrorCode::kSecretField) << id << " " << what << ": " << Why(read);
      everything += Why(read);
    }
  }
  everything += json::serialize(co_await Read(t, "form", {{"what", "text"}}));
  everything += json::serialize(co_await Read(t, "input", {{"what", "value"}, {"many", true}}));

  for (const char* secret : secrets)
    EXPECT_FALSE(everything.contains(secret)) << secret << " in " << everything;
  EXPECT_EQ(Text(co_await Read(t, "#user", {{"what", "value"}}), "value"), "ada");
}

BROWSER_TEST(ExtractTest, ReadsInsideFrames) {
  t.site.Serve("/inner", "<p id=p>inside</p>");
  t.site.Serve("/page", "<iframe src='" + t.site.CrossSiteUrl("/inner") + "'></iframe>");
  co_await t.Open("/page");

  EXPECT_EQ(Text(co_await Read(t, "frame=iframe >> #p", {{"what", "text"}}), "text"), "inside");
}

BROWSER_TEST(ExtractTest, ReadsWhatTheUserTypedButNotIntoText) {
  t.site.Serve("/page", "<div id=d>Label <input id=i><textarea id=a></textarea></div>");
  co_await t.Open("/page");
  const auto filled = co_await t.Fill("#i", "typed words");
  EXPECT_TRUE(filled) << Why(filled);

  EXPECT_EQ(Text(co_await Read(t, "#d", {{"what", "text"}}), "text"), "Label");
  EXPECT_EQ(Text(co_await Read(t, "#i", {{"what", "value"}}), "value"), "typed words");
}

}  // namespace
}  // namespace falconer::test
