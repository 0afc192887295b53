#include "browser/recorder/navigation_watch.h"

#include <utility>

namespace falconer::browser {
namespace {

constexpr std::string_view kSameDocument = "sameDocument";
constexpr std::string_view kSameInHistory = "historySameDocument";

bool IsWebAddress(std::string_view url) {
  return url.starts_with("http://") || url.starts_with("https://");
}

}  // namespace

NavigationWatch::NavigationWatch(Tab& tab, Hooks hooks)
    : tab_(tab),
      hooks_(std::move(hooks)),
      is_first_(tab.opener().has_value() && !IsWebAddress(tab.url())) {
  cdp::Session& page = *tab_.session();
  heard_.push_back(page.On<cdp::PageFrameRequestedNavigation>([this](const auto& event) {
    if (IsMain(event.frame_id)) asked_url_ = event.url;
  }));
  heard_.push_back(
      page.On<cdp::PageFrameStartedNavigating>([this](const auto& event) { OnBegun(event); }));
  heard_.push_back(page.On<cdp::PageFrameNavigated>([this](const auto& event) { OnCame(event); }));
}

bool NavigationWatch::IsMain(const std::string& frame_id) const {
  const auto main = tab_.frames().main();
  return main ? main->id == frame_id : tab_.target_id() == frame_id;
}

bool NavigationWatch::IsCaused(const cdp::PageFrameStartedNavigating& event) {
  const bool is_asked = std::exchange(asked_url_, "") == event.url;
  if (is_asked || event.navigation_type == kSameDocument) return true;
  const bool is_history = event.navigation_type.starts_with("history");
  return (is_history && hooks_.has_acted()) || hooks_.has_acted_elsewhere();
}

void NavigationWatch::OnBegun(const cdp::PageFrameStartedNavigating& event) {
  if (!IsMain(event.frame_id) || !IsWebAddress(event.url)) return;
  begun_.reset();
  if (IsCaused(event)) return;
  OwnNavigation navigation{.url = event.url,
                           .is_reload = event.navigation_type.starts_with("reload")};
  hooks_.began();
  // The same document needs no loading.
  if (event.navigation_type == kSameInHistory) return hooks_.came(navigation);
  begun_ = Begun{.loader = event.loader_id, .navigation = std::move(navigation)};
}

void NavigationWatch::OnCame(const cdp::PageFrameNavigated& event) {
  if (event.frame.parent_id) return;
  const bool is_first = is_first_ && IsWebAddress(event.frame.url);
  if (is_first) is_first_ = false;
  const auto begun = std::exchange(begun_, std::nullopt);
  const bool is_it = begun && begun->loader == event.frame.loader_id;
  if (is_it && !is_first && !event.frame.unreachable_url) hooks_.came(begun->navigation);
}

}  // namespace falconer::browser
