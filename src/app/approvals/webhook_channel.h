#pragma once
// WebhookChannel: tells an address of the operator's what waits for an approval and how it ended:
// one POST each, with a JSON body and a signature. It never blocks a turn: what cannot be delivered
// after a few tries is logged.

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/settings/settings.h"
#include "engine/approvals/approval_channel.h"
#include "net/http_client.h"

namespace falconer::app {

struct WebhookConfig {
  std::string url;
  std::string secret;
  // How long to wait before each further try.
  std::vector<Duration> pauses = {std::chrono::milliseconds(500), std::chrono::seconds(2),
                                  std::chrono::seconds(8)};
  Duration timeout = std::chrono::seconds(10);
  // Most messages on their way; more are dropped.
  std::size_t most = 64;
};

// Nothing when there is none. kInvalidSetting for an address that is neither https nor http to this
// machine, or without a secret.
Result<std::optional<WebhookConfig>> WebhookFrom(const Settings& settings);

// "t=1700000000,v1=<hex>": HMAC-SHA256 of "<t>.<body>".
std::string WebhookSignature(std::string_view secret, WallTime now, std::string_view body);
inline constexpr std::string_view kSignatureHeader = "X-Falconer-Signature";

class WebhookChannel final : public engine::ApprovalChannel {
 public:
  using Send = std::function<Task<Result<net::HttpReply>>(CallContext ctx, net::HttpCall call)>;

  // The clock must outlive this. `send` is for tests; by default http and https, with certificates
  // checked.
  WebhookChannel(Executor executor, Clock& clock, WebhookConfig config, Send send = nullptr);

  void Announce(const model::ApprovalRequest& request) override;
  void Ended(const model::ApprovalRecord& record) override;
  // Waits for what is on its way, for as long as `ctx` lasts.
  Task<void> Stop(CallContext ctx);

  std::size_t delivered() const { return delivered_; }
  std::size_t failed() const { return failed_; }

 private:
  void Post(json::object body);
  static Task<void> Deliver(WebhookChannel* self, std::string body);
  // True when it arrived, false when another try makes no sense; an error when it may.
  Task<Result<bool>> TryOnce(std::string body);

  Executor executor_;
  Clock& clock_;
  WebhookConfig config_;
  Send send_;
  CancelSource stopping_;
  std::size_t on_their_way_ = 0;
  std::size_t delivered_ = 0;
  std::size_t failed_ = 0;
  Notifier changes_;
  TaskScope tasks_;
};

}  // namespace falconer::app
