#pragma once
// FakeCdpPeer: the browser's end of a connection, played by a test. It records the commands it
// gets, answers them from a script, and says whatever the test wants. Header only, so that the unit
// tests of every room can use it.

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "base/async/task.h"
#include "base/json/json.h"
#include "cdp/transport.h"

namespace falconer::test {

class FakeCdpPeer {
 public:
  // One command as it was received.
  struct Sent {
    std::int64_t id = 0;
    std::string session_id;
    std::string method;
    json::object params;
  };

  // What to do with one kind of command. Without a script a command is answered with {}.
  class Script {
   public:
    // Answers with this JSON object, from now on.
    void Reply(std::string_view result) {
      const json::object parsed = Parse(result);
      Reply([parsed](const Sent&) { return parsed; });
    }
    void Reply(std::function<json::object(const Sent&)> make) {
      answer_ = [make = std::move(make)](const Sent& sent) {
        return json::object{{"result", make(sent)}};
      };
    }
    // Answers with the browser's kind of error.
    void Fail(std::string message, int code = -32000) {
      answer_ = [message = std::move(message), code](const Sent&) {
        return json::object{{"error", {{"code", code}, {"message", message}}}};
      };
    }
    // Never answers by itself; see Answer().
    void Ignore() {
      answer_ = [](const Sent&) { return json::object(); };
    }

   private:
    friend class FakeCdpPeer;
    std::function<json::object(const Sent&)> answer_ = [](const Sent&) {
      return json::object{{"result", json::object()}};
    };
  };

  explicit FakeCdpPeer(Executor executor) : state_(std::make_shared<State>(std::move(executor))) {}

  // The other end, for a Connection. The peer may live longer or shorter than it.
  std::unique_ptr<cdp::Transport> MakeTransport() { return std::make_unique<End>(state_); }

  Script& On(const std::string& method) { return state_->scripts[method]; }

  // Says something, as it is. Everything the peer says is heard before the call returns; scripted
  // answers come from the loop, as a browser's would.
  void Push(std::string_view message) const { state_->Deliver(message); }
  void Event(std::string_view session_id, std::string_view method, std::string_view params) const {
    json::object message{{"method", method}, {"params", Parse(params)}};
    if (!session_id.empty()) message["sessionId"] = session_id;
    Push(json::serialize(message));
  }
  void Answer(const Sent& sent, std::string_view result) const {
    state_->Say(sent, json::object{{"result", Parse(result)}});
  }
  // Opens session `session_id` on a target of this type, below `parent`.
  void Attach(std::string_view session_id, std::string_view type = "page",
              std::string_view parent = "") const {
    json::object target{{"targetId", "target-" + std::string(session_id)},
                        {"type", type},
                        {"title", ""},
                        {"url", "about:blank"},
                        {"attached", true}};
    Event(parent, "Target.attachedToTarget",
          json::serialize(json::object{{"sessionId", session_id},
                                       {"targetInfo", std::move(target)},
                                       {"waitingForDebugger", false}}));
  }
  void Detach(std::string_view session_id, std::string_view parent = "") const {
    Event(parent, "Target.detachedFromTarget",
          json::serialize(json::object{{"sessionId", session_id}}));
  }
  // From now on messages are refused with `why`, or taken again.
  void Refuse(std::optional<Error> why) const { state_->refusal = std::move(why); }
  // The browser goes away.
  void HangUp(std::string why = "the browser closed its pipe") const {
    if (auto on_closed = std::exchange(state_->handlers, {}).on_closed) {
      on_closed(Error(ErrorCode::kBrowserGone, std::move(why)));
    }
  }

  const std::vector<Sent>& sent() const { return state_->sent; }
  std::size_t CountOf(std::string_view method) const {
    return static_cast<std::size_t>(
        std::ranges::count(state_->sent, method, [](const Sent& s) { return s.method; }));
  }
  // The newest command of this kind; an empty one when there was none.
  Sent LastOf(std::string_view method) const {
    for (auto at = state_->sent.rbegin(); at != state_->sent.rend(); ++at) {
      if (at->method == method) return *at;
    }
    ADD_FAILURE() << "no " << method << " was sent";
    return {};
  }
  bool is_closed() const { return state_->is_closed; }

 private:
  static json::object Parse(std::string_view text) {
    auto parsed = ParseJsonObject(text);
    if (parsed) return *std::move(parsed);
    ADD_FAILURE() << "the test's own JSON is wrong: " << parsed.error().message() << "\n" << text;
    return {};
  }

  struct State : std::enable_shared_from_this<State> {
    explicit State(Executor e) : executor(std::move(e)) {}

    void Deliver(std::string_view message) {
      // A copy: the handler may close the transport while it runs.
      if (const auto on_message = handlers.on_message) on_message(message);
    }
    void Say(const Sent& to, json::object answer) {
      answer["id"] = to.id;
      if (!to.session_id.empty()) answer["sessionId"] = to.session_id;
      Deliver(json::serialize(answer));
    }
    void Receive(const std::string& text) {
      const json::object message = Parse(text);
      Sent command{.id = message.at("id").as_int64(),
                   .method = std::string(message.at("method").as_string()),
                   .params = message.at("params").as_object()};
      if (const json::value* id = message.if_contains("sessionId")) {
        command.session_id = id->as_string();
      }
      sent.push_back(command);
      json::object answer = scripts[command.method].answer_(command);
      if (answer.empty()) return;
      boost::asio::post(executor, [self = this->shared_from_this(), command = std::move(command),
                                   answer = std::move(answer)] { self->Say(command, answer); });
    }

    Executor executor;
    cdp::Transport::Handlers handlers;
    std::map<std::string, Script> scripts;
    std::vector<Sent> sent;
    std::optional<Error> refusal;
    bool is_closed = false;
  };

  // The transport that the connection owns.
  class End final : public cdp::Transport {
   public:
    explicit End(std::shared_ptr<State> state) : state_(std::move(state)) {}
    ~End() override { Close(); }
    void Start(Handlers handlers) override { state_->handlers = std::move(handlers); }
    Result<void> Post(std::string message, std::unique_ptr<Departure> departure) override {
      if (state_->refusal) return std::unexpected(*state_->refusal);
      if (state_->is_closed || (departure && !departure->MayLeave())) return {};
      state_->Receive(message);
      if (departure) departure->DidLeave();
      return {};
    }
    void Close() override {
      state_->is_closed = true;
      state_->handlers = {};
    }

   private:
    std::shared_ptr<State> state_;
  };

  std::shared_ptr<State> state_;
};

}  // namespace falconer::test
