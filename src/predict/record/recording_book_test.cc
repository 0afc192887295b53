#include "predict/record/recording_book.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::predict {
namespace {

const TenantId kAcme("acme");

TEST(RecordingBookTest, WhatIsGivenBackCanBeTakenAgain) {
  FakeClock clock;
  RecordingBook book(clock);
  const browser::SessionKey key{.tenant = kAcme, .workflow = WorkflowId("w1")};
  book.GiveBack({.key = key, .recording = {.id = "rec-1", .workflow = "buy", .steps = {{}}}});

  EXPECT_EQ(book.List(kAcme).size(), 1U);
  EXPECT_FALSE(book.IsRecorded(key)) << "nothing more comes";
  EXPECT_FALSE(book.Take(TenantId("other"), "rec-1"));
  const auto taken = book.Take(kAcme, "rec-1");

  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->key, key);
  EXPECT_EQ(taken->recording.steps.size(), 1U);
  EXPECT_TRUE(book.List(kAcme).empty());
}

}  // namespace
}  // namespace falconer::predict
