#include "bench/floor_client.h"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace falconer::bench {
namespace json = boost::json;

namespace {

constexpr std::size_t kReadSize = 256 * 1024;

std::string EventKey(std::string_view session, std::string_view method) {
  std::string key(session);
  key += ' ';
  return key += method;
}

std::string_view TextAt(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  return found != nullptr && found->is_string() ? std::string_view(found->get_string())
                                                : std::string_view();
}

json::value TakeAt(json::object& object, std::string_view key) {
  json::value* found = object.if_contains(key);
  return found != nullptr ? std::move(*found) : json::value(json::object());
}

}  // namespace

FloorClient::FloorClient(int to_browser, int from_browser)
    : to_browser_(to_browser), from_browser_(from_browser), piece_(kReadSize) {
  fcntl(to_browser_, F_SETFL, O_NONBLOCK);
  fcntl(from_browser_, F_SETFL, O_NONBLOCK);
}

PendingAnswer FloorClient::Send(std::string_view session, std::string_view method,
                                const Params& params) {
  auto state = std::make_shared<PendingAnswer::State>();
  if (broken_) {
    state->answer = Fail(*broken_);
    return PendingAnswer(std::move(state));
  }
  const auto id = next_id_++;
  outgoing_ += "{\"id\":" + std::to_string(id) + ",\"method\":\"";
  outgoing_ += method;
  if (!session.empty()) {
    outgoing_ += "\",\"sessionId\":\"";
    outgoing_ += session;
  }
  outgoing_ += "\",\"params\":" + json::serialize(params) + "}";
  outgoing_ += '\0';
  calls_.emplace(id, state);
  return PendingAnswer(std::move(state));
}

PendingAnswer FloorClient::Expect(std::string_view session, std::string_view method) {
  auto state = std::make_shared<PendingAnswer::State>();
  if (broken_) {
    state->answer = Fail(*broken_);
  } else {
    expected_[EventKey(session, method)].push_back(state);
  }
  return PendingAnswer(std::move(state));
}

void FloorClient::Pump(std::chrono::milliseconds limit) {
  Flush();
  const short write_events = outgoing_.empty() ? 0 : POLLOUT;
  pollfd waits[] = {{from_browser_, POLLIN, 0}, {to_browser_, write_events, 0}};
  const int ready = poll(waits, 2, static_cast<int>(limit.count()));
  if (ready == 0) Break("the browser did not answer in time");
  if (ready > 0 && waits[0].revents != 0) ReadSome();
}

void FloorClient::Flush() {
  while (!outgoing_.empty()) {
    const auto sent = write(to_browser_, outgoing_.data(), outgoing_.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return;
    if (sent < 0) return Break("the browser has ended");
    outgoing_.erase(0, static_cast<std::size_t>(sent));
  }
}

void FloorClient::ReadSome() {
  const auto got = read(from_browser_, piece_.data(), piece_.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return Break("the browser has ended");
  incoming_.append(piece_.data(), static_cast<std::size_t>(got));
  std::size_t start = 0;
  for (std::size_t end = 0; (end = incoming_.find('\0', scanned_)) != std::string::npos;) {
    Dispatch(std::string_view(incoming_).substr(start, end - start));
    start = scanned_ = end + 1;
  }
  incoming_.erase(0, start);
  scanned_ = incoming_.size();
}

void FloorClient::Dispatch(std::string_view text) {
  boost::system::error_code failed;
  json::value message = json::parse(text, failed);
  if (failed || !message.is_object()) return Break("the browser sent something that is not JSON");
  json::object& object = message.get_object();
  if (const json::value* id = object.if_contains("id"); id != nullptr && id->is_int64()) {
    return DispatchAnswer(id->get_int64(), object);
  }
  DispatchEvent(object);
}

void FloorClient::DispatchAnswer(std::int64_t id, json::object& message) {
  auto call = calls_.extract(id);
  if (call.empty()) return;
  if (const json::value* error = message.if_contains("error")) {
    return Resolve(call.mapped(), Fail("the browser refused: " + json::serialize(*error)));
  }
  Resolve(call.mapped(), TakeAt(message, "result"));
}

void FloorClient::DispatchEvent(json::object& message) {
  const auto session = TextAt(message, "sessionId");
  const auto method = TextAt(message, "method");
  const json::value params = TakeAt(message, "params");
  if (auto expected = expected_.extract(EventKey(session, method)); !expected.empty()) {
    for (const auto& state : expected.mapped()) Resolve(state, params);
  }
  if (sink_) sink_({session, method, params});
}

void FloorClient::Break(std::string why) {
  broken_ = std::move(why);
  outgoing_.clear();
  for (const auto& [id, state] : std::exchange(calls_, {})) Resolve(state, Fail(*broken_));
  for (const auto& [key, states] : std::exchange(expected_, {})) {
    for (const auto& state : states) Resolve(state, Fail(*broken_));
  }
}

void FloorClient::Resolve(const StatePtr& state, Outcome<json::value> answer) {
  state->answer = std::move(answer);
  if (auto waiter = std::exchange(state->waiter, nullptr)) waiter.resume();
}

}  // namespace falconer::bench
