#pragma once
// OtlpExporter: sends the spans of turns to a collector (OTLP over HTTP, JSON). It has a thread and
// an event loop of its own, so that no turn waits for it, whatever the collector does.

#include <memory>

#include "app/telemetry/otlp_sender.h"

namespace falconer::app {

class OtlpExporter final : public engine::SpanSink {
 public:
  // kIoError when there is no thread to be had.
  static Result<std::unique_ptr<OtlpExporter>> Start(OtlpConfig config, OtlpParts parts);
  // Sends what waits, for config.flush at most. What was lost is logged as a number.
  ~OtlpExporter() override;
  OtlpExporter(const OtlpExporter&) = delete;
  OtlpExporter& operator=(const OtlpExporter&) = delete;

  // Leaves traces that are not of the sample.
  void Take(std::vector<model::Span> spans) override;
  engine::ExportMeter meter() const override;

 private:
  class Works;
  explicit OtlpExporter(std::unique_ptr<Works> works);
  std::unique_ptr<Works> works_;
};

}  // namespace falconer::app
