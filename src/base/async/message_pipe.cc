#include "base/async/message_pipe.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>

namespace falconer {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kReadSize = 64UZ * 1024;
// A buffer that one huge message blew up is given back afterwards.
constexpr std::size_t kKeepCapacity = 1024UZ * 1024;

// Writing to a reader that has died raises a signal whose default is to end this process too.
void IgnoreBrokenPipes() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
}

// The flags belong to the open file, not to the descriptor: others may hold it too.
class KeptFlags {
 public:
  explicit KeptFlags(int fd) : fd_(fd), flags_(::fcntl(fd, F_GETFL)) {}
  void Restore() const {
    if (flags_ >= 0) ::fcntl(fd_, F_SETFL, flags_);
  }

 private:
  int fd_;
  int flags_;
};

}  // namespace

struct MessagePipe::State : std::enable_shared_from_this<MessagePipe::State> {
  struct Waiting {
    std::string bytes;
    std::unique_ptr<Departure> departure;
    // How much of it is written.
    std::size_t done = 0;
  };

  State(const Executor& executor, UniqueFd in, UniqueFd out, const Options& o)
      : in_flags(in.get()),
        out_flags(out.get()),
        reader(executor, in.Release()),
        writer(executor, out.Release()),
        options(o) {
    reader.non_blocking(true);
    writer.non_blocking(true);
  }

  // A file that the poller does not take never makes a reader wait: Asio reads it at once and
  // posts the completion, so that a long file comes in slices like everything else.
  void ReadMore() {
    const std::size_t used = buffer.size();
    buffer.resize(used + kReadSize);
    reader.async_read_some(asio::buffer(buffer.data() + used, kReadSize),
                           [self = shared_from_this(), used](const error_code& ec, std::size_t n) {
                             self->buffer.resize(used + n);
                             self->OnRead(ec, used);
                           });
  }

  void OnRead(const error_code& ec, std::size_t scan_from) {
    if (is_ended) return;
    if (ec == asio::error::eof)
      return End(buffer.empty() && !is_passing ? PipeEnd::kInputEnded : PipeEnd::kCutOff,
                 ec.message());
    if (ec) return End(PipeEnd::kReadFailed, ec.message());
    Deliver(scan_from);
    if (!is_ended && (is_passing || buffer.size() > options.longest_message)) PassOn();
    if (!is_ended) ReadMore();
  }

  // Hands over every complete message. Only bytes after `scan_from` can hold a new end.
  void Deliver(std::size_t scan_from) {
    std::size_t start = 0;
    while (!is_ended) {
      const void* end =
          std::memchr(buffer.data() + scan_from, options.delimiter, buffer.size() - scan_from);
      if (end == nullptr) break;
      const auto stop = static_cast<std::size_t>(static_cast<const char*>(end) - buffer.data());
      HandOver(std::string_view(buffer).substr(start, stop - start));
      start = scan_from = stop + 1;
    }
    buffer.erase(0, start);
    if (buffer.empty() && buffer.capacity() > kKeepCapacity) buffer = std::string();
  }

  void HandOver(std::string_view message) {
    const bool is_rest = std::exchange(is_passing, false);
    if (is_rest || message.size() > options.longest_message)
      return RefuseLength(message, LongPart::kLast);
    handlers.on_message(message);
  }

  // No more of it is kept than could still have been a message.
  void PassOn() {
    const std::string part = std::exchange(buffer, std::string());
    is_passing = true;
    RefuseLength(part, LongPart::kMoreComes);
  }

  void RefuseLength(std::string_view part, LongPart kind) {
    if (handlers.on_too_long) return handlers.on_too_long(part, kind);
    End(PipeEnd::kTooLong,
        "a message is longer than " + std::to_string(options.longest_message) + " bytes");
  }

  Result<void> Write(std::string message, std::unique_ptr<Departure> departure) {
    message.push_back(options.delimiter);
    if (!queue.empty() && queued_bytes + message.size() > options.most_queued) {
      return Fail(ErrorCode::kQueueFull, std::to_string(queued_bytes) + " bytes wait already");
    }
    queued_bytes += message.size();
    queue.push_back({.bytes = std::move(message), .departure = std::move(departure)});
    if (queue.size() == 1 && !WriteQueue()) WaitWritable();
    return {};
  }

  // Writes what the descriptor takes at once; most messages fit and need no trip through the loop.
  // False when something has to wait until more is taken.
  bool WriteQueue() {
    while (!queue.empty() && !is_broken) {
      Waiting& front = queue.front();
      const bool is_let_go =
          front.done > 0 || front.departure == nullptr || front.departure->MayLeave();
      if (is_let_go && !WriteFront(front)) return is_broken;
      if (is_let_go && front.departure != nullptr) front.departure->DidLeave();
      queued_bytes -= front.bytes.size();
      queue.pop_front();
    }
    return true;
  }

  // Whether all of it is written.
  bool WriteFront(Waiting& front) {
    while (front.done < front.bytes.size()) {
      const ssize_t n = ::write(writer.native_handle(), front.bytes.data() + front.done,
                                front.bytes.size() - front.done);
      if (n >= 0) {
        front.done += static_cast<std::size_t>(n);
      } else if (errno == EAGAIN) {
        return false;
      } else if (errno != EINTR) {
        Break(std::generic_category().message(errno));
        return false;
      }
    }
    return true;
  }

  void WaitWritable() {
    writer.async_wait(asio::posix::stream_descriptor::wait_write,
                      [self = shared_from_this()](const error_code& ec) { self->OnWritable(ec); });
  }

  void OnWritable(const error_code& ec) {
    if (is_closed || is_broken) return;
    if (ec) return Break(ec.message());
    if (!WriteQueue()) return WaitWritable();
    if (!is_broken) TellDrained();
  }

  // The owner hears of it from the loop: whoever posts a message does not expect its world to end.
  void Break(std::string why) {
    is_broken = true;
    asio::post(writer.get_executor(), [self = shared_from_this(), why = std::move(why)]() mutable {
      self->DropQueue();
      self->End(PipeEnd::kWriteFailed, std::move(why));
      self->TellDrained();
    });
  }

  void DropQueue() {
    queue.clear();
    queued_bytes = 0;
  }

  void TellDrained() {
    if (!is_closed && handlers.on_drained) handlers.on_drained();
  }

  void End(PipeEnd end, std::string why) {
    if (!std::exchange(is_ended, true)) handlers.on_closed(end, std::move(why));
  }

  void Shut() {
    if (std::exchange(is_closed, true)) return;
    is_ended = true;
    in_flags.Restore();
    out_flags.Restore();
    error_code ignored;
    reader.close(ignored);
    writer.close(ignored);
    DropQueue();
  }

  // Both are read before either descriptor is changed: they may be the same open file.
  KeptFlags in_flags;
  KeptFlags out_flags;
  asio::posix::stream_descriptor reader;
  asio::posix::stream_descriptor writer;
  Options options;
  Handlers handlers;
  std::string buffer;
  // The buffer begins inside a message that is too long.
  bool is_passing = false;
  std::deque<Waiting> queue;
  std::size_t queued_bytes = 0;
  // Nothing can be written any more; on_closed is about to be called.
  bool is_broken = false;
  // on_closed was called, or must not be any more.
  bool is_ended = false;
  bool is_closed = false;
};

MessagePipe::MessagePipe(const Executor& executor, UniqueFd in, UniqueFd out,
                         const Options& options)
    : state_(std::make_shared<State>(executor, std::move(in), std::move(out), options)) {
  IgnoreBrokenPipes();
}

MessagePipe::~MessagePipe() {
  Close();
}

void MessagePipe::Start(Handlers handlers) {
  state_->handlers = std::move(handlers);
  state_->ReadMore();
}

Result<void> MessagePipe::Post(std::string message, std::unique_ptr<Departure> departure) {
  if (state_->is_closed || state_->is_broken) return {};
  return state_->Write(std::move(message), std::move(departure));
}

void MessagePipe::Close() {
  state_->Shut();
}

std::size_t MessagePipe::queued_bytes() const {
  return state_->queued_bytes;
}

}  // namespace falconer
