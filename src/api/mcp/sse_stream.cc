#include "api/mcp/sse_stream.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace falconer::api {
namespace {

// How long a client waits before it connects again.
constexpr std::string_view kRetry = "retry: 1000\n";
constexpr std::string_view kComment = ":\n\n";

std::string IdLine(std::uint64_t stream, std::uint64_t event) {
  return "id: " + std::to_string(stream) + "-" + std::to_string(event) + "\n";
}

std::optional<std::uint64_t> WholeNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

// Counts a connection however its coroutine ends.
class SseStream::Reader {
 public:
  explicit Reader(SseStream& stream) : stream_(stream) { ++stream_.readers_; }
  ~Reader() { --stream_.readers_; }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

 private:
  SseStream& stream_;
};

void SseStream::Push(std::string message) {
  if (is_closed_) return;
  bytes_ += message.size();
  events_.push_back({.number = ++last_, .message = std::move(message)});
  while (events_.size() > 1 && (events_.size() > limits_.events || bytes_ > limits_.bytes)) {
    bytes_ -= events_.front().message.size();
    events_.pop_front();
  }
  changes_.NotifyAll();
}

void SseStream::Close() {
  is_closed_ = true;
  changes_.NotifyAll();
}

Task<Result<void>> SseStream::Write(CallContext ctx, std::shared_ptr<SseStream> self,
                                    std::optional<std::uint64_t> after, net::BodyWriter* out) {
  const Reader reader(*self);
  const std::uint64_t turn = ++self->turn_;
  self->changes_.NotifyAll();
  std::uint64_t last = after.value_or(self->sent_);
  CO_TRY(co_await out->Write(self->Greeting(last)));
  while (true) {
    CO_TRY(co_await self->WriteKept(turn, &last, out));
    if (self->turn_ != turn || self->is_closed_) co_return Result<void>();
    const auto news = co_await self->changes_.Until(
        ctx.WithTimeout(self->limits_.keep_alive),
        [&] { return self->last_ > last || self->is_closed_ || self->turn_ != turn; },
        "the next event");
    if (news) continue;
    CO_TRY(ctx.StillWanted("the stream"));
    CO_TRY(co_await out->Write(std::string(kComment)));
  }
}

Task<Result<void>> SseStream::WriteKept(std::uint64_t turn, std::uint64_t* last,
                                        net::BodyWriter* out) {
  while (turn_ == turn) {
    const Event* event = After(*last);
    if (event == nullptr) break;
    // It may be gone when the client has it.
    const std::uint64_t number = event->number;
    CO_TRY(co_await out->Write(TextOf(*event)));
    *last = number;
    sent_ = std::max(sent_, number);
  }
  co_return Result<void>();
}

const SseStream::Event* SseStream::After(std::uint64_t number) const {
  const auto found = std::ranges::upper_bound(events_, number, {}, &Event::number);
  return found == events_.end() ? nullptr : &*found;
}

// A comment tells the client, and proxies, at once that the stream is open.
std::string SseStream::Greeting(std::uint64_t last) const {
  if (!form_.number || !form_.primes) return std::string(kComment);
  return IdLine(*form_.number, last) + std::string(kRetry) + "data: \n\n";
}

std::string SseStream::TextOf(const Event& event) const {
  const std::string id = form_.number ? IdLine(*form_.number, event.number) : std::string();
  return id + "event: message\ndata: " + event.message + "\n\n";
}

Result<SseEventId> ParseSseEventId(std::string_view text) {
  const auto dash = text.find('-');
  if (dash != std::string_view::npos) {
    const auto stream = WholeNumber(text.substr(0, dash));
    const auto event = WholeNumber(text.substr(dash + 1));
    if (stream && event) return SseEventId{.stream = *stream, .event = *event};
  }
  return Fail(ErrorCode::kInvalidArgument, "Last-Event-ID: is not the id of an event of ours");
}

}  // namespace falconer::api
