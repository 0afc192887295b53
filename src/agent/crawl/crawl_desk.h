#pragma once
// CrawlDesk: what all crawls of a program share: whose turn it is, what sites ask for, and what was
// read before. On one event loop.

#include <filesystem>

#include "agent/crawl/host_line.h"
#include "agent/crawl/page_cache.h"
#include "agent/crawl/robots_book.h"
#include "base/settings/settings.h"

namespace falconer::agent {

class CrawlDesk {
 public:
  // `folder` is where pages are kept; it is made when there is something to keep.
  CrawlDesk(const Settings::Crawl& settings, std::filesystem::path folder);

  const Settings::Crawl& settings() const { return settings_; }
  HostLine& line() { return line_; }
  RobotsBook& robots() { return robots_; }
  PageCache& cache() { return cache_; }

 private:
  Settings::Crawl settings_;
  HostLine line_;
  RobotsBook robots_;
  PageCache cache_;
};

}  // namespace falconer::agent
