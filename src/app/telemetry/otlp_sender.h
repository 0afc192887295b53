#pragma once
// OtlpSender: takes spans from their queue and posts them to a collector, batch by batch. What the
// collector has no time for is tried again, later each time; what it refuses is not. On one event
// loop.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/telemetry/otlp_json.h"
#include "app/telemetry/otlp_settings.h"
#include "app/telemetry/span_queue.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"

namespace falconer::app {

// What the exporter needs of others. Called on the exporter's thread.
struct OtlpParts {
  OtlpResource resource;
  // Takes out of a span's attributes what must not be shown.
  std::function<void(json::object& attributes)> filter;
  // The value of a secret for the collector.
  std::function<Task<Result<std::string>>(CallContext ctx, policy::SecretReference reference)>
      reveal;
};

class OtlpSender {
 public:
  // What is referred to must outlive it.
  OtlpSender(Executor executor, Clock& clock, const OtlpConfig& config, const OtlpParts& parts,
             SpanQueue& queue);

  // Sends until it is told to finish, and then what is left.
  Task<void> Run();
  // There is something in the queue.
  void Wake() { changed_.NotifyAll(); }
  // Nothing more comes: every batch that is left gets one try, and all of them config.flush.
  void Finish();

 private:
  enum class End : std::uint8_t { kTaken, kRefused, kLater };
  // What a try came to.
  struct Tried {
    End end = End::kLater;
    std::size_t rejected = 0;            // of what was taken
    std::optional<Duration> pause = {};  // that the collector asks for
    std::string why = {};
  };

  Task<void> Gather();
  Task<void> Deliver(std::vector<model::Span> batch);
  Task<Tried> TryOnce(std::string body);
  Task<Result<net::HttpHeaders>> Headers(CallContext ctx);
  Tried Judge(const net::HttpReply& reply);
  // Before the try after `tries`; false when there is to be none.
  Task<bool> Rest(std::size_t tries, std::optional<Duration> asked);
  static Task<void> GiveUp(OtlpSender* self);

  CancelSource given_up_;
  CallContext ctx_;
  const OtlpConfig& config_;
  const OtlpParts& parts_;
  SpanQueue& queue_;
  bool is_finishing_ = false;
  // With the values of their secrets; none until they were looked up.
  std::optional<net::HttpHeaders> headers_;
  Notifier changed_;
  TaskScope tasks_;
};

}  // namespace falconer::app
