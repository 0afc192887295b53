#pragma once
// PageVisit: one page on its way: opened, waited for, read, and put into the words that callers
// get. It knows nothing of whose turn it is and what the site asks for.

#include <memory>
#include <string>

#include "agent/crawl/crawl_wish.h"
#include "agent/crawl/visit_session.h"

namespace falconer::agent {

class PageVisit {
 public:
  // Host and session must outlive the visit.
  PageVisit(CrawlHost& host, VisitSession& session, CrawlWish wish, CrawlForm form);

  // Opens the page. After that final_url() and status() are known. Fails as the contract did.
  Task<Result<void>> Open(CallContext ctx);
  // Reads it and gives {"url", "normalized_url", "final_url", "status", "title"?, "quality"?,
  // "content_hash", "render_mode", "truncated", "timings_ms", ...what the form says}.
  Task<Result<json::object>> Read(CallContext ctx);

  const std::string& final_url() const { return final_url_; }
  int status() const { return status_; }
  // Open() failed because the address leads to a file.
  bool is_file() const { return is_file_; }

 private:
  Task<Result<void>> Rest(CallContext ctx);
  Task<Result<void>> RunPayload(CallContext ctx);
  Task<Result<void>> ReadContent(CallContext ctx);
  Task<Result<void>> TakePicture(CallContext ctx);
  Task<Result<void>> PutText(CallContext ctx, json::object found, std::string_view key);
  void PutFacts(const json::object& found);
  void PutTimings(const json::object& found, Duration content);
  json::object OpenContract() const;
  json::object ExtractContract() const;

  CrawlHost& host_;
  VisitSession& session_;
  CrawlWish wish_;
  CrawlForm form_;
  std::string final_url_;
  int status_ = 0;
  bool is_file_ = false;
  TimePoint began_{};
  Duration waited_{0};
  json::object timings_;
  json::object page_;
};

// Without the tables that say the same as one before them.
std::string WithoutRepeatedTables(std::string_view markdown);

}  // namespace falconer::agent
