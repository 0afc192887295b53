#include "model/turn/trace_context.h"

#include <fmt/format.h>

#include "base/hex.h"
#include "base/random.h"
#include "base/sha256.h"

namespace falconer::model {
namespace {

// 2 + 1 + 32 + 1 + 16 + 1 + 2
constexpr std::size_t kLength = 55;
constexpr std::size_t kTraceBytes = 16;
constexpr std::size_t kSpanBytes = 8;

bool IsZero(std::string_view text) {
  return text.find_first_not_of('0') == text.npos;
}

std::unexpected<Error> RefuseTrace(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("traceparent: {}", why));
}

// Random digits are zero once in the age of the universe; the standard forbids it all the same.
std::string NewId(std::size_t bytes) {
  std::string id = RandomHex(bytes);
  if (IsZero(id)) id.back() = '1';
  return id;
}

// The same digits for the same id.
std::string IdFrom(std::size_t bytes, std::string_view use, std::string_view id) {
  std::string digits = Sha256Hex(fmt::format("{}\n{}", use, id)).substr(0, 2 * bytes);
  if (IsZero(digits)) digits.back() = '1';
  return digits;
}

Result<void> CheckShape(std::string_view text) {
  if (text.size() < kLength) return RefuseTrace("is too short");
  if (text[2] != '-' || text[35] != '-' || text[52] != '-') return RefuseTrace("lacks a dash");
  const std::string_view version = text.substr(0, 2);
  if (!IsHex(version) || version == "ff") return RefuseTrace("has an invalid version");
  const bool has_more = text.size() > kLength;
  if (has_more && (version == "00" || text[kLength] != '-')) return RefuseTrace("is too long");
  return {};
}

}  // namespace

TraceContext TraceContext::NewRoot(TraceSampling sampling) {
  return {.trace_id = NewId(kTraceBytes), .span_id = NewId(kSpanBytes), .sampling = sampling};
}

TraceContext TraceContext::Child() const {
  return {.trace_id = trace_id, .span_id = NewId(kSpanBytes), .sampling = sampling};
}

std::string TraceContext::Traceparent() const {
  return fmt::format("00-{}-{}-{}", trace_id, span_id,
                     sampling == TraceSampling::kSampled ? "01" : "00");
}

TraceContext TraceOf(std::string_view id, std::string_view traceparent) {
  const auto given = ParseTraceparent(traceparent);
  return {.trace_id = given ? given->trace_id : IdFrom(kTraceBytes, "falconer.trace.v1", id),
          .span_id = IdFrom(kSpanBytes, "falconer.span.v1", id),
          .sampling = given ? given->sampling : TraceSampling::kSampled};
}

std::string PartSpanId(std::string_view whole, std::string_view part) {
  return IdFrom(kSpanBytes, fmt::format("falconer.part.v1 {}", whole), part);
}

Result<TraceContext> ParseTraceparent(std::string_view text) {
  TRY(CheckShape(text));
  const std::string_view trace = text.substr(3, 32);
  const std::string_view span = text.substr(36, 16);
  const std::string_view flags = text.substr(53, 2);
  if (!IsHex(trace) || IsZero(trace)) return RefuseTrace("has an invalid trace id");
  if (!IsHex(span) || IsZero(span)) return RefuseTrace("has an invalid parent id");
  if (!IsHex(flags)) return RefuseTrace("has invalid flags");
  // The lowest bit of the last digit is "sampled"; other flags are not ours to pass on.
  const bool is_sampled = std::string_view("13579bdf").contains(flags[1]);
  return TraceContext{
      .trace_id = std::string(trace),
      .span_id = std::string(span),
      .sampling = is_sampled ? TraceSampling::kSampled : TraceSampling::kNotSampled};
}

}  // namespace falconer::model
