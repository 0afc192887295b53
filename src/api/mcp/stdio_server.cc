#include "api/mcp/stdio_server.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/async/message_pipe.h"
#include "base/async/notifier.h"
#include "base/log.h"

namespace falconer::api {
namespace {

std::unexpected<Error> CannotUse(std::string_view what) {
  return Fail(ErrorCode::kIoError, "cannot use standard " + std::string(what) + ": " +
                                       std::generic_category().message(errno));
}

// A descriptor above the standard ones that is not handed to children.
UniqueFd CopyOf(int fd) {
  return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

bool IsOpen(const UniqueFd& fd) {
  return ::fcntl(fd.get(), F_GETFL) >= 0;
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
      return Fail(ErrorCode::kIoError, "cannot read from the client: " + why);
    case PipeEnd::kWriteFailed:
      return Fail(ErrorCode::kIoError, "cannot write to the client: " + why);
    case PipeEnd::kTooLong:
      return Fail(ErrorCode::kInvalidArgument, "the client broke the protocol: " + why);
  }
  return Fail(ErrorCode::kInternalError, why);
}

class Conversation {
 public:
  Conversation(const CallContext& ctx, McpSetup setup, StdioEnds ends, const StdioLimits& limits)
      : ctx_(ctx),
        grace_(limits.grace),
        pipe_(ctx.executor(), std::move(ends.in), std::move(ends.out),
              {.delimiter = '\n',
               .most_queued = limits.most_queued,
               .longest_message = limits.longest_line}),
        server_(
            ctx.executor(), ctx.clock(), std::move(setup.tools), std::move(setup.identity),
            [this](std::string line) { Say(std::move(line)); }, setup.limits) {
    server_.OnFirstRequest(std::move(setup.on_first_request));
  }

  Task<Result<void>> Run() {
    pipe_.Start({.on_message = [this](std::string_view line) { OnLine(line); },
                 .on_closed = [this](PipeEnd end, const std::string& why) { OnClosed(end, why); },
                 .on_drained = [this] { changes_.NotifyAll(); }});
    if (const auto ended = co_await changes_.Until(
            ctx_, [this] { return end_.has_value(); }, "the client");
        !ended) {
      Finish(ended);
    }
    co_await EndCalls();
    // Whatever ended it, answers that can still be read are.
    const auto read = co_await changes_.Until(
        ctx_.WithTimeout(grace_), [this] { return pipe_.queued_bytes() == 0; },
        "the client to read its answers");
    co_return *end_ ? read : *end_;
  }

 private:
  void OnLine(std::string_view line) {
    const std::string_view message = WithoutCarriageReturn(line);
    if (!end_ && !message.empty()) server_.OnMessage(message);
  }

  void Say(std::string line) {
    if (auto posted = pipe_.Post(std::move(line)); !posted) {
      Finish(std::unexpected(std::move(posted).error().In("the client does not read its answers")));
    }
  }

  void OnClosed(PipeEnd end, const std::string& why) {
    if (end == PipeEnd::kCutOff) LOG(warn, "mcp.line_cut_off", {"why", why});
    if (end == PipeEnd::kTooLong) {
      Say(RpcFailureText({.code = kRpcInvalidRequest, .message = why, .data = {}, .id = nullptr}));
    }
    Finish(ResultOf(end, why));
  }

  // The first failure counts; it may come after the client's regular goodbye.
  void Finish(Result<void> result) {
    if (!end_ || *end_) end_ = std::move(result);
    changes_.NotifyAll();
  }

  Task<void> EndCalls() {
    if (*end_) co_await server_.WaitIdle(ctx_.WithTimeout(grace_));
    co_await server_.Stop();
  }

  CallContext ctx_;
  Duration grace_;
  Notifier changes_;
  std::optional<Result<void>> end_;
  MessagePipe pipe_;
  McpServer server_;
};

}  // namespace

Result<StdioEnds> TakeStdio() {
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
  if (!IsOpen(ends.in)) co_return CannotUse("input");
  if (!IsOpen(ends.out)) co_return CannotUse("output");
  Conversation conversation(ctx, std::move(setup), std::move(ends), limits);
  co_return co_await conversation.Run();
}

}  // namespace falconer::api
