#include "cdp/pipe_transport.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>

namespace falconer::cdp {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kReadSize = 64 * 1024;
// A buffer that one huge message blew up is given back afterwards.
constexpr std::size_t kKeepCapacity = 1024 * 1024;

// Writing to a browser that has died raises a signal whose default is to end this process too.
void IgnoreBrokenPipes() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
}

}  // namespace

struct PipeTransport::State : std::enable_shared_from_this<PipeTransport::State> {
  State(const Executor& executor, UniqueFd from, UniqueFd to, std::size_t most)
      : reader(executor, from.Release()), writer(executor, to.Release()), most_queued(most) {
    reader.non_blocking(true);
    writer.non_blocking(true);
  }

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
    if (is_closed) return;
    if (ec) return Fail("the browser closed its pipe (" + ec.message() + ")");
    Deliver(scan_from);
    if (!is_closed) ReadMore();
  }

  // Hands over every complete message. Only bytes after `scan_from` can hold a new terminator.
  void Deliver(std::size_t scan_from) {
    std::size_t start = 0;
    while (!is_closed) {
      const void* end = std::memchr(buffer.data() + scan_from, 0, buffer.size() - scan_from);
      if (end == nullptr) break;
      const auto stop = static_cast<std::size_t>(static_cast<const char*>(end) - buffer.data());
      handlers.on_message(std::string_view(buffer).substr(start, stop - start));
      start = scan_from = stop + 1;
    }
    buffer.erase(0, start);
    if (buffer.empty() && buffer.capacity() > kKeepCapacity) buffer = std::string();
  }

  Result<void> Write(std::string message) {
    message.push_back('\0');
    if (!queue.empty() && queued_bytes + message.size() > most_queued) {
      return falconer::Fail(ErrorCode::kQueueFull, "the browser does not read its commands: " +
                                                       std::to_string(queued_bytes) +
                                                       " bytes wait already");
    }
    const std::size_t done = queue.empty() ? WriteNow(message) : 0;
    if (!is_broken && done < message.size()) Enqueue(std::move(message), done);
    return {};
  }

  void Enqueue(std::string message, std::size_t done) {
    queued_bytes += message.size();
    queue.push_back(std::move(message));
    if (queue.size() > 1) return;
    front_done = done;
    WaitWritable();
  }

  // Writes what the pipe takes at once; most messages fit and need no trip through the loop.
  std::size_t WriteNow(std::string_view bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = ::write(writer.native_handle(), bytes.data() + done, bytes.size() - done);
      if (n >= 0) {
        done += static_cast<std::size_t>(n);
      } else if (errno == EAGAIN) {
        break;
      } else if (errno != EINTR) {
        Break("cannot write to the browser (" + std::generic_category().message(errno) + ")");
        break;
      }
    }
    return done;
  }

  void WaitWritable() {
    writer.async_wait(asio::posix::stream_descriptor::wait_write,
                      [self = shared_from_this()](const error_code& ec) { self->OnWritable(ec); });
  }

  void OnWritable(const error_code& ec) {
    if (is_closed || is_broken) return;
    if (ec) return Fail("cannot write to the browser (" + ec.message() + ")");
    while (!queue.empty()) {
      front_done += WriteNow(std::string_view(queue.front()).substr(front_done));
      if (is_broken) return;
      if (front_done < queue.front().size()) return WaitWritable();
      queued_bytes -= queue.front().size();
      queue.pop_front();
      front_done = 0;
    }
  }

  // The owner hears of it from the loop: whoever posts a message does not expect its world to end.
  void Break(std::string why) {
    is_broken = true;
    asio::post(writer.get_executor(), [self = shared_from_this(), why = std::move(why)]() mutable {
      self->Fail(std::move(why));
    });
  }

  void Shut() {
    is_closed = true;
    error_code ignored;
    reader.close(ignored);
    writer.close(ignored);
  }

  void Fail(std::string why) {
    if (is_closed) return;
    Shut();
    handlers.on_closed(Error(ErrorCode::kBrowserGone, std::move(why)));
  }

  asio::posix::stream_descriptor reader;
  asio::posix::stream_descriptor writer;
  Handlers handlers;
  std::string buffer;
  std::deque<std::string> queue;
  std::size_t most_queued;
  std::size_t queued_bytes = 0;
  // How much of the queue's first message is written.
  std::size_t front_done = 0;
  // Nothing can be written any more; on_closed is about to be called.
  bool is_broken = false;
  bool is_closed = false;
};

PipeTransport::PipeTransport(const Executor& executor, UniqueFd from_browser, UniqueFd to_browser,
                             std::size_t most_queued)
    : state_(std::make_shared<State>(executor, std::move(from_browser), std::move(to_browser),
                                     most_queued)) {
  IgnoreBrokenPipes();
}

PipeTransport::~PipeTransport() {
  Close();
}

void PipeTransport::Start(Handlers handlers) {
  state_->handlers = std::move(handlers);
  state_->ReadMore();
}

Result<void> PipeTransport::Post(std::string message) {
  if (state_->is_closed || state_->is_broken) return {};
  return state_->Write(std::move(message));
}

void PipeTransport::Close() {
  if (!state_->is_closed) state_->Shut();
}

}  // namespace falconer::cdp
