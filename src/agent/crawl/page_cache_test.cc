// Pages that are kept, found again, and given up.
#include "agent/crawl/page_cache.h"

#include <fstream>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::agent {
namespace {

namespace fs = std::filesystem;

const TenantId kOwner("t/1");
const WallTime kNow{std::chrono::hours(24 * 365 * 50)};

json::object PageAt(std::string url, std::string text) {
  return {{"url", url}, {"title", "A title"}, {"text", text}, {"content_hash", "h"}};
}

std::string IdOf(std::string url) {
  return PageCache::KeyOf({.url = std::move(url)}, CrawlForm::kPage);
}

struct KeptPages {
  TempDir folder = *TempDir::Create("page-cache-test-");
  PageCache cache{{.folder = folder.path(), .most_bytes = 10'000}};

  void Keep(const std::string& url, const std::string& text = "words", WallTime at = kNow) {
    const auto kept = cache.Keep(kOwner, IdOf(url), PageAt(url, text), at);
    ASSERT_TRUE(kept) << kept.error().message();
  }
  fs::path FileOf(const std::string& url) const {
    for (const auto& file : fs::recursive_directory_iterator(folder.path()))
      if (file.path().stem() == IdOf(url)) return file.path();
    return {};
  }
};

TEST(PageCacheTest, KeepsPagesForTheirTenantAlsoAfterARestart) {
  KeptPages kept;
  kept.Keep("https://a.test/x?utm_source=1", "some words");
  PageCache again({.folder = kept.folder.path(), .most_bytes = 10'000});

  const auto found = again.Find(kOwner, IdOf("https://a.test/x"));

  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(TextAt(found->at("page").as_object(), "text"), "some words");
  EXPECT_EQ(again.Find(TenantId("t/2"), IdOf("https://a.test/x")).error().code(),
            ErrorCode::kNotFound);
  EXPECT_EQ(again.Find(kOwner, "../../etc/passwd").error().code(), ErrorCode::kNotFound);
}

TEST(PageCacheTest, HowAPageIsReadMakesItAnother) {
  const CrawlWish plain{.url = "https://a.test/"};
  CrawlWish bare = plain;
  bare.javascript = false;
  EXPECT_NE(PageCache::KeyOf(plain, CrawlForm::kPage), PageCache::KeyOf(bare, CrawlForm::kPage));
  // It may have been read with scripts.
  CrawlWish second = bare;
  second.retry_with_js_if_thin = true;
  EXPECT_NE(PageCache::KeyOf(bare, CrawlForm::kPage), PageCache::KeyOf(second, CrawlForm::kPage));
  EXPECT_NE(PageCache::KeyOf(plain, CrawlForm::kPage), PageCache::KeyOf(plain, CrawlForm::kRaw));
}

TEST(PageCacheTest, DropsWhatIsDamaged) {
  KeptPages kept;
  kept.Keep("https://a.test/");
  const fs::path file = kept.FileOf("https://a.test/");
  std::ofstream(file, std::ios::app) << "x";

  EXPECT_FALSE(kept.cache.Find(kOwner, IdOf("https://a.test/")));
  EXPECT_FALSE(fs::exists(file));
}

TEST(PageCacheTest, GivesUpWhatWasUsedLeastLately) {
  KeptPages kept;
  const std::string large(4000, 'x');
  for (const char* url : {"https://a.test/1", "https://a.test/2"}) kept.Keep(url, large);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(kept.FileOf("https://a.test/1"), long_ago);
  fs::last_write_time(kept.FileOf("https://a.test/2"), long_ago - std::chrono::hours(1));
  kept.Keep("https://a.test/3", large);

  EXPECT_TRUE(kept.cache.Find(kOwner, IdOf("https://a.test/1")));
  EXPECT_FALSE(kept.cache.Find(kOwner, IdOf("https://a.test/2")));
  EXPECT_TRUE(kept.cache.Find(kOwner, IdOf("https://a.test/3")));
  const auto too_large = kept.cache.Keep(
      kOwner, IdOf("https://a.test/4"), PageAt("https://a.test/4", std::string(20'000, 'x')), kNow);
  EXPECT_EQ(too_large.error().code(), ErrorCode::kBudgetExceeded);
}

TEST(PageCacheTest, IsSearchedListedAndPruned) {
  KeptPages kept;
  kept.Keep("https://a.test/1", "apples", kNow);
  kept.Keep("https://a.test/2", "Pears", kNow + std::chrono::hours(1));

  const auto all = kept.cache.List(kOwner, {.limit = 1});
  EXPECT_EQ(all->at("total"), 2);
  EXPECT_EQ(TextAt(all->at("documents").as_array().at(0).as_object(), "url"), "https://a.test/2");
  EXPECT_EQ(kept.cache.List(kOwner, {.words = "pears"})->at("total"), 1);
  EXPECT_EQ(kept.cache.List(kOwner, {.words = "plums"})->at("total"), 0);
  EXPECT_EQ(TextAt(*kept.cache.Last(kOwner, "https://a.test/1"), "url"), "https://a.test/1");

  const WallTime later = kNow + std::chrono::hours(2);
  EXPECT_EQ(kept.cache.Prune(kOwner, std::chrono::hours(2), later), 1U);
  EXPECT_EQ(kept.cache.List(kOwner, {})->at("total"), 1);
}

}  // namespace
}  // namespace falconer::agent
