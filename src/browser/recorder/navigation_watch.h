#pragma once
// NavigationWatch: tells when a tab goes where no page asked for: an address that somebody typed,
// back, forward, a reload.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "browser/tabs/tab.h"

namespace falconer::browser {

struct OwnNavigation {
  std::string url;
  bool is_reload = false;
};

class NavigationWatch {
 public:
  using Told = std::function<void(const OwnNavigation& navigation)>;

  // The first two say whether somebody has just done something in a page of the tab, or in a frame
  // of it that another process shows: nobody hears which page that one asks for, nor that a page
  // goes back or forward. `began` is told when such a navigation begins, `came` when its page is
  // there; one that ends otherwise is told no more. The tab must outlive the watch.
  struct Hooks {
    std::function<bool()> has_acted;
    std::function<bool()> has_acted_elsewhere;
    std::function<void()> began;
    Told came;
  };
  NavigationWatch(Tab& tab, Hooks hooks);
  NavigationWatch(const NavigationWatch&) = delete;
  NavigationWatch& operator=(const NavigationWatch&) = delete;

 private:
  struct Begun {
    std::string loader;
    OwnNavigation navigation;
  };

  bool IsCaused(const cdp::PageFrameStartedNavigating& event);
  bool IsMain(const std::string& frame_id) const;
  void OnBegun(const cdp::PageFrameStartedNavigating& event);
  void OnCame(const cdp::PageFrameNavigated& event);

  Tab& tab_;
  Hooks hooks_;
  // What a page asked for last.
  std::string asked_url_;
  std::optional<Begun> begun_;
  // The first page of a tab that a page opened.
  bool is_first_ = false;
  std::vector<Subscription> heard_;
};

}  // namespace falconer::browser
