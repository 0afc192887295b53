#pragma once
// How crawls ask sites: robots.txt is opened in the browser like every other page, by contracts.

#include <string>

#include "agent/crawl/crawl_desk.h"
#include "agent/crawl/session_pool.h"

namespace falconer::agent {

// Whether the site lets crawls visit the address; what else it asks for is noted with the desk. The
// file is read in a session of the pool when it is not known. kPolicyDenied with the reason robots;
// else fails as reading it does: a site that cannot be asked is not visited.
Task<Result<void>> AskRobots(CallContext ctx, CrawlDesk* desk, SessionPool* pool, std::string url);

// The rules of the address's origin, read in the same way.
Task<Result<RobotsRules>> RobotsOf(CallContext ctx, CrawlDesk* desk, SessionPool* pool,
                                   std::string url);

// A text file as the browser shows it, or as it came when the browser keeps it as a file.
struct PlainFile {
  int status = 0;
  std::string text;
  bool is_truncated = false;
};
// Brings a file down and waits until it is whole; it is among the result's artifacts.
Task<Result<model::ActionExecutionResult>> BringFile(CallContext ctx, VisitSession* session,
                                                     std::string url,
                                                     std::chrono::milliseconds timeout);

enum class FileMarkup { kText, kMarkup };
Task<Result<PlainFile>> ReadPlainFile(CallContext ctx, SessionPool* pool, std::string url,
                                      FileMarkup markup);

}  // namespace falconer::agent
