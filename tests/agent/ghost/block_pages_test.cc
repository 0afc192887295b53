// How well walls are told from pages that only look like them: every saved page of
// tests/injected/blocks, shown by a real browser, read and judged.

#include <algorithm>
#include <cstdio>
#include <map>

#include "agent/ghost/block_judge.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

struct SavedPage {
  std::string name;
  std::string html;
  std::string signal;  // "none" for a page that can be read
  int status = 200;
};

std::string Noted(const std::string& html, std::string_view key) {
  const std::size_t at = html.find(std::string(key) + ": ");
  const std::size_t begin = at + key.size() + 2;
  return html.substr(begin, html.find_first_of("; ", begin) - begin);
}

std::vector<SavedPage> SavedPages() {
  std::vector<SavedPage> pages;
  const std::filesystem::path folder = FALCONER_SOURCE "/tests/injected/blocks/pages";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::string html = ReadFile(file.path()).value();
    const std::string signal = Noted(html, "signal");
    const int status = std::stoi(Noted(html, "status"));
    pages.push_back({file.path().stem().string(), std::move(html), signal, status});
  }
  std::ranges::sort(pages, {}, &SavedPage::name);
  return pages;
}

Task<std::string> SignalOf(BrowserFixture& t, SavedPage page) {
  t.site.On("/saved", [page](const net::HttpRequest&) {
    return net::TextResponse(page.status, "text/html; charset=utf-8", page.html);
  });
  co_await t.Do(R"({"action_type":"navigate","wait_until":"domcontentloaded","url":")" +
                t.site.Url("/saved") + "\"}");
  const auto read = co_await t.Do(R"({"action_type":"extract","extract":{"what":"block_facts"}})");
  EXPECT_TRUE(read) << page.name << ": " << Why(read);
  if (!read) co_return "unread";
  const auto facts = agent::BlockFacts::FromJson(*read->extracted);
  EXPECT_TRUE(facts) << page.name << ": " << Why(facts);
  if (!facts) co_return "unread";
  EXPECT_EQ(facts->status, page.status) << page.name;
  const auto verdict = agent::JudgeBlock(*facts, facts->status);
  co_return std::string(
      verdict && verdict->Triggers() ? NameIn(agent::kBlockSignals, verdict->signal) : "none");
}

BROWSER_TEST(BlockPagesTest, WallsAreToldFromPages) {
  double right = 0, wrong = 0, missed = 0, named = 0, walls = 0;
  std::size_t pages = 0;
  for (const SavedPage& page : SavedPages()) {
    const std::string found = co_await SignalOf(t, page);
    const bool is_wall = page.signal != "none";
    const bool is_found = found != "none";
    if (found != page.signal)
      std::printf("%s: %s instead of %s\n", page.name.c_str(), found.c_str(), page.signal.c_str());
    ++pages;
    walls += is_wall ? 1 : 0;
    right += is_wall && is_found ? 1 : 0;
    wrong += !is_wall && is_found ? 1 : 0;
    missed += is_wall && !is_found ? 1 : 0;
    named += is_wall && found == page.signal ? 1 : 0;
  }
  const double precision = right / (right + wrong);
  const double recall = right / (right + missed);
  std::printf("%zu pages, %.0f walls: precision %.3f, recall %.3f, signal right %.3f\n", pages,
              walls, precision, recall, named / walls);
  EXPECT_GE(walls, 20);
  EXPECT_GE(static_cast<double>(pages) - walls, 20);
  EXPECT_GE(precision, 0.95);
  EXPECT_GE(recall, 0.9);
  EXPECT_GE(named / walls, 0.9);
}

}  // namespace
}  // namespace falconer::test
