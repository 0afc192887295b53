#pragma once
// RawClient: sends bytes exactly as they are and reads what comes back; for what a well-behaved
// HTTP client would never do.

#include <cstdint>
#include <string>

#include "base/async/call_context.h"
#include "tests/support/raw_peer.h"

namespace falconer::test {

class RawClient : public RawPeer {
 public:
  RawClient(const CallContext& ctx, std::uint16_t port)
      : RawPeer(boost::asio::ip::tcp::socket(ctx.executor())) {
    boost::system::error_code ignored;
    socket().connect({boost::asio::ip::address_v4::loopback(), port}, ignored);
  }

  // What is left until the server closes; then closes too.
  Task<std::string> ReadToEnd() {
    std::string left = co_await RawPeer::ReadToEnd();
    Close();
    co_return left;
  }
};

}  // namespace falconer::test
