#include "app/telemetry/otlp_exporter.h"

#include <system_error>
#include <thread>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "base/log.h"

namespace falconer::app {

namespace asio = boost::asio;

class OtlpExporter::Works {
 public:
  Works(OtlpConfig config, OtlpParts parts)
      : config_(std::move(config)),
        parts_(std::move(parts)),
        queue_(config_.queue),
        sender_(io_.get_executor(), clock_, config_, parts_, queue_),
        sending_(io_.get_executor()),
        work_(io_.get_executor()) {}
  // NOLINTNEXTLINE(bugprone-exception-escape): only when memory runs out
  ~Works() { Stop(); }
  Works(const Works&) = delete;
  Works& operator=(const Works&) = delete;

  Result<void> Start() {
    sending_.Spawn("otlp.send", Send(this));
    try {
      thread_ = std::thread([this] { io_.run(); });
    } catch (const std::system_error& failure) {
      return Fail(ErrorCode::kIoError,
                  std::string("no thread for the export of spans: ") + failure.what());
    }
    return {};
  }

  void Take(std::vector<model::Span> spans) {
    if (spans.empty() || !IsSampled(spans.front().trace_id, config_.sample_ratio)) return;
    if (queue_.Put(std::move(spans), clock_.Now())) asio::post(io_, [this] { sender_.Wake(); });
  }

  engine::ExportMeter meter() const { return queue_.meter(clock_.Now()); }

 private:
  static Task<void> Send(Works* self) {
    co_await self->sender_.Run();
    self->io_.stop();
  }

  void Stop() {
    if (!thread_.joinable()) return;
    asio::post(io_, [this] { sender_.Finish(); });
    thread_.join();
    const engine::ExportMeter told = meter();
    if (told.dropped + told.failures == 0) return;
    LOG(warn, "otlp.lost", {"dropped", told.dropped}, {"failed", told.failures},
        {"exported", told.exported});
  }

  const OtlpConfig config_;
  const OtlpParts parts_;
  SystemClock clock_;
  asio::io_context io_{1};
  SpanQueue queue_;
  OtlpSender sender_;
  TaskScope sending_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

OtlpExporter::OtlpExporter(std::unique_ptr<Works> works) : works_(std::move(works)) {
}

OtlpExporter::~OtlpExporter() = default;

Result<std::unique_ptr<OtlpExporter>> OtlpExporter::Start(OtlpConfig config, OtlpParts parts) {
  auto works = std::make_unique<Works>(std::move(config), std::move(parts));
  TRY(works->Start());
  return std::unique_ptr<OtlpExporter>(new OtlpExporter(std::move(works)));
}

void OtlpExporter::Take(std::vector<model::Span> spans) {
  works_->Take(std::move(spans));
}

engine::ExportMeter OtlpExporter::meter() const {
  return works_->meter();
}

}  // namespace falconer::app
