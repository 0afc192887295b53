#include "kernel/flow/site_outcome.h"

#include <algorithm>
#include <string_view>

namespace falconer::kernel {
namespace {

using model::ActionType;
using store::SiteOutcome;

constexpr int kServerError = 500;

// Actions that wait for a page of the site.
constexpr ActionType kOpensAPage[] = {ActionType::kNavigate, ActionType::kReload,
                                      ActionType::kGoBack, ActionType::kGoForward,
                                      ActionType::kNewTab};
// Of these, those that fail for no other reason than that the page did not come.
constexpr ActionType kAsksForThePage[] = {ActionType::kNavigate, ActionType::kReload,
                                          ActionType::kNewTab};

// What the browser says when this machine, or a rule of ours, was in the way.
constexpr std::string_view kNotTheSite[] = {
    "net::ERR_ABORTED",
    "net::ERR_BLOCKED_BY_CLIENT",
    "net::ERR_BLOCKED_BY_ADMINISTRATOR",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_NETWORK_CHANGED",
    "net::ERR_NETWORK_IO_SUSPENDED",
    "net::ERR_INVALID_URL",
    "net::ERR_UNKNOWN_URL_SCHEME",
    "net::ERR_DISALLOWED_URL_SCHEME",
    "net::ERR_UNSAFE_PORT",
    "net::ERR_PROXY_CONNECTION_FAILED",
    "net::ERR_NO_SUPPORTED_PROXIES",
    "net::ERR_PROXY_AUTH_UNSUPPORTED",
    "net::ERR_INSUFFICIENT_RESOURCES",
    "net::ERR_CACHE_MISS",
};

bool IsAmong(std::span<const ActionType> actions, ActionType action) {
  return std::ranges::find(actions, action) != actions.end();
}

bool PageDidNotCome(ActionType action, const model::ActionFailure& failure) {
  const std::string net_error = TextAt(failure.details, "net_error");
  if (net_error.empty()) return IsAmong(kAsksForThePage, action);
  return std::ranges::find(kNotTheSite, net_error) == std::end(kNotTheSite);
}

bool BlamesTheSite(ActionType action, const model::ActionFailure& failure) {
  switch (failure.code) {
    case ErrorCode::kNetworkError:
    case ErrorCode::kTabCrashed:
      return true;
    case ErrorCode::kNavigationFailed:
      return PageDidNotCome(action, failure);
    case ErrorCode::kTimeout:
      return IsAmong(kOpensAPage, action);
    default:
      return false;
  }
}

// 0 when no page answered.
int StatusOf(const model::ActionExecutionResult& result) {
  if (!result.outcome) return 0;
  const json::value* navigation = result.outcome->if_contains("navigation");
  if (navigation == nullptr || !navigation->is_object()) return 0;
  const json::value* status = navigation->get_object().if_contains("status");
  const std::int64_t* number = status == nullptr ? nullptr : status->if_int64();
  return number == nullptr ? 0 : static_cast<int>(*number);
}

}  // namespace

std::optional<SiteOutcome> SiteOutcomeOf(ActionType action,
                                         const model::ActionExecutionResult& result) {
  if (result.failure && BlamesTheSite(action, *result.failure)) return SiteOutcome::kDown;
  const int status = StatusOf(result);
  if (status >= kServerError) return SiteOutcome::kDown;
  // A page that came, though it was not the one that was hoped for, came from a site that works.
  if (status > 0 || result.success) return SiteOutcome::kUp;
  return std::nullopt;
}

}  // namespace falconer::kernel
