#pragma once
// Spans in the JSON form of OTLP (OpenTelemetry protocol): ids in hex, times and whole numbers as
// texts.

#include <functional>
#include <string>
#include <vector>

#include "model/turn/span.h"

namespace falconer::app {

// Who tells of them.
struct OtlpResource {
  std::string version;
  std::string instance;  // of this process alone
};

// The body of an export request.
std::string OtlpTraces(const OtlpResource& resource, const std::vector<model::Span>& spans);

// How many of them the collector says it did not take (partialSuccess); 0 when it says nothing.
std::size_t RejectedSpans(std::string_view reply);

}  // namespace falconer::app
