#pragma once
// RobotsBook: what sites say to crawls, read once and remembered for a while. On one event loop.

#include <functional>
#include <map>
#include <set>
#include <string>

#include "agent/crawl/robots_rules.h"
#include "base/async/notifier.h"

namespace falconer::agent {

// What came when robots.txt was asked for.
struct RobotsAnswer {
  int status = 0;  // 0 when the browser does not tell
  std::string text;
};

class RobotsBook {
 public:
  using Fetch = std::function<Task<Result<RobotsAnswer>>(CallContext ctx)>;

  // The name that sites know crawls by.
  explicit RobotsBook(std::string name) : name_(std::move(name)) {}

  // The rules of an origin. `fetch` is called when they are not known, or no longer; of several who
  // ask at once, one calls. A file that is not there (4xx) allows everything, a server that cannot
  // answer (5xx) nothing. Fails as `fetch` does, and like ctx.
  Task<Result<RobotsRules>> For(CallContext ctx, std::string origin, Fetch fetch);

 private:
  struct Entry {
    RobotsRules rules;
    TimePoint until;
  };

  RobotsRules RulesIn(const RobotsAnswer& answer) const;
  void Keep(const std::string& origin, const RobotsAnswer& answer, TimePoint now);

  std::string name_;
  std::map<std::string, Entry> known_;
  std::set<std::string> asked_;
  Notifier changes_;
};

}  // namespace falconer::agent
