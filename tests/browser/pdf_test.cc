// PDFs of pages, as they would be printed.

#include <algorithm>

#include "base/json/json.h"
#include "base/sha256.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

Task<std::string> Print(BrowserFixture& t, json::object how = {}) {
  json::object action{{"action_type", "pdf"}};
  if (!how.empty()) action["pdf"] = std::move(how);
  const auto done = co_await t.Do(json::serialize(action));
  EXPECT_TRUE(done && done->artifact) << Why(done);
  if (!done || !done->artifact) co_return "";
  EXPECT_EQ(done->artifact->mime, "application/pdf");
  const auto bytes = ReadFile(t.artifacts / done->artifact->path);
  EXPECT_EQ(done->artifact->sha256, Sha256Hex(bytes.value_or("")));
  co_return bytes.value_or("");
}

std::size_t Count(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The first page's width and height in points.
std::string MediaBox(std::string_view pdf) {
  const auto at = pdf.find("/MediaBox");
  if (at == pdf.npos) return "";
  const auto open = pdf.find('[', at);
  return std::string(pdf.substr(open + 1, pdf.find(']', open) - open - 1));
}

BROWSER_TEST(PdfTest, IsAWholePdf) {
  co_await t.Open("/form.html");

  const std::string pdf = co_await Print(t);

  EXPECT_TRUE(pdf.starts_with("%PDF-")) << pdf.substr(0, 20);
  EXPECT_TRUE(pdf.substr(pdf.size() - std::min<std::size_t>(pdf.size(), 16)).contains("%%EOF"));
}

BROWSER_TEST(PdfTest, UsesThePrintStylesAndThePaperOfThePage) {
  co_await t.Open("/print.html");

  const std::string pdf = co_await Print(t);

  EXPECT_GE(Count(pdf, "/Type /Page\n") + Count(pdf, "/Type /Page "), 2u);
  EXPECT_TRUE(MediaBox(pdf).starts_with("0 0 419") || MediaBox(pdf).starts_with("0 0 420"))
      << "A5, but: " << MediaBox(pdf);
}

BROWSER_TEST(PdfTest, TurnsThePaper) {
  t.site.Serve("/page", "<p>words</p>");
  co_await t.Open("/page");

  const std::string upright = MediaBox(co_await Print(t));
  const std::string turned = MediaBox(co_await Print(t, {{"landscape", true}}));

  EXPECT_TRUE(upright.starts_with("0 0 612")) << upright;
  EXPECT_TRUE(turned.starts_with("0 0 792")) << turned;
}

BROWSER_TEST(PdfTest, PrintsBackgroundsWhenAsked) {
  t.site.Serve("/page", "<body style='background: #123456'><p>words</p>");
  co_await t.Open("/page");

  const std::string without = co_await Print(t);
  const std::string with = co_await Print(t, {{"print_background", true}});

  EXPECT_NE(without.size(), with.size());
}

BROWSER_TEST(PdfTest, ALongPageHasManyPages) {
  std::string page;
  for (int i = 0; i < 400; ++i) page += "<p>Line " + std::to_string(i) + "</p>";
  t.site.Serve("/page", page);
  co_await t.Open("/page");

  const std::string pdf = co_await Print(t);

  EXPECT_GT(Count(pdf, "/Type /Page\n") + Count(pdf, "/Type /Page "), 5u);
}

BROWSER_TEST(PdfTest, ALargeOneComesWhole) {
  t.site.Serve("/page",
               "<body><canvas id=c width=1600 height=1600></canvas><script>const x = "
               "c.getContext('2d'); const d = x.createImageData(1600, 1600);"
               "let s = 1; for (let i = 0; i < d.data.length; ++i) { s = s * 16807 % 2147483647; "
               "d.data[i] = i % 4 == 3 ? 255 : s & 255 } x.putImageData(d, 0, 0)</script>");
  co_await t.Open("/page");

  const std::string pdf = co_await Print(t);

  EXPECT_GT(pdf.size(), 3'000'000u);
  EXPECT_TRUE(pdf.substr(pdf.size() - 16).contains("%%EOF"));
}

}  // namespace
}  // namespace falconer::test
