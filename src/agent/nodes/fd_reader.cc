#include "agent/nodes/fd_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <unistd.h>
#include <utility>

#include <boost/asio/posix/stream_descriptor.hpp>

namespace falconer::agent {
namespace {

constexpr std::size_t kReadChunk = 16384;
// More than a pipe holds: somebody who writes all the time is not followed for ever.
constexpr int kMostPulls = 80;

}  // namespace

struct FdReader::State : std::enable_shared_from_this<FdReader::State> {
  State(const Executor& executor, UniqueFd fd, Limit most, std::function<void()> then)
      : pipe(executor, fd.Release()), limit(most), on_end(std::move(then)) {}

  // Waits and then reads by itself: a read of Asio's may have taken something already that its
  // handler has not yet brought, and Pull() would end without it.
  void WaitForMore() {
    pipe.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [self = shared_from_this()](const boost::system::error_code& ec) {
                      if (!ec) self->OnReadable();
                    });
  }

  void OnReadable() {
    if (is_ended) return;
    const Got got = ReadSome();
    if (got != Got::kEnd && !has_enough()) return WaitForMore();
    is_ended = true;
    if (on_end) on_end();
  }

  enum class Got : std::uint8_t { kSome, kNothing, kEnd };

  Got ReadSome() {
    const ssize_t n = ::read(pipe.native_handle(), chunk.data(), chunk.size());
    if (n < 0) return errno == EAGAIN || errno == EINTR ? Got::kNothing : Got::kEnd;
    if (n == 0) return Got::kEnd;
    text.append(chunk.data(), static_cast<std::size_t>(n));
    if (text.size() > limit.most) Cut();
    return Got::kSome;
  }

  bool has_enough() const { return is_over && limit.keep == Keep::kFirst; }

  void Pull() {
    for (int i = 0; i < kMostPulls && !is_ended && !has_enough(); ++i) {
      if (ReadSome() != Got::kSome) return;
    }
  }

  void Cut() {
    is_over = true;
    if (limit.keep == Keep::kLast) text.erase(0, text.size() - limit.most);
    text.resize(std::min(text.size(), limit.most));
  }

  boost::asio::posix::stream_descriptor pipe;
  Limit limit;
  std::function<void()> on_end;
  std::array<char, kReadChunk> chunk;
  std::string text;
  bool is_over = false;
  bool is_ended = false;
};

FdReader::FdReader(const Executor& executor, UniqueFd fd, Limit limit, std::function<void()> on_end)
    : state_(std::make_shared<State>(executor, std::move(fd), limit, std::move(on_end))) {
  state_->pipe.non_blocking(true);
  state_->WaitForMore();
}

FdReader::~FdReader() {
  state_->is_ended = true;
  boost::system::error_code ignored;
  state_->pipe.close(ignored);
}

void FdReader::Pull() {
  state_->Pull();
}

void FdReader::Drain() {
  state_->Pull();
  state_->is_ended = true;
}

const std::string& FdReader::text() const {
  return state_->text;
}

bool FdReader::is_ended() const {
  return state_->is_ended;
}

bool FdReader::is_over_limit() const {
  return state_->is_over;
}

}  // namespace falconer::agent
