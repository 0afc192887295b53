#pragma once
// SseStream: messages for a client as server-sent events. It outlives the connections that carry
// it: what was sent is kept for a while, so that a client that lost its connection can go on where
// it was.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/async/notifier.h"
#include "net/http_message.h"

namespace falconer::api {

struct SseLimits {
  std::size_t events = 256;
  std::size_t bytes = 1UZ << 20U;
  Duration keep_alive = std::chrono::seconds(15);
};

struct SseForm {
  // Begins the ids of its events; without one they have none, and the stream cannot be resumed.
  std::optional<std::uint64_t> number = {};
  // Sends an id at once, so that the client can resume whatever happens next.
  bool primes = false;
};

class SseStream {
 public:
  SseStream(SseForm form, SseLimits limits) : form_(form), limits_(limits) {}
  SseStream(const SseStream&) = delete;
  SseStream& operator=(const SseStream&) = delete;

  // One message. When too much is kept the oldest goes, sent or not; this one stays. Ignored once
  // the stream is closed.
  void Push(std::string message);
  // Nothing more comes.
  void Close();

  // Writes the events after number `after`, or all that were never sent, and then what comes, until
  // the stream is closed or another connection carries it.
  static Task<Result<void>> Write(CallContext ctx, std::shared_ptr<SseStream> self,
                                  std::optional<std::uint64_t> after, net::BodyWriter* out);

  bool is_closed() const { return is_closed_; }
  bool has_reader() const { return readers_ > 0; }
  std::size_t kept_bytes() const { return bytes_; }
  // The number of the newest event; 0 before the first.
  std::uint64_t last_event() const { return last_; }

 private:
  struct Event {
    std::uint64_t number;
    std::string message;
  };
  class Reader;

  const Event* After(std::uint64_t number) const;
  std::string TextOf(const Event& event) const;
  std::string Greeting(std::uint64_t last) const;
  Task<Result<void>> WriteKept(std::uint64_t turn, std::uint64_t* last, net::BodyWriter* out);

  SseForm form_;
  SseLimits limits_;
  std::deque<Event> events_;
  std::size_t bytes_ = 0;
  std::uint64_t last_ = 0;  // the number of the newest event
  std::uint64_t sent_ = 0;  // that of the newest one that was sent
  std::uint64_t turn_ = 0;  // of the connection that carries it now
  std::size_t readers_ = 0;
  bool is_closed_ = false;
  Notifier changes_;
};

// Which event of which stream an id names.
struct SseEventId {
  std::uint64_t stream = 0;
  std::uint64_t event = 0;
};
// kInvalidArgument for a text that is no id of ours.
Result<SseEventId> ParseSseEventId(std::string_view text);

}  // namespace falconer::api
