#include "model/turn/sequence_guard.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

EventHeader At(std::int64_t transport, std::int64_t runtime) {
  return {.transport_sequence = transport, .runtime_sequence = runtime};
}

TEST(SequenceGuardTest, RefusesWhatDoesNotRiseAndStaysWhereItWas) {
  SequenceGuard guard;
  EXPECT_TRUE(guard.Accept(At(0, 0)));
  EXPECT_TRUE(guard.Accept(At(0, 1))) << "one message may hold several events";
  EXPECT_TRUE(guard.Accept(At(4, 5)));

  const auto repeated = guard.Accept(At(4, 5));
  const auto earlier = guard.Accept(At(4, 3));
  const auto transport = guard.Accept(At(3, 6));

  ASSERT_FALSE(repeated);
  EXPECT_EQ(repeated.error().message(), "event.runtime_sequence: 5 comes after 5");
  EXPECT_FALSE(earlier);
  ASSERT_FALSE(transport);
  EXPECT_TRUE(transport.error().message().contains("transport_sequence"));
  EXPECT_TRUE(guard.Accept(At(4, 6))) << "a refused event must not move the guard";
}

}  // namespace
}  // namespace falconer::model
