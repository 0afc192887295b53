#include "model/turn/trace_context.h"

#include <gtest/gtest.h>

#include "base/sha256.h"

namespace falconer::model {
namespace {

constexpr std::string_view kExample = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceContextTest, ReadsAndWritesTheExampleOfTheStandard) {
  const auto read = ParseTraceparent(kExample);

  ASSERT_TRUE(read) << Describe(read.error());
  EXPECT_EQ(read->trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(read->span_id, "00f067aa0ba902b7");
  EXPECT_EQ(read->sampling, TraceSampling::kSampled);
  EXPECT_EQ(read->Traceparent(), kExample);
}

TEST(TraceContextTest, AChildKeepsTheTraceAndGetsItsOwnSpan) {
  const TraceContext root = TraceContext::NewRoot(TraceSampling::kNotSampled);
  const TraceContext child = root.Child();

  EXPECT_EQ(child.trace_id, root.trace_id);
  EXPECT_NE(child.span_id, root.span_id);
  EXPECT_TRUE(ParseTraceparent(child.Traceparent()));
  EXPECT_TRUE(root.Traceparent().ends_with("-00"));
}

TEST(TraceContextTest, ReadsLaterVersionsByTheirFirstParts) {
  EXPECT_TRUE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
  EXPECT_TRUE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what"));
  EXPECT_FALSE(ParseTraceparent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what"));
}

TEST(TraceContextTest, RefusesEverythingElse) {
  for (const char* text : {
           "",
           "00",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
           "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
           "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
           "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
           " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
       }) {
    EXPECT_FALSE(ParseTraceparent(text)) << text;
  }
}

TEST(TraceContextTest, ATurnJoinsTheTraceOfItsCallerOrBeginsOne) {
  const TraceContext root = TraceContext::NewRoot(TraceSampling::kNotSampled);

  const TraceContext joined = TraceOf("s1.t000001", root.Traceparent());
  const TraceContext own = TraceOf("s1.t000001", "nonsense");

  EXPECT_EQ(joined.trace_id, root.trace_id);
  EXPECT_NE(joined.span_id, root.span_id);
  EXPECT_EQ(joined.sampling, TraceSampling::kNotSampled);
  EXPECT_TRUE(ParseTraceparent(own.Traceparent()));
  EXPECT_EQ(own.sampling, TraceSampling::kSampled);
}

TEST(TraceContextTest, WhoHasTheIdFindsTheTrace) {
  const TraceContext turn = TraceOf("s1.t000001", "");

  EXPECT_EQ(turn, TraceOf("s1.t000001", ""));
  // As docs/operators.md tells people to find it.
  EXPECT_EQ(turn.trace_id, Sha256Hex("falconer.trace.v1\ns1.t000001").substr(0, 32));
  EXPECT_NE(turn.trace_id, TraceOf("s1.t000002", "").trace_id);
  EXPECT_NE(turn.span_id, TraceOf("s1.t000002", "").span_id);
  EXPECT_EQ(PartSpanId(turn.span_id, "attempt 1").size(), 16U);
  EXPECT_NE(PartSpanId(turn.span_id, "attempt 1"), PartSpanId(turn.span_id, "attempt 2"));
}

}  // namespace
}  // namespace falconer::model
