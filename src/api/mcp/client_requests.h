#pragma once
// ClientRequests: what a server asks its client, and the answers that are awaited. Only clients of
// revisions up to 2025-11-25 are asked.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "api/mcp/json_rpc.h"
#include "base/async/notifier.h"

namespace falconer::api {

class ClientRequests {
 public:
  using Send = std::function<void(std::string line)>;

  ClientRequests();
  // Whoever still waits is told that the client is gone.
  ~ClientRequests();
  ClientRequests(const ClientRequests&) = delete;
  ClientRequests& operator=(const ClientRequests&) = delete;

  // Sends a request by `send` and waits for its result. kProtocolError when the client answers with
  // an error; fails like ctx, and then tells the client that nobody waits any more.
  Task<Result<json::object>> Ask(CallContext ctx, std::string method, json::object params,
                                 Send send);
  // An answer of the client; one that nobody waits for is dropped.
  void OnResponse(const RpcMessage& response);

 private:
  struct State;
  static Task<Result<json::object>> Await(CallContext ctx, std::shared_ptr<State> state,
                                          std::string id, Send send);

  // Shared with those who wait: they may notice only later that this is gone.
  std::shared_ptr<State> state_;
};

}  // namespace falconer::api
