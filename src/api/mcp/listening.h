#pragma once
// How clients are told that what is offered to them has changed, each of what it asked for. In the
// newest revision a request stands for it, and what is told belongs to that; in older ones lists
// are told of anyway, and resources are subscribed to one by one.

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/mcp/change_feed.h"
#include "api/mcp/mcp_call.h"

namespace falconer::api {

// The method of the newest revision: listen.
McpMethod ListenMethod(const std::shared_ptr<ChangeFeed>& feed);

// What one client of an older revision is told, on no request's behalf.
class LegacyNews {
 public:
  using Send = std::function<void(std::string line)>;

  LegacyNews(std::shared_ptr<ChangeFeed> feed, Send send);
  LegacyNews(const LegacyNews&) = delete;
  LegacyNews& operator=(const LegacyNews&) = delete;

  // From now on: before its `initialize` a client must not be told anything.
  void Begin();
  // subscribe, unsubscribe; none when the feed tells nothing of single resources. This object must
  // outlive them.
  std::vector<McpMethod> Methods();

 private:
  RpcAnswer Subscribe(const RpcMessage& request);
  RpcAnswer Unsubscribe(const RpcMessage& request);
  void Tell(OfferChange what, const std::string& uri) const;

  std::shared_ptr<ChangeFeed> feed_;
  Send send_;
  std::set<std::string, std::less<>> watched_;
  Subscription subscription_;
};

}  // namespace falconer::api
