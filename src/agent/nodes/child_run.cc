#include "agent/nodes/child_run.h"

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <utility>

#include <boost/json/value_from.hpp>

#include "agent/nodes/child_process.h"
#include "agent/nodes/fd_reader.h"
#include "agent/nodes/fd_writer.h"
#include "base/async/notifier.h"

namespace falconer::agent {
namespace {

constexpr std::chrono::milliseconds kNoGrace{0};
// A child that failed with so much of its memory in use failed for want of more.
constexpr double kNearlyAll = 0.9;

bool IsShortOfMemory(const ChildExit& exit, const ChildLimits& limits) {
  const auto peak = static_cast<double>(exit.peak_memory_bytes);
  return exit.is_out_of_memory || peak >= kNearlyAll * static_cast<double>(limits.memory_bytes);
}

bool IsShortOfTime(const ChildExit& exit, const ChildLimits& limits) {
  const int signal = WTERMSIG(exit.status);
  const bool is_over =
      limits.cpu_seconds > 0 && exit.cpu_time >= std::chrono::seconds(limits.cpu_seconds);
  return signal == SIGXCPU || (signal == SIGKILL && is_over);
}

std::string MegabytesOf(std::int64_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

// What a child that ended by itself exceeded, if anything.
Result<void> JudgeExit(const ChildExit& exit, const ChildLimits& limits) {
  const bool has_failed = exit.status != 0;
  if (has_failed && IsShortOfMemory(exit, limits))
    return Fail(ErrorCode::kBudgetExceeded,
                "the child needs more memory than " + MegabytesOf(limits.memory_bytes));
  if (!WIFSIGNALED(exit.status)) return {};
  if (IsShortOfTime(exit, limits))
    return Fail(ErrorCode::kBudgetExceeded, "the child needs more time of the processor than " +
                                                std::to_string(limits.cpu_seconds) + " s");
  const int signal = WTERMSIG(exit.status);
  if (signal == SIGXFSZ)
    return Fail(ErrorCode::kBudgetExceeded, "the child writes files larger than " +
                                                std::to_string(limits.output_bytes) + " bytes");
  const char* name = ::sigabbrev_np(signal);
  return Fail(ErrorCode::kExecutionError, "the child was ended by signal " +
                                              std::to_string(signal) + " (" +
                                              (name == nullptr ? "?" : name) + ")");
}

std::unexpected<Error> WithFacts(const Error& error, const ChildEnd& end) {
  return Fail(Error(error.code(), error.message(), ChildFacts(end)));
}

ChildEnd EndOf(const ChildProcess& child, std::string output) {
  const ChildExit& exit = child.exit().value();
  return {.exit_code = WIFEXITED(exit.status) ? WEXITSTATUS(exit.status) : 0,
          .output = std::move(output),
          .errors = child.last_errors(),
          .cpu_time = exit.cpu_time,
          .peak_memory_bytes = exit.peak_memory_bytes,
          .bounds = child.bounds()};
}

std::unexpected<Error> TookTooLong(const ChildLimits& limits) {
  return Fail(ErrorCode::kToolTimeout,
              "the child took longer than " + std::to_string(limits.timeout.count()) + " ms");
}

std::unexpected<Error> SaidTooMuch(const ChildLimits& limits) {
  return Fail(ErrorCode::kBudgetExceeded,
              "the child says more than " + std::to_string(limits.output_bytes) + " bytes");
}

// One run, from its start to its end.
class ChildRun {
 public:
  ChildRun(const CallContext& ctx, ChildSpec spec)
      : ctx_(ctx), in_time_(ctx.WithTimeout(spec.limits.timeout)), spec_(std::move(spec)) {}

  Task<Result<ChildEnd>> Go() {
    auto child = co_await ChildProcess::Start(in_time_, &spec_);
    if (!child) co_return Fail(WhyOver(child.error()));
    child_ = std::move(*child);
    const FdWriter writer(ctx_.executor(), child_->TakeInput(), std::move(spec_.input));
    FdReader reader(ctx_.executor(), child_->TakeOutput(),
                    {.most = static_cast<std::size_t>(spec_.limits.output_bytes)},
                    [this] { changed_.NotifyAll(); });
    const Result<void> ran = co_await UntilOver(&reader);
    co_return Judge(ran, reader);
  }

 private:
  // The child has ended when this returns. Fails when it had to be ended.
  Task<Result<void>> UntilOver(FdReader* reader) {
    const Subscription exit = child_->OnExit([this] { changed_.NotifyAll(); });
    const Result<void> ran = co_await changed_.Until(
        in_time_, [&] { return child_->exit().has_value() || reader->is_over_limit(); }, "a child");
    if (!child_->exit()) co_await child_->End(ctx_, ran ? kNoGrace : spec_.limits.grace);
    reader->Drain();
    if (!ran) co_return Fail(WhyOver(ran.error()));
    if (reader->is_over_limit()) co_return SaidTooMuch(spec_.limits);
    co_return ran;
  }

  // The reason of ctx, or that its own time is over.
  Error WhyOver(const Error& failed) const {
    const Result<void> wanted = ctx_.StillWanted("a child");
    if (!wanted) return wanted.error();
    return failed.code() == ErrorCode::kTimeout ? TookTooLong(spec_.limits).error() : failed;
  }

  Result<ChildEnd> Judge(const Result<void>& ran, const FdReader& reader) const {
    ChildEnd end = EndOf(*child_, reader.text());
    if (!ran) return WithFacts(ran.error(), end);
    const Result<void> judged = JudgeExit(child_->exit().value(), spec_.limits);
    if (!judged) return WithFacts(judged.error(), end);
    return end;
  }

  CallContext ctx_;
  CallContext in_time_;
  ChildSpec spec_;
  std::unique_ptr<ChildProcess> child_;
  Notifier changed_;
};

}  // namespace

Task<Result<ChildEnd>> RunChild(CallContext ctx, ChildSpec spec) {
  ChildRun run(ctx, std::move(spec));
  co_return co_await run.Go();
}

json::object ChildFacts(const ChildEnd& end) {
  json::object facts{{"cpu_ms", end.cpu_time.count()},
                     {"memory_bytes", end.peak_memory_bytes},
                     {"bounds", json::value_from(end.bounds)}};
  if (!end.errors.empty()) facts["errors"] = end.errors;
  return facts;
}

}  // namespace falconer::agent
