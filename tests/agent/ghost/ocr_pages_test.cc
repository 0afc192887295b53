// Text pages as pictures: how many of their words are read, and whether the words are where their
// boxes say. A real browser takes the pictures, tesseract reads them.

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <map>

#include "agent/ghost/ocr_reader.h"
#include "base/text.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {
namespace {

constexpr auto kReadingTime = std::chrono::seconds(120);

std::vector<std::filesystem::path> TextPages() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(FALCONER_SOURCE "/tests/agent/ocr"))
    files.push_back(file.path());
  std::ranges::sort(files);
  return files;
}

// Words of letters and digits in small letters; how they are joined by signs does not count.
std::vector<std::string> PlainWords(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (IsLetter(c) || IsDigit(c)) {
      words.back() += LowerOf(c);
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// How many of the words are among the others, each as often as it is there.
std::size_t Found(const std::vector<std::string>& words, const std::vector<std::string>& others) {
  std::map<std::string, int> left;
  for (const std::string& word : others) ++left[word];
  return static_cast<std::size_t>(
      std::ranges::count_if(words, [&](const std::string& word) { return left[word]-- > 0; }));
}

struct Shot {
  std::string png;
  double scale = 1;
};

Task<Shot> TakeFullPage(BrowserFixture& t) {
  const auto taken = co_await t.Do(
      R"({"action_type":"screenshot","screenshot":{"full_page":true,"scale":2,"max_width":16384}})");
  EXPECT_TRUE(taken && taken->artifact) << Why(taken);
  if (!taken || !taken->artifact) co_return Shot();
  co_return Shot{.png = ReadFile(t.artifacts / taken->artifact->path).value_or(""),
                 .scale = taken->extracted->at("scale").to_number<double>()};
}

Task<agent::OcrReading> ReadPage(BrowserFixture& t) {
  const Shot shot = co_await TakeFullPage(t);
  const auto read = co_await agent::OcrReader({.timeout = kReadingTime})
                        .Read(t.ctx.WithTimeout(kReadingTime), shot.png, shot.scale);
  EXPECT_TRUE(read) << Why(read);
  co_return read.value_or(agent::OcrReading());
}

// The page that is read, and how many of its words were.
struct PageScore {
  std::filesystem::path file;
  std::size_t words = 0;
  std::size_t found = 0;
};
PageScore* g_score = nullptr;

Task<void> ScorePage(BrowserFixture& t) {
  t.site.Serve("/text", ReadFile(g_score->file).value());
  co_await t.Open("/text");
  const auto truth = PlainWords(co_await t.PageText("document.body.innerText"));
  const agent::OcrReading read = co_await ReadPage(t);
  g_score->words = truth.size();
  g_score->found = Found(truth, PlainWords(read.text));
  EXPECT_GE(static_cast<double>(g_score->found), 0.95 * static_cast<double>(truth.size()))
      << g_score->file << read.text;
}

// Each page has the time of a test: reading takes long on a busy machine.
TEST(OcrPagesTest, WordsOfTextPagesAreRead) {
  std::size_t all = 0, found = 0, pages = 0;
  for (const auto& file : TextPages()) {
    PageScore score{.file = file};
    g_score = &score;
    RunInBrowser(&ScorePage);
    std::printf("%s: %zu of %zu words\n", file.stem().c_str(), score.found, score.words);
    all += score.words;
    found += score.found;
    ++pages;
  }
  const double recall = static_cast<double>(found) / static_cast<double>(all);
  std::printf("%zu pages, %zu words: recall %.4f\n", pages, all, recall);
  EXPECT_GE(pages, 10U);
  EXPECT_GE(recall, 0.97);
}

BROWSER_TEST(OcrPagesTest, ColumnsAndTablesReadInOrder) {
  t.site.Serve("/columns", ReadFile(FALCONER_SOURCE "/tests/agent/ocr/two_columns.html").value());
  co_await t.Open("/columns");
  const std::string columns = (co_await ReadPage(t)).text;
  t.site.Serve("/table", ReadFile(FALCONER_SOURCE "/tests/agent/ocr/table.html").value());
  co_await t.Open("/table");
  const std::string table = (co_await ReadPage(t)).text;

  EXPECT_LT(columns.find("nursery"), columns.find("Volunteers")) << columns;
  EXPECT_LT(columns.find("tropical"), columns.find("nursery")) << columns;
  EXPECT_TRUE(columns.contains("carry a small child.\n\n")) << columns;
  EXPECT_TRUE(table.contains("Shaft seal | Ceramic | 35 grams | 7.20 | 480\n")) << table;
}

// Every word is an element of its own that says when it was hit.
std::string WordPage() {
  std::string html = "<style>body{font:16px/1.9 sans-serif;width:760px}</style><p>";
  for (const std::string_view word :
       {"harvest", "saddle", "compass", "velvet", "lantern", "orchard", "pebble",
        "thunder", "willow", "basket",  "copper", "desert",  "engine",  "forest",
        "garden",  "hammer", "island",  "jacket", "kitchen", "ladder",  "marble",
        "needle",  "oyster", "pepper",  "quarry", "ribbon"})
    html += fmt::format("<span>{}</span> ", word);
  return html +
         "</p><script>window.hit='';addEventListener('click',(e)=>{window.hit=e.target."
         "localName==='span'?e.target.textContent:''})</script>";
}

Task<std::string> HitAt(BrowserFixture& t, model::Rect box) {
  co_await t.Do(fmt::format(R"({{"action_type":"click","x":{},"y":{}}})", box.x + box.width / 2,
                            box.y + box.height / 2));
  co_return co_await t.PageText("window.hit");
}

BROWSER_TEST(OcrPagesTest, APressOnTheMiddleOfABoxHitsTheWord) {
  t.site.Serve("/words", WordPage());
  co_await t.Open("/words");

  const agent::OcrReading read = co_await ReadPage(t);

  std::size_t hits = 0;
  for (const agent::OcrWord& word : read.words) {
    const std::string hit = co_await HitAt(t, word.box);
    EXPECT_EQ(hit, word.text);
    hits += hit == word.text ? 1 : 0;
  }
  EXPECT_GE(hits, 20U) << read.text;
}

BROWSER_TEST(OcrPagesTest, WhatCannotReadSaysSo) {
  const auto ctx = t.ctx.WithTimeout(kReadingTime);
  const auto no_program =
      co_await agent::OcrReader({.program = "no-such-reader"}).Read(ctx, "x", 1);
  const auto no_picture = co_await agent::OcrReader({}).Read(ctx, "no picture", 1);
  const auto no_language = co_await agent::OcrReader({.languages = "klingon"}).Read(ctx, "x", 1);
  const auto bad_language = co_await agent::OcrReader({.languages = "../x"}).Read(ctx, "x", 1);

  EXPECT_EQ(CodeOf(no_program), ErrorCode::kToolUnavailable) << Why(no_program);
  EXPECT_EQ(CodeOf(no_picture), ErrorCode::kExecutionError) << Why(no_picture);
  EXPECT_EQ(CodeOf(no_language), ErrorCode::kExecutionError) << Why(no_language);
  EXPECT_EQ(CodeOf(bad_language), ErrorCode::kInvalidSetting) << Why(bad_language);
}

}  // namespace
}  // namespace falconer::test
