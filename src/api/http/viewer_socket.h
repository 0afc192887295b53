#pragma once
// ViewerSocket: one viewer at the other end of a WebSocket: frames and status go out, credits and
// input come in. docs/live.md tells the messages.

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "base/json/json.h"
#include "browser/stream/live_viewer.h"
#include "net/websocket.h"

namespace falconer::api {

// Carries out what a person does; answers with the result of the contract. Fails when that person
// may not.
using ViewerInput = std::function<Task<Result<json::object>>(json::object action_spec)>;

class ViewerSocket {
 public:
  struct About {
    std::string session;
    // Null for those who only watch.
    ViewerInput input;
  };

  ViewerSocket(CallContext ctx, std::shared_ptr<net::WebSocket> socket,
               std::shared_ptr<browser::LiveViewer> viewer, About about);

  // Until either side ends.
  Task<void> Run();

 private:
  // Ends with what the client is to be told when it is closed.
  struct Goodbye {
    net::WebSocketEnd code = net::WebSocketEnd::kNormal;
    std::string reason;
  };

  Task<Goodbye> Write();
  Task<void> Read();
  Task<Result<void>> Greet();
  Task<Result<void>> SendText(json::object message);
  Task<Result<void>> SendNews(browser::LiveViewer::News news);
  Task<Result<void>> Ping();
  // Fails with what is wrong with the message.
  Task<Result<void>> Take(std::string text);
  Result<void> TakeInput(json::object action_spec, std::string id);
  // Carries out what was taken, one after the other.
  Task<void> Act();
  Task<Result<void>> ActOnce(json::object action_spec, std::string id);

  // Cancelled when either side has ended.
  LinkedCancelSource over_;
  CallContext ctx_;
  std::shared_ptr<net::WebSocket> socket_;
  std::shared_ptr<browser::LiveViewer> viewer_;
  About about_;
  std::uint64_t pings_ = 0;
  struct Input {
    json::object action_spec;
    std::string id;
  };
  std::deque<Input> inputs_;
  Notifier input_came_;
};

// As viewers are told it.
json::object StatusJson(const browser::StreamStatus& status);

}  // namespace falconer::api
