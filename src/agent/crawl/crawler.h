#pragma once
// Crawler: reads pages for programs that only want to read. Pages are visited by contracts like
// anybody else's, in sessions that hold pages of one host only and are closed again whatever came
// of them; sites are asked first (robots.txt) and visited no faster than they and the settings say.

#include <memory>
#include <string>
#include <vector>

#include "agent/crawl/batch_care.h"
#include "agent/crawl/crawl_desk.h"
#include "agent/crawl/crawl_host.h"
#include "agent/crawl/crawl_wish.h"
#include "agent/crawl/session_pool.h"

namespace falconer::agent {

class Crawler {
 public:
  explicit Crawler(std::shared_ptr<CrawlHost> host) : host_(std::move(host)) {}

  // What PageVisit::Read gives, or what is kept of it, then with "cached". Fails as the contract
  // did that failed; with kPolicyDenied, reason robots, where the site does not want it; with
  // kQueueFull while too many pages wait.
  Task<Result<json::object>> Read(CallContext ctx, CrawlWish wish, CrawlForm form) const;

  // {"pages", "total", "failed"}: the pages in the order of the wishes, each with "success"; one
  // that failed has its "problem". One whose address or content was there before has
  // "duplicate_of", and no content. kQueueFull, and as keeping a page does; each page fails for
  // itself.
  Task<Result<json::object>> ReadAll(CallContext ctx, CrawlBatch batch, BatchCare care) const;

  // A file, brought down and kept: {"url", "workflow", "artifact_id", "name", "mime", "bytes",
  // "sha256"}. kDownloadFailed for an address that leads to a page.
  Task<Result<json::object>> Download(CallContext ctx, std::string url,
                                      std::chrono::milliseconds timeout) const;

  // What SitemapWalk::Go gives: at most `most` pages that the site names itself.
  Task<Result<json::object>> ReadSitemap(CallContext ctx, std::string url, std::size_t most) const;

 private:
  struct Round;
  struct BatchRun;

  static Task<Result<json::object>> ReadOne(CallContext ctx, std::shared_ptr<Round> round,
                                            CrawlWish wish);
  static Task<Result<json::object>> VisitInTurn(CallContext ctx, std::shared_ptr<Round> round,
                                                CrawlWish wish);
  static Task<Result<json::object>> Visit(CallContext ctx, std::shared_ptr<Round> round,
                                          CrawlWish wish);
  static Task<Result<json::object>> Bring(CallContext ctx, std::shared_ptr<Round> round,
                                          std::string url, std::chrono::milliseconds timeout);
  static Task<Result<json::object>> WalkSitemap(CallContext ctx, std::shared_ptr<Round> round,
                                                std::string url, std::size_t most);
  // The wishes for the pages that the site names.
  static Task<Result<void>> TakeSite(CallContext ctx, std::shared_ptr<Round> round,
                                     CrawlBatch* batch);
  static Task<void> ReadPage(std::shared_ptr<BatchRun> run, std::size_t at);
  static Task<Result<void>> KeepPage(std::shared_ptr<BatchRun> run, json::object page);
  Result<std::shared_ptr<Round>> Begin(CrawlForm form, std::size_t at_once) const;

  std::shared_ptr<CrawlHost> host_;
};

}  // namespace falconer::agent
