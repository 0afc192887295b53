#include "api/mcp/stdio_server.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "api/mcp/rpc_id.h"
#include "base/async/message_pipe.h"
#include "base/async/notifier.h"
#include "base/log.h"

namespace falconer::api {
namespace {

std::unexpected<Error> CannotUse(std::string_view what) {
  return std::unexpected(Error(
      ErrorCode::kIoError,
      "cannot use standard " + std::string(what) + ": " + std::generic_category().message(errno),
      {{kStreamDetail, what}}));
}

std::unexpected<Error> LostClient(ErrorCode code, std::string message) {
  return std::unexpected(Error(code, std::move(message), {{kStreamDetail, kClientStream}}));
}

// A descriptor above the standard ones that is not handed to children.
UniqueFd CopyOf(int fd) {
  return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

// Also that it leads the right way: a closed stream may be held by a file that does not.
bool IsOpenFor(int fd, int direction) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) return false;
  const int mode = flags & O_ACCMODE;
  if (mode == direction || mode == O_RDWR) return true;
  errno = EBADF;
  return false;
}

std::string_view WithoutCarriageReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// What the end of the pipe means for the caller.
Result<void> ResultOf(PipeEnd end, const std::string& why) {
  switch (end) {
    case PipeEnd::kInputEnded:
    case PipeEnd::kCutOff:
      return {};
    case PipeEnd::kReadFailed:
      return LostClient(ErrorCode::kIoError, "cannot read from the client: " + why);
    case PipeEnd::kWriteFailed:
      return LostClient(ErrorCode::kIoError, "cannot write to the client: " + why);
    case PipeEnd::kTooLong:
      break;  // we go on after such a line
  }
  return Fail(ErrorCode::kInternalError, why);
}

class Conversation {
 public:
  Conversation(const CallContext& ctx, McpSetup setup, StdioEnds ends, const StdioLimits& limits)
      : ctx_(ctx),
        limits_(limits),
        pipe_(ctx.executor(), std::move(ends.in), std::move(ends.out),
              {.delimiter = '\n',
               .most_queued = limits.most_queued,
               .longest_message = limits.longest_line}),
        server_(
            ctx.executor(), ctx.clock(), std::move(setup.offer), std::move(setup.identity),
            [this](std::string line) { Say(std::move(line)); }, setup.limits) {
    server_.OnFirstRequest(std::move(setup.on_first_request));
  }

  Task<Result<void>> Run() {
    pipe_.Start(
        {.on_message = [this](std::string_view line) { OnLine(line); },
         .on_closed = [this](PipeEnd end, const std::string& why) { OnClosed(end, why); },
         .on_drained = [this] { changes_.NotifyAll(); },
         .on_too_long = [this](std::string_view part, LongPart kind) { OnTooLong(part, kind); }});
    if (const auto ended = co_await changes_.Until(
            ctx_, [this] { return end_.has_value(); }, "the client");
        !ended) {
      Finish(ended);
    }
    co_await EndCalls();
    const auto read = co_await changes_.Until(
        Grace(), [this] { return pipe_.queued_bytes() == 0; }, "the client to read its answers");
    if (*end_ && !read)
      co_return LostClient(read.error().code(), std::string(read.error().message()));
    co_return *end_;
  }

 private:
  void OnLine(std::string_view line) {
    const std::string_view message = WithoutCarriageReturn(line);
    if (!end_ && !message.empty()) server_.OnMessage(message);
  }

  // Clients write the id wherever they like, also at the end.
  void OnTooLong(std::string_view part, LongPart kind) {
    too_long_.Read(part);
    if (kind == LongPart::kMoreComes) return;
    const json::value id = std::exchange(too_long_, RpcIdScan()).id();
    if (end_) return;
    LOG(warn, "mcp.line_too_long", {"limit", limits_.longest_line});
    Say(RpcFailureText({.code = kRpcInvalidRequest,
                        .message = "a message may have at most " +
                                   std::to_string(limits_.longest_line) +
                                   " bytes; this one is longer and was skipped",
                        .data = {{"code", TraitsOf(ErrorCode::kInvalidArgument).name},
                                 {"limit_bytes", limits_.longest_line},
                                 {"retryable", false}},
                        .id = id}));
  }

  void Say(std::string line) {
    if (const auto posted = pipe_.Post(std::move(line)); !posted) {
      Finish(LostClient(posted.error().code(), "the client does not read its answers: " +
                                                   std::string(posted.error().message())));
    }
  }

  void OnClosed(PipeEnd end, const std::string& why) {
    if (end == PipeEnd::kCutOff) LOG(warn, "mcp.line_cut_off", {"why", why});
    Finish(ResultOf(end, why));
  }

  // The first failure counts; it may come after the client's regular goodbye.
  void Finish(Result<void> result) {
    if (!end_ || *end_) end_ = std::move(result);
    changes_.NotifyAll();
  }

  Task<void> EndCalls() {
    if (*end_) co_await server_.WaitIdle(ctx_.WithTimeout(limits_.grace));
    const std::string why = *end_ ? "the client has gone" : std::string(end_->error().message());
    co_await server_.Stop(Error(ErrorCode::kCancelled, why));
  }

  // Whatever ended it, answers that can still be read are: also when ctx_ is over.
  CallContext Grace() const {
    return CallContext(ctx_.executor(), ctx_.clock()).WithTimeout(limits_.grace);
  }

  CallContext ctx_;
  StdioLimits limits_;
  Notifier changes_;
  std::optional<Result<void>> end_;
  RpcIdScan too_long_;
  MessagePipe pipe_;
  McpServer server_;
};

}  // namespace

Result<StdioEnds> TakeStdio() {
  if (!IsOpenFor(STDIN_FILENO, O_RDONLY)) return CannotUse("input");
  if (!IsOpenFor(STDOUT_FILENO, O_WRONLY)) return CannotUse("output");
  StdioEnds ends{.in = CopyOf(STDIN_FILENO), .out = {}};
  if (!ends.in) return CannotUse("input");
  ends.out = CopyOf(STDOUT_FILENO);
  if (!ends.out) return CannotUse("output");
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing || ::dup2(nothing.get(), STDIN_FILENO) < 0) return CannotUse("input");
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return CannotUse("error");
  // What was printed before and has not left yet is no message either.
  std::fflush(stdout);
  return ends;
}

Task<Result<void>> RunStdio(CallContext ctx, McpSetup setup, StdioEnds ends, StdioLimits limits) {
  if (!IsOpenFor(ends.in.get(), O_RDONLY)) co_return CannotUse("input");
  if (!IsOpenFor(ends.out.get(), O_WRONLY)) co_return CannotUse("output");
  Conversation conversation(ctx, std::move(setup), std::move(ends), limits);
  co_return co_await conversation.Run();
}

}  // namespace falconer::api
