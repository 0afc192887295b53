#include "engine/turn_spans.h"

#include <fmt/format.h>
#include <map>
#include <utility>

namespace falconer::engine {
namespace {

using model::Span;
using model::SpanKind;

// Moments of one clock as times of the wall.
class WallTimes {
 public:
  explicit WallTimes(const Clock& clock) : now_(clock.Now()), wall_(clock.WallNow()) {}
  WallTime At(TimePoint moment) const {
    return wall_ - std::chrono::duration_cast<WallTime::duration>(now_ - moment);
  }

 private:
  TimePoint now_;
  WallTime wall_;
};

Span TurnSpan(const EndedContract& contract, const WallTimes& wall) {
  return {.trace_id = contract.trace.trace_id,
          .span_id = contract.trace.span_id,
          .parent_id = contract.parent_id,
          .name = "turn",
          .kind = SpanKind::kServer,
          .begin = wall.At(contract.began),
          .end = wall.At(contract.ended),
          .attributes = contract.attributes,
          .failure = contract.failure};
}

// Attempts have a name that says which one they are, phases one that says whose they are.
std::string NameOf(const TurnTimeline::Part& part) {
  return part.of == TurnTimeline::Of::kAttempt ? fmt::format("browser.{}", part.name)
                                               : std::string(part.name);
}

Span PartSpan(const Span& turn, const TurnTimeline::Part& part, const WallTimes& wall) {
  const bool is_browser = part.of == TurnTimeline::Of::kAttempt || part.name == kBrowserSession;
  Span span{.trace_id = turn.trace_id,
            .span_id = {},
            .parent_id = turn.span_id,
            .name = NameOf(part),
            .kind = is_browser ? SpanKind::kClient : SpanKind::kInternal,
            .begin = wall.At(part.begin),
            .end = wall.At(part.end),
            .attributes = {},
            .failure = part.failure};
  if (part.attempt > 0) span.attributes["falconer.attempt"] = part.attempt;
  return span;
}

}  // namespace

std::vector<Span> SpansOf(const EndedContract& contract, const TurnTimeline& timeline,
                          const Clock& clock) {
  const WallTimes wall(clock);
  std::vector<Span> spans = {TurnSpan(contract, wall)};
  const std::string turn = spans.front().span_id;
  std::map<int, std::string> attempts;
  for (const TurnTimeline::Part& part : timeline.parts()) {
    if (part.name == TurnTimeline::kAttempt)
      attempts[part.attempt] = model::PartSpanId(turn, fmt::format("attempt {}", part.attempt));
  }
  for (std::size_t i = 0; i < timeline.parts().size(); ++i) {
    const TurnTimeline::Part& part = timeline.parts()[i];
    Span span = PartSpan(spans.front(), part, wall);
    const auto attempt = attempts.find(part.attempt);
    const bool is_attempt = part.name == TurnTimeline::kAttempt;
    span.span_id =
        is_attempt ? attempt->second : model::PartSpanId(turn, fmt::format("part {}", i));
    if (!is_attempt && attempt != attempts.end()) span.parent_id = attempt->second;
    spans.push_back(std::move(span));
  }
  return spans;
}

}  // namespace falconer::engine
