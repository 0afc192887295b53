#pragma once
// SessionPool: the sessions of one crawl. Pages of one host go on in the same session one after
// another, so that not each of them costs one; those of two hosts never share one.

#include <list>
#include <memory>
#include <string>
#include <utility>

#include "agent/crawl/visit_session.h"

namespace falconer::agent {

class SessionPool {
 public:
  // Keeps at most `most` sessions that nobody uses.
  SessionPool(std::shared_ptr<CrawlHost> host, std::size_t most)
      : host_(std::move(host)), most_(most) {}

  // One for the host, opened in the way that is wished for.
  std::unique_ptr<VisitSession> Take(const std::string& host, engine::SessionWish wish);
  // For the next page of the host. One that was used often, or is one too many, is closed.
  Task<void> Give(CallContext ctx, std::string host, std::unique_ptr<VisitSession> session);
  CrawlHost& host() { return *host_; }
  // Closes those that nobody uses.
  Task<void> Close(CallContext ctx);

 private:
  struct Idle {
    std::string host;
    std::unique_ptr<VisitSession> session;
  };

  std::shared_ptr<CrawlHost> host_;
  std::size_t most_;
  // Oldest first.
  std::list<Idle> idle_;
};

}  // namespace falconer::agent
