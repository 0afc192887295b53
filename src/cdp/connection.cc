#include "cdp/connection.h"

#include <array>
#include <utility>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include "base/log.h"
#include "cdp/surrogates.h"

namespace falconer::cdp {
namespace {

struct KnownError {
  std::string_view text;
  ErrorCode code;
};

// How the browser words failures that callers act on.
constexpr KnownError kKnownErrors[] = {
    {"Session with given id not found", ErrorCode::kTargetDetached},
    {"Cannot find context with specified id", ErrorCode::kContextDestroyed},
    {"uniqueContextId not found", ErrorCode::kContextDestroyed},
    {"Execution context was destroyed", ErrorCode::kContextDestroyed},
    {"Inspected target navigated or closed", ErrorCode::kContextDestroyed},
    {"Promise was collected", ErrorCode::kContextDestroyed},
    {"Frame with the given id was not found", ErrorCode::kFrameDetached},
    {"Frame with the given frameId is not found", ErrorCode::kFrameDetached},
    {"No frame for given id found", ErrorCode::kFrameDetached},
    {"Frame with given id does not exist", ErrorCode::kFrameDetached},
    {"No dialog is showing", ErrorCode::kNoDialog},
    {"Invalid InterceptionId", ErrorCode::kNotFound},
    {"Node is detached from document", ErrorCode::kElementDetached},
    {"Could not find node with given id", ErrorCode::kElementDetached},
    {"No node found for given backend id", ErrorCode::kElementDetached},
    {"Node does not have a layout object", ErrorCode::kElementNotVisible},
    {"Could not compute box model", ErrorCode::kElementNotVisible},
    {"No target with given id found", ErrorCode::kTabClosed},
    {"Not attached to an active page", ErrorCode::kTargetDetached},
    {"Object reference chain is too long", ErrorCode::kScriptError},
    {"Object couldn't be returned by value", ErrorCode::kScriptError},
    {"Target crashed", ErrorCode::kTabCrashed},
    {"Target closed", ErrorCode::kTabClosed},
};

constexpr json::parse_options kParseOptions{.max_depth = 512};

std::string_view Text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

Error ToError(std::string_view method, const json::object& error) {
  const std::string_view text = Text(error, "message");
  ErrorCode code = ErrorCode::kProtocolError;
  for (const KnownError& known : kKnownErrors) {
    if (text.contains(known.text)) code = known.code;
  }
  std::string message = std::string(method) + ": " + std::string(text);
  if (const auto data = Text(error, "data"); !data.empty())
    message += " (" + std::string(data) + ")";
  return Error(code, std::move(message));
}

}  // namespace

Connection::Connection(Executor executor, Clock& clock, std::unique_ptr<Transport> transport,
                       Options options)
    : executor_(std::move(executor)),
      clock_(clock),
      options_(options),
      transport_(std::move(transport)),
      root_(std::make_shared<Session>(*this, "", TargetInfo{.type = "browser"})) {
  transport_->Start({.on_message = [this](std::string_view text) { OnMessage(text); },
                     .on_closed = [this](const Error& reason) { Close(reason); }});
}

Connection::~Connection() {
  Close(Error(ErrorCode::kBrowserGone, "the connection to the browser was closed"));
}

std::shared_ptr<Session> Connection::FindSession(std::string_view id) const {
  if (id.empty()) return root_;
  const auto found = sessions_.find(std::string(id));
  return found == sessions_.end() ? nullptr : found->second;
}

void Connection::Close(const Error& reason) {
  transport_->Close();
  for (const auto& [id, session] : std::exchange(sessions_, {})) session->Close(reason);
  root_->Close(reason);
}

Result<void> Connection::Post(const Heading& heading, json::object params,
                              std::unique_ptr<Departure> departure) {
  json::object message;
  message["id"] = heading.id;
  message["method"] = heading.method;
  message["params"] = std::move(params);
  if (!heading.session_id.empty()) message["sessionId"] = heading.session_id;
  auto posted = transport_->Post(json::serialize(message), std::move(departure));
  if (!posted && !is_congested_) {
    LOG(warn, "cdp.queue_full", {"method", heading.method}, {"why", posted.error().message()});
  }
  is_congested_ = !posted;
  return posted;
}

void Connection::NoteMalformed(std::string_view method, std::string_view field) {
  if (!malformed_.insert(method).second) return;
  LOG(warn, "cdp.malformed_event", {"method", method},
      {"why", "lacks a fitting " + std::string(field)});
}

void Connection::OnMessage(std::string_view text) {
  // Most messages are small and die at the end of this call: parse them on the stack.
  std::array<unsigned char, 4096> stack;
  json::monotonic_resource pool(stack.data(), stack.size());
  boost::system::error_code bad;
  json::value parsed = json::parse(text, bad, &pool, kParseOptions);
  if (bad) parsed = json::parse(WithoutLoneSurrogates(text), bad, &pool, kParseOptions);
  if (bad || !parsed.is_object()) {
    LOG(warn, "cdp.bad_message", {"bytes", text.size()}, {"why", bad.message()});
    return;
  }
  const json::object& message = parsed.get_object();
  // A session that closed a moment ago may still be spoken of: late words are ignored.
  const auto session = FindSession(Text(message, "sessionId"));
  if (!session) return;
  const json::value* id = message.if_contains("id");
  if (id != nullptr && id->is_int64()) return OnAnswer(*session, message, id->get_int64());
  OnEvent(session, message);
}

void Connection::OnAnswer(Session& session, const json::object& message, std::int64_t id) {
  const auto call = TakeCall(session, id);
  if (!call) return;
  if (const json::value* error = message.if_contains("error");
      error != nullptr && error->is_object()) {
    return call->Fail(ToError(call->method(), error->get_object()));
  }
  const json::value* result = message.if_contains("result");
  static const json::object nothing;
  call->Complete(result != nullptr && result->is_object() ? result->get_object() : nothing);
}

std::shared_ptr<PendingCall> Connection::TakeCall(Session& session, std::int64_t id) {
  if (auto node = session.calls_.extract(id)) return std::move(node.mapped());
  // "No such session" is answered by the browser itself, without naming the session.
  if (&session != root_.get()) return nullptr;
  for (const auto& [name, other] : sessions_) {
    if (auto node = other->calls_.extract(id)) return std::move(node.mapped());
  }
  return nullptr;
}

void Connection::OnEvent(const std::shared_ptr<Session>& session, const json::object& message) {
  static const json::object nothing;
  const json::value* found = message.if_contains("params");
  const json::object& params =
      found != nullptr && found->is_object() ? found->get_object() : nothing;
  const std::string_view method = Text(message, "method");
  if (method == TargetAttachedToTarget::kMethod) OpenSession(*session, params);
  session->Emit(method, params);
  if (method == TargetDetachedFromTarget::kMethod) CloseSession(params);
}

// The session must exist before its parent hears of it: its own events follow at once.
void Connection::OpenSession(const Session& parent, const json::object& params) {
  Reader in(params);
  TargetAttachedToTarget event;
  Read(in, event);
  if (!in.is_ok()) return NoteMalformed(TargetAttachedToTarget::kMethod, in.wrong());
  auto session = std::make_shared<Session>(*this, event.session_id, event.target_info);
  session->Heed(parent.fence_slot_);
  sessions_.emplace(event.session_id, std::move(session));
}

void Connection::CloseSession(const json::object& params) {
  const auto node = sessions_.extract(std::string(Text(params, "sessionId")));
  if (node.empty()) return;
  node.mapped()->Close(Error(ErrorCode::kTargetDetached, "the browser detached the target"));
}

}  // namespace falconer::cdp
