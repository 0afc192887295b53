#include "agent/crawl/sitemap.h"

#include <zlib.h>

#include <gtest/gtest.h>

#include "agent/crawl/page_visit.h"

namespace falconer::agent {
namespace {

using Places = std::vector<std::string>;

std::string Packed(std::string text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(SitemapTest, ReadsListsAndIndexes) {
  const Sitemap list = ParseSitemap(
      "<?xml version=\"1.0\"?><urlset><url><loc> https://a.test/1?x=1&amp;y=2 </loc></url>"
      "<url><loc><![CDATA[https://a.test/2]]></loc><lastmod>2026</lastmod></url>"
      "<url><loc>javascript:alert(1)</loc></url><url><loc>https://a.test/cut");
  EXPECT_FALSE(list.is_index);
  EXPECT_EQ(list.urls, (Places{"https://a.test/1?x=1&y=2", "https://a.test/2"}));

  const Sitemap index = ParseSitemap(
      "<sitemapindex><sitemap><loc>https://a.test/s1.xml</loc></sitemap></sitemapindex>");
  EXPECT_TRUE(index.is_index);
  EXPECT_EQ(index.urls, Places{"https://a.test/s1.xml"});
}

TEST(SitemapTest, ReadsPlainLines) {
  EXPECT_EQ(ParseSitemap("https://a.test/1\r\nnothing\nhttps://a.test/2\n").urls,
            (Places{"https://a.test/1", "https://a.test/2"}));
  EXPECT_TRUE(ParseSitemap("").urls.empty());
}

TEST(SitemapTest, ReadsNoMoreThanASitemapMayHold) {
  std::string text;
  for (std::size_t i = 0; i <= kMostSitemapUrls; ++i)
    text += "https://a.test/" + std::to_string(i) + "\n";
  const Sitemap map = ParseSitemap(text);
  EXPECT_EQ(map.urls.size(), kMostSitemapUrls);
  EXPECT_TRUE(map.is_truncated);
}

TEST(SitemapTest, UnpacksWhatIsPacked) {
  const std::string packed = Packed("https://a.test/1\n");
  EXPECT_TRUE(IsPacked(packed));
  EXPECT_FALSE(IsPacked("<urlset>"));
  EXPECT_EQ(Unpacked(packed), "https://a.test/1\n");
  EXPECT_FALSE(Unpacked(packed.substr(0, packed.size() / 2)));
  EXPECT_FALSE(Unpacked(Packed(std::string(kMostSitemapBytes + (1U << 20U), 'x'))));
}

TEST(PageVisitTest, DropsTablesThatSayTheSame) {
  EXPECT_EQ(WithoutRepeatedTables("a\n\n| x |\n| - |\n\nb\n\n| x |\n| - |\n\nb"),
            "a\n\n| x |\n| - |\n\nb\n\nb");
  EXPECT_EQ(WithoutRepeatedTables(""), "");
}

}  // namespace
}  // namespace falconer::agent
