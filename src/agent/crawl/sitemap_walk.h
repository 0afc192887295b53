#pragma once
// SitemapWalk: the pages that a site names itself: from the sitemaps that its robots.txt names, or
// else from /sitemap.xml, and from those that they lead to. Read in the browser like every page.

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agent/crawl/crawl_desk.h"
#include "agent/crawl/session_pool.h"

namespace falconer::agent {

class SitemapWalk {
 public:
  // The desk and the pool must outlive it. `most` pages are looked for.
  SitemapWalk(CrawlDesk& desk, SessionPool& pool, std::shared_ptr<VisitGroup> group,
              std::size_t most);

  // `start` is a page of the site, or a sitemap itself (.xml, .gz, .txt). {"sitemaps": [{"url",
  // "urls"} or {"url", "problem"}], "urls", "truncated"}; only pages of the same host. Fails when
  // the first sitemap cannot be read, and like ctx.
  Task<Result<json::object>> Go(CallContext ctx, std::string start);

 private:
  Task<Result<void>> Begin(CallContext ctx, std::string start);
  Task<Result<void>> Take(CallContext ctx, std::string url);
  Task<Result<std::string>> Fetch(CallContext ctx, std::string url);
  void Add(const std::string& url);
  bool is_full() const { return urls_.size() >= most_; }

  CrawlDesk& desk_;
  SessionPool& pool_;
  std::shared_ptr<VisitGroup> group_;
  std::size_t most_;
  std::string host_;
  std::deque<std::string> left_;
  std::set<std::string> seen_;
  std::set<std::string> known_;
  std::vector<std::string> urls_;
  json::array sitemaps_;
  bool is_truncated_ = false;
};

}  // namespace falconer::agent
