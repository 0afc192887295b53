#include "app/demo/enter_key.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>

#include "base/async/alarm.h"

namespace falconer::app {
namespace {

using Input = boost::asio::posix::stream_descriptor;

// The handler may run after the waiter has gone.
void Watch(Input& input, std::shared_ptr<Alarm> pressed) {
  input.async_wait(Input::wait_read,
                   [pressed = std::move(pressed)](const auto&) { pressed->Signal(); });
}

// What was typed is of no interest, but must not be left to the shell.
void Swallow() {
  std::array<char, 512> line;
  if (::read(STDIN_FILENO, line.data(), line.size()) < 0) return;
}

}  // namespace

Task<Result<void>> WaitForEnter(CallContext ctx) {
  const int copy = ::dup(STDIN_FILENO);
  if (copy < 0) co_return Fail(ErrorCode::kIoError, "standard input is closed");
  Input input(ctx.executor(), copy);
  const auto pressed = std::make_shared<Alarm>(ctx.executor(), ctx.clock());
  Watch(input, pressed);
  CO_TRY(co_await ctx.Wait(pressed.get(), "waiting for Enter"));
  Swallow();
  co_return Result<void>();
}

}  // namespace falconer::app
