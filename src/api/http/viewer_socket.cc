#include "api/http/viewer_socket.h"

#include <utility>

#include "base/async/task_scope.h"
#include "base/json/json_reader.h"
#include "base/units.h"

namespace falconer::api {
namespace {

using net::WebSocketEnd;
using net::WebSocketMessage;

// Without a frame for this long there is a sign of life.
constexpr auto kPingTime = std::chrono::seconds(2);
// Who takes nothing for this long is gone.
constexpr auto kSendTime = std::chrono::seconds(30);
constexpr std::int64_t kMostCreditsAtOnce = 1000;
constexpr std::size_t kMostInputs = 16;

// What a viewer says.
enum class Said : std::uint8_t { kCredit, kPing, kInput };

constexpr EnumName<Said> kSaid[] = {
    {Said::kCredit, "credit"}, {Said::kPing, "ping"}, {Said::kInput, "input"}};

struct ViewerMessage {
  Said said = Said::kPing;
  std::int64_t frames = 0;
  json::object action_spec;
  std::string id;
};

ViewerMessage ReadViewerMessage(JsonReader& in) {
  ViewerMessage message{.said = in.Enum("type", kSaid)};
  if (message.said == Said::kCredit) message.frames = in.Integer("frames", {1, kMostCreditsAtOnce});
  if (message.said == Said::kInput) message.action_spec = in.RawObject("action_spec");
  message.id = in.OptionalString("id", {0, 128}).value_or("");
  return message;
}

json::object ErrorMessage(const Error& error, const std::string& id) {
  json::object message{{"type", "error"}, {"code", error.name()}, {"message", error.message()}};
  if (!error.details().empty()) message["details"] = error.details();
  if (!id.empty()) message["id"] = id;
  return message;
}

}  // namespace

json::object StatusJson(const browser::StreamStatus& status) {
  json::object out{{"state", NameIn(browser::kStreamStates, status.state)}};
  if (!status.reason.empty()) out["reason"] = status.reason;
  if (!status.tab.empty()) out["tab"] = status.tab.value();
  if (status.view_width > 0)
    out["view"] = {{"width", status.view_width}, {"height", status.view_height}};
  return out;
}

ViewerSocket::ViewerSocket(CallContext ctx, std::shared_ptr<net::WebSocket> socket,
                           std::shared_ptr<browser::LiveViewer> viewer, About about)
    : over_(ctx.cancel()),
      ctx_(ctx.WithCancel(over_.token())),
      socket_(std::move(socket)),
      viewer_(std::move(viewer)),
      about_(std::move(about)) {
}

// Reading ends when the connection does, writing when the stream does; each ends the other.
Task<void> ViewerSocket::Run() {
  TaskScope tasks(ctx_.executor());
  tasks.Spawn("viewer.read", Read());
  if (about_.input) tasks.Spawn("viewer.act", Act());
  const Goodbye goodbye = co_await Write();
  co_await socket_->Close(goodbye.code, goodbye.reason);
  over_.Cancel(Error(ErrorCode::kNetworkError, "the viewer has left"));
  co_await tasks.Join();
}

Task<void> ViewerSocket::Read() {
  for (;;) {
    auto message = co_await socket_->Receive();
    if (!message || message->kind == WebSocketMessage::Kind::kClosed) break;
    Result<void> taken = Fail(ErrorCode::kInvalidArgument, "messages to a stream are text");
    if (message->kind == WebSocketMessage::Kind::kText)
      taken = co_await Take(std::move(message->data));
    if (!taken && !co_await SendText(ErrorMessage(taken.error(), ""))) break;
  }
  over_.Cancel(Error(ErrorCode::kNetworkError, "the viewer has left"));
}

Task<ViewerSocket::Goodbye> ViewerSocket::Write() {
  auto sent = co_await Greet();
  while (sent) {
    auto news = co_await viewer_->Next(ctx_.WithTimeout(kPingTime));
    if (news) {
      sent = co_await SendNews(*std::move(news));
    } else if (news.error().code() == ErrorCode::kTimeout) {
      sent = co_await Ping();
    } else if (news.error().code() == ErrorCode::kSessionClosed) {
      co_return Goodbye{WebSocketEnd::kNormal, std::string(news.error().message())};
    } else {
      co_return Goodbye{WebSocketEnd::kGoingAway, std::string(news.error().message())};
    }
  }
  co_return Goodbye{WebSocketEnd::kGoingAway, "the viewer is too slow"};
}

Task<Result<void>> ViewerSocket::Greet() {
  return SendText({{"type", "meta"},
                   {"version", 1},
                   {"session", about_.session},
                   {"frames", "image/jpeg"},
                   {"may_act", about_.input != nullptr}});
}

Task<Result<void>> ViewerSocket::SendText(json::object message) {
  return socket_->Send(ctx_.WithTimeout(kSendTime),
                       {WebSocketMessage::Kind::kText, json::serialize(message)});
}

Task<Result<void>> ViewerSocket::SendNews(browser::LiveViewer::News news) {
  if (news.frame) {
    co_return co_await socket_->SendShared(ctx_.WithTimeout(kSendTime),
                                           net::SharedBytes(news.frame->bytes));
  }
  json::object message{{"type", "status"}};
  for (auto& [key, value] : StatusJson(*news.status)) message[key] = value;
  co_return co_await SendText(std::move(message));
}

Task<Result<void>> ViewerSocket::Ping() {
  return SendText({{"type", "ping"}, {"n", ++pings_}, {"at", IsoTime(ctx_.clock().WallNow())}});
}

Task<Result<void>> ViewerSocket::Take(std::string text) {
  CO_TRY_ASSIGN(const auto value, ParseJson(text));
  CO_TRY_ASSIGN(auto message, ReadJson(value, "message", ReadViewerMessage));
  if (message.said == Said::kPing) co_return co_await SendText({{"type", "pong"}});
  if (message.said == Said::kInput)
    co_return TakeInput(std::move(message.action_spec), std::move(message.id));
  viewer_->Grant(static_cast<std::uint64_t>(message.frames));
  co_return Result<void>();
}

Result<void> ViewerSocket::TakeInput(json::object action_spec, std::string id) {
  if (!about_.input) return Fail(ErrorCode::kForbidden, "who only watches does not act");
  if (inputs_.size() >= kMostInputs)
    return Fail(ErrorCode::kQueueFull, "too many actions wait already");
  inputs_.push_back({std::move(action_spec), std::move(id)});
  input_came_.NotifyAll();
  return {};
}

// Beside the reading: an action may take its time, and credits come meanwhile.
Task<void> ViewerSocket::Act() {
  for (;;) {
    const auto came =
        co_await input_came_.Until(ctx_, [this] { return !inputs_.empty(); }, "input");
    if (!came) co_return;
    Input input = std::move(inputs_.front());
    inputs_.pop_front();
    if (!co_await ActOnce(std::move(input.action_spec), std::move(input.id))) co_return;
  }
}

Task<Result<void>> ViewerSocket::ActOnce(json::object action_spec, std::string id) {
  auto result = co_await about_.input(std::move(action_spec));
  if (!result) co_return co_await SendText(ErrorMessage(result.error(), id));
  json::object message{{"type", "result"}, {"result", *std::move(result)}};
  if (!id.empty()) message["id"] = id;
  co_return co_await SendText(std::move(message));
}

}  // namespace falconer::api
