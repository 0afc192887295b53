#include "app/approvals/webhook_channel.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "base/timed_signature.h"
#include "model/url.h"
#include "net/https_client.h"

namespace falconer::app {
namespace {

constexpr std::size_t kLongestReply = 64 << 10;
constexpr std::string_view kHere[] = {"127.0.0.1", "localhost", "[::1]"};

bool IsHere(std::string_view host) {
  return std::ranges::find(kHere, host) != std::end(kHere);
}

Task<Result<net::HttpReply>> SendAnyHttp(CallContext ctx, net::HttpCall call) {
  return net::SendWeb(std::move(ctx), std::move(call));
}

// What only means something inside stays inside.
json::object ToldOf(json::object approval) {
  for (const std::string_view inner : {"call", "owner"}) approval.erase(inner);
  return approval;
}

bool IsWorthAnotherTry(int status) {
  return status >= 500 || status == 408 || status == 425 || status == 429;
}

std::unexpected<Error> BadWebhook(std::string_view setting, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidSetting, fmt::format("{}: {}", setting, why),
                               {{"setting", setting}}));
}

}  // namespace

Result<std::optional<WebhookConfig>> WebhookFrom(const Settings& settings) {
  const std::string& url = settings.approvals.webhook;
  if (url.empty()) return std::optional<WebhookConfig>();
  const model::UrlParts parts = model::SplitUrl(url);
  const bool is_safe = parts.scheme == "https" || (parts.scheme == "http" && IsHere(parts.host));
  if (!is_safe || !model::CheckWebUrl(url)) {
    return BadWebhook("approvals.webhook", "expected an https address, or http to this machine");
  }
  if (settings.approvals.webhook_secret.empty()) {
    return BadWebhook("approvals.webhook_secret", "is needed with approvals.webhook");
  }
  return WebhookConfig{.url = url, .secret = settings.approvals.webhook_secret};
}

std::string WebhookSignature(std::string_view secret, WallTime now, std::string_view body) {
  return TimedSignature(secret, now, body);
}

WebhookChannel::WebhookChannel(Executor executor, Clock& clock, WebhookConfig config, Send send)
    : executor_(std::move(executor)),
      clock_(clock),
      config_(std::move(config)),
      send_(send ? std::move(send) : SendAnyHttp),
      tasks_(executor_) {
}

void WebhookChannel::Announce(const model::ApprovalRequest& request) {
  Post({{"event", "approval.requested"}, {"approval", ToldOf(request.ToJson())}});
}

void WebhookChannel::Ended(const model::ApprovalRecord& record) {
  Post({{"event", "approval.ended"}, {"approval", ToldOf(record.ToJson())}});
}

void WebhookChannel::Post(json::object body) {
  if (on_their_way_ >= config_.most) {
    ++failed_;
    LOG(warn, "webhook.dropped", {"on_their_way", on_their_way_});
    return;
  }
  ++on_their_way_;
  body["delivery"] = RandomId();
  tasks_.Spawn("webhook", Deliver(this, json::serialize(body)));
}

Task<void> WebhookChannel::Deliver(WebhookChannel* self, std::string body) {
  const CallContext ctx =
      CallContext(self->executor_, self->clock_).WithCancel(self->stopping_.token());
  Result<bool> arrived = co_await self->TryOnce(body);
  for (const Duration pause : self->config_.pauses) {
    if (arrived) break;
    Alarm alarm(self->executor_, self->clock_);
    (void)co_await ctx.WithTimeout(pause).Wait(&alarm, "the next try");
    if (ctx.cancel().is_cancelled()) break;
    arrived = co_await self->TryOnce(body);
  }
  const bool is_there = arrived && *arrived;
  ++(is_there ? self->delivered_ : self->failed_);
  if (!arrived) LOG(warn, "webhook.not_delivered", {"why", Describe(arrived.error())});
  --self->on_their_way_;
  self->changes_.NotifyAll();
}

// Signed anew each time: who checks refuses signatures that are old.
Task<Result<bool>> WebhookChannel::TryOnce(std::string body) {
  const CallContext ctx =
      CallContext(executor_, clock_).WithCancel(stopping_.token()).WithTimeout(config_.timeout);
  net::HttpCall call{.url = config_.url, .method = "POST", .max_reply_bytes = kLongestReply};
  call.headers.Set("Content-Type", "application/json");
  call.headers.Set("User-Agent", "falconer");
  call.headers.Set(std::string(kSignatureHeader),
                   WebhookSignature(config_.secret, clock_.WallNow(), body));
  call.body = std::move(body);
  CO_TRY_ASSIGN(const net::HttpReply reply, co_await send_(ctx, std::move(call)));
  if (reply.status >= 200 && reply.status < 300) co_return true;
  if (IsWorthAnotherTry(reply.status)) {
    co_return Fail(ErrorCode::kNetworkError, fmt::format("status {}", reply.status));
  }
  LOG(warn, "webhook.refused", {"status", reply.status});
  co_return false;
}

Task<void> WebhookChannel::Stop(CallContext ctx) {
  (void)co_await changes_.Until(std::move(ctx), [this] { return on_their_way_ == 0; }, "webhooks");
  stopping_.Cancel(Error(ErrorCode::kCancelled, "the program is stopping"));
  co_await tasks_.Join();
}

}  // namespace falconer::app
