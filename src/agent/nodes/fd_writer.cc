#include "agent/nodes/fd_writer.h"

#include <csignal>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>

namespace falconer::agent {

struct FdWriter::State : std::enable_shared_from_this<FdWriter::State> {
  State(const Executor& executor, UniqueFd fd, std::string content)
      : pipe(executor, fd.Release()), text(std::move(content)) {}

  void Write() {
    boost::asio::async_write(pipe, boost::asio::buffer(text),
                             [self = shared_from_this()](const boost::system::error_code&,
                                                         std::size_t) { self->Close(); });
  }

  void Close() {
    boost::system::error_code ignored;
    pipe.close(ignored);
  }

  boost::asio::posix::stream_descriptor pipe;
  std::string text;
};

FdWriter::FdWriter(const Executor& executor, UniqueFd fd, std::string text)
    : state_(std::make_shared<State>(executor, std::move(fd), std::move(text))) {
  // A reader that has died would end this process too.
  std::signal(SIGPIPE, SIG_IGN);
  state_->Write();
}

FdWriter::~FdWriter() {
  state_->Close();
}

}  // namespace falconer::agent
