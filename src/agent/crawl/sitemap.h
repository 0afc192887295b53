#pragma once
// Sitemaps as sites write them: lists of pages or of further sitemaps, in XML or as plain lines.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace falconer::agent {

// As sitemaps.org limits one file.
inline constexpr std::size_t kMostSitemapUrls = 50'000;
inline constexpr std::size_t kMostSitemapBytes = 50UZ << 20U;

struct Sitemap {
  // The addresses are those of further sitemaps.
  bool is_index = false;
  // In the order of the file, http and https only.
  std::vector<std::string> urls;
  bool is_truncated = false;
};

// What can be read of it; a file that is no sitemap has no addresses.
Sitemap ParseSitemap(std::string_view text);

bool IsPacked(std::string_view bytes);
// The content of a gzip file. kActionExecutionFailed for one that is damaged or larger than a
// sitemap may be.
Result<std::string> Unpacked(std::string_view bytes);

}  // namespace falconer::agent
