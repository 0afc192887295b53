#include "api/mcp/client_requests.h"

#include <optional>
#include <utility>

namespace falconer::api {
namespace {

constexpr std::string_view kOwnIds = "falconer-";

Result<json::object> ResultIn(const RpcMessage& response) {
  if (response.failure) {
    return Fail(ErrorCode::kProtocolError,
                "the client answered with an error: " + response.failure->message);
  }
  return response.result;
}

}  // namespace

struct ClientRequests::State {
  std::uint64_t last = 0;
  bool is_gone = false;
  // By id; set when it is answered.
  std::map<std::string, std::optional<Result<json::object>>> waiting;
  Notifier answered;
};

ClientRequests::ClientRequests() : state_(std::make_shared<State>()) {
}

ClientRequests::~ClientRequests() {
  state_->is_gone = true;
  for (auto& [id, answer] : state_->waiting) {
    if (!answer) answer = Fail(ErrorCode::kCancelled, "the client has gone");
  }
  state_->answered.NotifyAll();
}

Task<Result<json::object>> ClientRequests::Ask(CallContext ctx, std::string method,
                                               json::object params, Send send) {
  std::string id = std::string(kOwnIds) + std::to_string(++state_->last);
  state_->waiting.try_emplace(id);
  send(RpcRequestText(id, method, std::move(params)));
  return Await(std::move(ctx), state_, std::move(id), std::move(send));
}

Task<Result<json::object>> ClientRequests::Await(CallContext ctx, std::shared_ptr<State> state,
                                                 std::string id, Send send) {
  const auto come = co_await state->answered.Until(
      std::move(ctx), [&] { return state->waiting.at(id).has_value(); }, "the client's answer");
  auto entry = state->waiting.extract(id);
  if (entry.mapped()) co_return *std::move(entry.mapped());
  if (!state->is_gone) {
    send(RpcNotificationText("notifications/cancelled", {{"requestId", std::string_view(id)},
                                                         {"reason", come.error().message()}}));
  }
  co_return Fail(come.error());
}

void ClientRequests::OnResponse(const RpcMessage& response) {
  if (!response.id.is_string()) return;
  const auto found = state_->waiting.find(std::string(response.id.get_string()));
  if (found == state_->waiting.end() || found->second) return;
  found->second = ResultIn(response);
  state_->answered.NotifyAll();
}

}  // namespace falconer::api
