#include "app/telemetry/otlp_sender.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/text.h"

namespace falconer::app {
namespace {

constexpr std::size_t kLongestAnswer = 64 << 10;

// Those that OTLP says are worth another try.
constexpr int kBusyStatuses[] = {429, 502, 503, 504};

// In seconds; that it may be a date as well hardly anybody knows.
std::optional<Duration> RetryAfter(const net::HttpReply& reply) {
  const auto said = reply.headers.Find("Retry-After");
  const auto seconds = said ? ParseWhole<std::uint32_t>(Trim(*said)) : std::nullopt;
  if (!seconds) return std::nullopt;
  return std::chrono::seconds(*seconds);
}

}  // namespace

OtlpSender::OtlpSender(Executor executor, Clock& clock, const OtlpConfig& config,
                       const OtlpParts& parts, SpanQueue& queue)
    : ctx_(CallContext(executor, clock).WithCancel(given_up_.token())),
      config_(config),
      parts_(parts),
      queue_(queue),
      tasks_(std::move(executor)) {
}

Task<void> OtlpSender::Run() {
  for (;;) {
    co_await Gather();
    auto batch = queue_.Next(config_.batch);
    if (batch.empty() && is_finishing_) break;
    if (!batch.empty()) co_await Deliver(std::move(batch));
  }
  co_await tasks_.Stop();
}

Task<void> OtlpSender::Gather() {
  (void)co_await changed_.Until(
      ctx_, [this] { return is_finishing_ || queue_.size() > 0; }, "spans");
  (void)co_await changed_.Until(
      ctx_.WithTimeout(config_.gather),
      [this] { return is_finishing_ || queue_.size() >= config_.batch; }, "more spans");
}

void OtlpSender::Finish() {
  if (is_finishing_) return;
  is_finishing_ = true;
  tasks_.Spawn("otlp.flush", GiveUp(this));
  changed_.NotifyAll();
}

Task<void> OtlpSender::GiveUp(OtlpSender* self) {
  Alarm never(self->ctx_.executor(), self->ctx_.clock());
  co_await never.Wait(Deadline::At(self->ctx_.clock().Now() + self->config_.flush));
  self->given_up_.Cancel(Error(ErrorCode::kCancelled, "the program ends"));
}

Task<void> OtlpSender::Deliver(std::vector<model::Span> batch) {
  for (model::Span& span : batch) {
    if (parts_.filter) parts_.filter(span.attributes);
  }
  const std::string body = OtlpTraces(parts_.resource, batch);
  for (std::size_t tries = 1;; ++tries) {
    const bool is_last = is_finishing_;
    const Tried tried = co_await TryOnce(body);
    const std::size_t rejected = std::min(tried.rejected, batch.size());
    if (tried.end == End::kTaken) co_return queue_.Done(batch.size() - rejected, rejected);
    const bool may_go_on = tried.end == End::kLater && !is_last;
    if (may_go_on && co_await Rest(tries, tried.pause)) {
      queue_.NoteRetry();
      continue;
    }
    LOG(warn, "otlp.not_delivered", {"spans", batch.size()}, {"tries", tries}, {"why", tried.why});
    co_return queue_.Done(0, batch.size());
  }
}

Task<bool> OtlpSender::Rest(std::size_t tries, std::optional<Duration> asked) {
  if (tries > config_.pauses.size()) co_return false;
  const Duration wish = std::max(config_.pauses[tries - 1], asked.value_or(Duration::zero()));
  (void)co_await changed_.Until(
      ctx_.WithTimeout(std::min(wish, config_.longest_pause)), [this] { return is_finishing_; },
      "the next try");
  co_return !ctx_.cancel().is_cancelled();
}

Task<OtlpSender::Tried> OtlpSender::TryOnce(std::string body) {
  const CallContext ctx = ctx_.WithTimeout(config_.timeout);
  auto headers = co_await Headers(ctx);
  if (!headers) co_return Tried{.why = Describe(headers.error())};
  net::HttpCall call{.url = config_.url,
                     .method = "POST",
                     .headers = *std::move(headers),
                     .body = std::move(body),
                     .max_reply_bytes = kLongestAnswer};
  const auto reply = co_await net::SendWeb(ctx, std::move(call), config_.trust);
  if (!reply) co_return Tried{.why = Describe(reply.error())};
  co_return Judge(*reply);
}

OtlpSender::Tried OtlpSender::Judge(const net::HttpReply& reply) {
  if (reply.status >= 200 && reply.status < 300)
    return {.end = End::kTaken, .rejected = RejectedSpans(reply.body)};
  // A secret may have been changed since.
  if (reply.status == 401 || reply.status == 403) headers_.reset();
  const bool is_busy = std::ranges::find(kBusyStatuses, reply.status) != std::end(kBusyStatuses);
  return {.end = is_busy ? End::kLater : End::kRefused,
          .pause = RetryAfter(reply),
          .why = "status " + std::to_string(reply.status)};
}

Task<Result<net::HttpHeaders>> OtlpSender::Headers(CallContext ctx) {
  if (headers_) co_return *headers_;
  net::HttpHeaders headers{{"Content-Type", "application/json"}, {"User-Agent", "falconer"}};
  for (const OtlpHeader& header : config_.headers) {
    std::string value;
    for (const OtlpHeader::Piece& piece : header.value) {
      value += piece.text;
      if (!piece.secret) continue;
      CO_TRY_ASSIGN(const std::string secret, co_await parts_.reveal(ctx, *piece.secret));
      value += secret;
    }
    headers.Set(header.name, std::move(value));
  }
  headers_ = headers;
  co_return headers;
}

}  // namespace falconer::app
