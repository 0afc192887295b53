#include "browser/stream/frame_queue.h"

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

std::shared_ptr<const LiveFrame> Numbered(std::uint64_t seq) {
  return MakeLiveFrame({.seq = seq, .taken = {}, .width = 2, .height = 3, .jpeg = "jpeg"});
}

std::uint64_t NextOf(FrameQueue& queue) {
  const auto frame = queue.Take();
  return frame ? frame->seq : 0;
}

TEST(FrameQueueTest, TheOldestGoesWhenItIsFull) {
  FrameQueue queue(3);
  for (std::uint64_t seq = 1; seq <= 5; ++seq) queue.Push(Numbered(seq));

  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(queue.dropped(), 2u);
  EXPECT_EQ(NextOf(queue), 3u);
  EXPECT_EQ(NextOf(queue), 4u);
  EXPECT_EQ(NextOf(queue), 5u);
  EXPECT_EQ(NextOf(queue), 0u);
  EXPECT_EQ(queue.taken(), 3u);
}

TEST(FrameQueueTest, FramesAreSharedNotCopied) {
  FrameQueue one(2);
  FrameQueue other(2);
  const auto frame = Numbered(1);
  one.Push(frame);
  other.Push(frame);
  EXPECT_EQ(one.Take()->bytes.get(), frame->bytes.get());
  EXPECT_EQ(other.Take()->bytes.get(), frame->bytes.get());
}

TEST(FrameQueueTest, WhoSaysHowManyGetsSoMany) {
  FrameQueue queue(5);
  queue.Grant(2);
  for (std::uint64_t seq = 1; seq <= 4; ++seq) queue.Push(Numbered(seq));

  EXPECT_EQ(NextOf(queue), 1u);
  EXPECT_EQ(NextOf(queue), 2u);
  EXPECT_FALSE(queue.has_next());
  EXPECT_EQ(NextOf(queue), 0u) << "no credit is left";
  queue.Grant(1);
  EXPECT_EQ(NextOf(queue), 3u);
  EXPECT_EQ(NextOf(queue), 0u);
}

TEST(FrameQueueTest, WithoutCreditsTheNewestAreKept) {
  FrameQueue queue(2);
  queue.Grant(1);
  EXPECT_EQ(NextOf(queue), 0u);
  for (std::uint64_t seq = 1; seq <= 9; ++seq) queue.Push(Numbered(seq));
  EXPECT_EQ(NextOf(queue), 8u);
  EXPECT_EQ(NextOf(queue), 0u);
  EXPECT_EQ(queue.dropped(), 7u);
}

TEST(FrameQueueTest, CreditsHaveABound) {
  FrameQueue queue(2);
  for (int i = 0; i < 10; ++i) queue.Grant(~std::uint64_t{0});
  EXPECT_LE(*queue.credits(), 1'000'000u);
}

TEST(LiveFrameTest, BeginsWithAHeaderInNetworkOrder) {
  const auto frame = MakeLiveFrame({.seq = 0x0102030405060708,
                                    .taken = WallTime(std::chrono::milliseconds(0x0a0b0c0d0e)),
                                    .width = 854,
                                    .height = 480,
                                    .jpeg = "\xff\xd8..."});
  const std::string expected(
      "\x01\x01\x00\x18"
      "\x01\x02\x03\x04\x05\x06\x07\x08"
      "\x00\x00\x00\x0a\x0b\x0c\x0d\x0e"
      "\x03\x56\x01\xe0"
      "\xff\xd8...",
      29);
  EXPECT_EQ(*frame->bytes, expected);
  EXPECT_EQ(frame->jpeg(), "\xff\xd8...");
}

}  // namespace
}  // namespace falconer::browser
