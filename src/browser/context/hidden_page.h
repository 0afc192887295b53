#pragma once
// HiddenPage: an empty page of a session that can stand on any origin without asking the network:
// the way to a site's localStorage when no tab shows the site.

#include <memory>
#include <string>

#include "browser/tabs/tab_manager.h"

namespace falconer::browser {

class HiddenPage {
 public:
  // Opens the page. `tabs` must outlive it.
  static Task<Result<std::unique_ptr<HiddenPage>>> Open(CallContext ctx, TabManager* tabs,
                                                        std::shared_ptr<cdp::Session> root);
  ~HiddenPage();
  HiddenPage(const HiddenPage&) = delete;
  HiddenPage& operator=(const HiddenPage&) = delete;

  // Puts the page on an origin and calls `function` there with `argument`. No request leaves the
  // browser. Fails with kNavigationFailed when the page did not get there, or with kScriptError.
  Task<Result<json::value>> CallOn(CallContext ctx, std::string origin, std::string function,
                                   json::value argument);

 private:
  HiddenPage(std::shared_ptr<cdp::Session> page, std::shared_ptr<cdp::Session> root);
  void Answer(const cdp::FetchRequestPaused& request);

  std::shared_ptr<cdp::Session> page_;
  std::shared_ptr<cdp::Session> root_;
  Subscription requests_;
};

}  // namespace falconer::browser
