#include "engine/turn_spans.h"

#include <map>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::engine {
namespace {

using namespace std::chrono_literals;
using model::Span;

// One that fails in its first attempt and succeeds in the second.
struct TwoAttempts {
  TwoAttempts() {
    const TimePoint start = clock.Now();
    contract = {.trace = model::TraceOf("s1.t000001", ""),
                .began = start,
                .ended = start + 90ms,
                .attributes = {{"falconer.turn_id", "s1.t000001"}}};
    timeline.Note({.name = "admission", .begin = start, .end = start + 5ms});
    timeline.Note({.name = "execute",
                   .begin = start + 10ms,
                   .end = start + 20ms,
                   .of = TurnTimeline::Of::kAttempt,
                   .attempt = 1});
    timeline.Note({.name = TurnTimeline::kAttempt,
                   .begin = start + 10ms,
                   .end = start + 25ms,
                   .attempt = 1,
                   .failure = ErrorCode::kElementNotFound});
    timeline.Note(
        {.name = TurnTimeline::kAttempt, .begin = start + 40ms, .end = start + 80ms, .attempt = 2});
    timeline.Note({.name = "project",
                   .begin = start + 80ms,
                   .end = start + 85ms,
                   .of = TurnTimeline::Of::kAttempt});
    clock.Advance(90ms);
  }
  FakeClock clock;
  EndedContract contract;
  TurnTimeline timeline;
};

TEST(TurnSpansTest, PutsPhasesIntoTheirAttempts) {
  TwoAttempts told;
  const auto spans = SpansOf(told.contract, told.timeline, told.clock);

  ASSERT_EQ(spans.size(), 6U);
  const Span& turn = spans[0];
  EXPECT_EQ(turn.name, "turn");
  EXPECT_EQ(turn.parent_id, "");
  EXPECT_EQ(turn.end, told.clock.WallNow());
  EXPECT_EQ(turn.end - turn.begin, 90ms);
  EXPECT_EQ(turn.attributes.at("falconer.turn_id").as_string(), "s1.t000001");
  EXPECT_EQ(spans[1].name, "admission");
  EXPECT_EQ(spans[2].name, "browser.execute");
  EXPECT_EQ(spans[2].kind, model::SpanKind::kClient);
  EXPECT_EQ(spans[2].parent_id, spans[3].span_id);
  EXPECT_EQ(spans[3].name, "attempt");
  EXPECT_EQ(spans[3].failure, ErrorCode::kElementNotFound);
  EXPECT_EQ(spans[3].begin - turn.begin, 10ms);
  EXPECT_EQ(spans[4].attributes.at("falconer.attempt").as_int64(), 2);
  EXPECT_FALSE(spans[4].failure);
  for (const std::size_t i : {1U, 3U, 4U, 5U}) EXPECT_EQ(spans[i].parent_id, turn.span_id) << i;
  std::map<std::string, int> ids;
  for (const Span& span : spans) {
    EXPECT_EQ(span.trace_id, turn.trace_id);
    EXPECT_EQ(++ids[span.span_id], 1) << span.name;
  }
}

TEST(TurnSpansTest, BelongsToTheSpanOfItsCaller) {
  TwoAttempts told;
  told.contract.parent_id = "00f067aa0ba902b7";
  const auto spans = SpansOf(told.contract, told.timeline, told.clock);

  EXPECT_EQ(spans[0].parent_id, "00f067aa0ba902b7");
}

TEST(TurnTimelineTest, HoldsABoundedNumberOfParts) {
  TurnTimeline timeline;
  for (std::size_t i = 0; i < 2 * TurnTimeline::kMostParts; ++i) timeline.Note({.name = "wait"});

  EXPECT_EQ(timeline.parts().size(), TurnTimeline::kMostParts);
}

}  // namespace
}  // namespace falconer::engine
