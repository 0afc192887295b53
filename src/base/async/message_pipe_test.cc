#include "base/async/message_pipe.h"

#include <fcntl.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer {
namespace {

using namespace std::string_literals;

bool IsNonBlocking(int fd) {
  return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
}

// Two pipes, with blocking ends as a parent process would hand them over.
struct Pipes {
  Pipes() {
    int down[2];
    int up[2];
    EXPECT_EQ(::pipe2(down, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(up, O_CLOEXEC), 0);
    our_in.Reset(up[0]);
    our_out.Reset(down[1]);
    their_in.Reset(down[0]);
    their_out.Reset(up[1]);
    ::fcntl(their_in.get(), F_SETFL, O_NONBLOCK);
  }

  UniqueFd our_in;
  UniqueFd our_out;
  UniqueFd their_in;
  UniqueFd their_out;
};

struct Told {
  PipeEnd end;
  std::string why;
};

enum class AfterTooLong { kEnd, kGoOn };

// A pipe that notes what it is told; the test holds the other ends.
class Bench {
 public:
  explicit Bench(const MessagePipe::Options& options = {}, AfterTooLong after = AfterTooLong::kEnd)
      : after_too_long_(after) {
    Begin(UniqueFd(::dup(pipes.our_in.get())), options);
  }
  explicit Bench(UniqueFd in) { Begin(std::move(in), {}); }

  void Run() {
    io.restart();
    io.poll();
  }
  void Say(std::string_view bytes) {
    EXPECT_EQ(::write(pipes.their_out.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    Run();
  }
  std::string Hear() {
    std::string all(1UZ << 20U, '\0');
    const ssize_t n = ::read(pipes.their_in.get(), all.data(), all.size());
    all.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    Run();
    return all;
  }
  // Reads until nothing more comes.
  std::string HearAll() {
    std::string all;
    for (std::string more = Hear(); !more.empty(); more = Hear()) all += more;
    return all;
  }

  boost::asio::io_context io;
  Pipes pipes;
  std::optional<MessagePipe> pipe;
  std::vector<std::string> received;
  std::vector<Told> closed;
  std::vector<std::string> given_up;
  int drained = 0;

 private:
  void Begin(UniqueFd in, const MessagePipe::Options& options) {
    pipe.emplace(io.get_executor(), std::move(in), UniqueFd(::dup(pipes.our_out.get())), options);
    MessagePipe::Handlers handlers{
        .on_message = [this](std::string_view m) { received.emplace_back(m); },
        .on_closed = [this](PipeEnd end,
                            std::string why) { closed.push_back({end, std::move(why)}); },
        .on_drained = [this] { ++drained; }};
    if (after_too_long_ == AfterTooLong::kGoOn)
      handlers.on_too_long = [this](std::string_view part, LongPart kind) { Note(part, kind); };
    pipe->Start(std::move(handlers));
  }

  void Note(std::string_view part, LongPart kind) {
    passing_ += part;
    if (kind == LongPart::kLast) given_up.push_back(std::exchange(passing_, std::string()));
  }

  AfterTooLong after_too_long_ = AfterTooLong::kEnd;
  std::string passing_;
};

// Counts, and says no when told to.
class FakeDeparture final : public Departure {
 public:
  struct Log {
    bool may_leave = true;
    int asked = 0;
    int left = 0;
  };
  explicit FakeDeparture(Log& log) : log_(log) {}
  bool MayLeave() override {
    ++log_.asked;
    return log_.may_leave;
  }
  void DidLeave() override { ++log_.left; }

 private:
  Log& log_;
};

TEST(MessagePipeTest, SplitsAtItsDelimiter) {
  Bench lines;
  lines.Say("one\ntw");
  lines.Say("o\n\n");
  EXPECT_EQ(lines.received, (std::vector<std::string>{"one", "two", ""}));

  Bench zeros({.delimiter = '\0'});
  zeros.Say("a\nb\0c"s);
  EXPECT_EQ(zeros.received, std::vector<std::string>{"a\nb"});
}

TEST(MessagePipeTest, EndsWhatItWritesWithTheDelimiter) {
  Bench bench;
  EXPECT_TRUE(bench.pipe->Post("one"));
  EXPECT_TRUE(bench.pipe->Post(""));
  EXPECT_EQ(bench.Hear(), "one\n\n");
}

TEST(MessagePipeTest, TellsTheEndOfItsInputAndWritesOn) {
  Bench bench;
  bench.Say("last\n");
  bench.pipes.their_out.Reset();
  bench.Run();

  ASSERT_EQ(bench.closed.size(), 1U);
  EXPECT_EQ(bench.closed[0].end, PipeEnd::kInputEnded);
  EXPECT_EQ(bench.received, std::vector<std::string>{"last"});
  EXPECT_TRUE(bench.pipe->Post("an answer"));
  EXPECT_EQ(bench.Hear(), "an answer\n");
}

TEST(MessagePipeTest, HalfAMessageAtTheEndIsNotDelivered) {
  Bench bench;
  bench.Say("whole\nhal");
  bench.pipes.their_out.Reset();
  bench.Run();

  ASSERT_EQ(bench.closed.size(), 1U);
  EXPECT_EQ(bench.closed[0].end, PipeEnd::kCutOff);
  EXPECT_EQ(bench.received, std::vector<std::string>{"whole"});
}

TEST(MessagePipeTest, RefusesAMessageThatIsTooLong) {
  struct Case {
    const char* name;
    std::string bytes;
    std::vector<std::string> received;
    std::size_t told;
  };
  const Case cases[] = {
      {"as long as allowed", "12345\n", {"12345"}, 0},
      {"one byte more", "123456\nnext\n", {}, 1},
      {"its end has not come", "ok\n123456", {"ok"}, 1},
      {"many that are not", "1234\n1234\n1234\n", {"1234", "1234", "1234"}, 0},
  };
  for (const Case& c : cases) {
    Bench bench({.longest_message = 5});
    bench.Say(c.bytes);
    EXPECT_EQ(bench.received, c.received) << c.name;
    EXPECT_EQ(bench.closed.size(), c.told) << c.name;
    if (c.told == 0) continue;
    EXPECT_EQ(bench.closed[0].end, PipeEnd::kTooLong);
    EXPECT_EQ(bench.closed[0].why, "a message is longer than 5 bytes");
    bench.Say("more\n");
    EXPECT_EQ(bench.received, c.received) << "nothing after it can be told apart";
    EXPECT_TRUE(bench.pipe->Post("too long"));
    EXPECT_EQ(bench.Hear(), "too long\n") << "but it can be answered";
  }
}

TEST(MessagePipeTest, GoesOnAfterAMessageThatIsTooLongForWhoeverWantsToKnow) {
  struct Case {
    const char* name;
    std::vector<std::string> said;
    std::vector<std::string> given_up;
    std::vector<std::string> received;
  };
  const Case cases[] = {
      {"whole in one read", {"1\n123456\n2\n"}, {"123456"}, {"1", "2"}},
      {"in pieces", {"12345", "6", "7", "8\n2\n"}, {"12345678"}, {"2"}},
      {"its end comes alone", {"123456", "\n", "2\n"}, {"123456"}, {"2"}},
      {"two of them", {"123456\n1234567", "8\n2\n"}, {"123456", "12345678"}, {"2"}},
      {"the rest would be one itself", {"123456", "1234567", "8\n2\n"}, {"12345612345678"}, {"2"}},
  };
  for (const Case& c : cases) {
    Bench bench({.longest_message = 5}, AfterTooLong::kGoOn);
    for (const std::string& said : c.said) bench.Say(said);
    EXPECT_EQ(bench.given_up, c.given_up) << c.name;
    EXPECT_EQ(bench.received, c.received) << c.name;
    EXPECT_TRUE(bench.closed.empty()) << c.name;
  }
}

TEST(MessagePipeTest, AnEndInsideAMessageThatIsTooLongIsACut) {
  Bench bench({.longest_message = 5}, AfterTooLong::kGoOn);
  bench.Say("123456");
  bench.pipes.their_out.Reset();
  bench.Run();

  ASSERT_EQ(bench.closed.size(), 1U);
  EXPECT_EQ(bench.closed[0].end, PipeEnd::kCutOff);
}

TEST(MessagePipeTest, TellsWhenEverythingThatWaitedIsWritten) {
  Bench bench;
  EXPECT_TRUE(bench.pipe->Post("small"));
  EXPECT_EQ(bench.pipe->queued_bytes(), 0U);
  EXPECT_TRUE(bench.pipe->Post(std::string(1UZ << 20U, 'x')));
  EXPECT_TRUE(bench.pipe->Post("last"));
  EXPECT_EQ(bench.pipe->queued_bytes(), (1UZ << 20U) + 1 + 5);
  bench.Run();
  EXPECT_EQ(bench.drained, 0);

  EXPECT_EQ(bench.HearAll().size(), 6 + (1UZ << 20U) + 1 + 5);

  EXPECT_EQ(bench.drained, 1);
  EXPECT_EQ(bench.pipe->queued_bytes(), 0U);
}

TEST(MessagePipeTest, WhatCanNeverBeWrittenDoesNotWait) {
  Bench bench;
  EXPECT_TRUE(bench.pipe->Post(std::string(1UZ << 20U, 'x')));
  bench.pipes.their_in.Reset();
  bench.Run();

  ASSERT_EQ(bench.closed.size(), 1U);
  EXPECT_EQ(bench.closed[0].end, PipeEnd::kWriteFailed);
  EXPECT_EQ(bench.drained, 1);
  EXPECT_EQ(bench.pipe->queued_bytes(), 0U);
}

TEST(MessagePipeTest, AWriteThatFailsAfterTheInputEndedIsNotToldAgain) {
  Bench bench;
  bench.pipes.their_out.Reset();
  bench.Run();
  bench.pipes.their_in.Reset();
  EXPECT_TRUE(bench.pipe->Post("an answer"));
  bench.Run();

  EXPECT_EQ(bench.closed.size(), 1U);
  EXPECT_EQ(bench.drained, 1);
}

TEST(MessagePipeTest, RefusesMoreThanMayWait) {
  Bench bench({.most_queued = 2UZ << 20U});
  EXPECT_TRUE(bench.pipe->Post(std::string(1UZ << 20U, 'x')));
  const auto refused = bench.pipe->Post(std::string(1UZ << 20U, 'y'));

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kQueueFull);
  EXPECT_EQ(bench.HearAll(), std::string(1UZ << 20U, 'x') + "\n");
}

TEST(MessagePipeTest, AsksRightBeforeTheFirstByteAndTellsAfterTheLast) {
  Bench bench;
  FakeDeparture::Log big;
  FakeDeparture::Log waiting;
  FakeDeparture::Log called_off;
  EXPECT_TRUE(bench.pipe->Post(std::string(1UZ << 20U, 'x'), std::make_unique<FakeDeparture>(big)));
  EXPECT_TRUE(bench.pipe->Post("called off", std::make_unique<FakeDeparture>(called_off)));
  EXPECT_TRUE(bench.pipe->Post("waited", std::make_unique<FakeDeparture>(waiting)));
  EXPECT_EQ(big.asked, 1);
  EXPECT_EQ(big.left, 0);
  EXPECT_EQ(waiting.asked, 0);

  big.may_leave = false;
  called_off.may_leave = false;
  const std::string heard = bench.HearAll();

  EXPECT_EQ(heard, std::string(1UZ << 20U, 'x') + "\nwaited\n") << "what has begun is finished";
  EXPECT_EQ(big.asked, 1);
  EXPECT_EQ(big.left, 1);
  EXPECT_EQ(called_off.asked, 1);
  EXPECT_EQ(called_off.left, 0);
  EXPECT_EQ(waiting.left, 1);
  EXPECT_EQ(bench.drained, 1);
}

TEST(MessagePipeTest, AMessageThatMayNotLeaveAtOnceTakesNoRoom) {
  Bench bench;
  FakeDeparture::Log no{.may_leave = false};
  EXPECT_TRUE(bench.pipe->Post("no", std::make_unique<FakeDeparture>(no)));
  EXPECT_TRUE(bench.pipe->Post("yes"));

  EXPECT_EQ(bench.Hear(), "yes\n");
  EXPECT_EQ(bench.pipe->queued_bytes(), 0U);
}

TEST(MessagePipeTest, ReadsAFileInSlices) {
  const auto folder = TempDir::Create("message_pipe");
  ASSERT_TRUE(folder);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + "\n";
  const auto path = folder->path() / "lines";
  ASSERT_TRUE(WriteFileAtomic(path, text));
  Bench bench(UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));

  bench.io.run_one();
  EXPECT_LT(bench.received.size(), 100'000U) << "others get their turn meanwhile";
  bench.Run();

  ASSERT_EQ(bench.received.size(), 100'000U);
  EXPECT_EQ(bench.received.back(), "99999");
  ASSERT_EQ(bench.closed.size(), 1U);
  EXPECT_EQ(bench.closed[0].end, PipeEnd::kInputEnded);
}

TEST(MessagePipeTest, AnEmptyDeviceIsAnInputThatEnds) {
  Bench bench(UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
  bench.Run();

  ASSERT_EQ(bench.closed.size(), 1U);
  EXPECT_EQ(bench.closed[0].end, PipeEnd::kInputEnded);
}

TEST(MessagePipeTest, GivesTheBlockingModeBack) {
  Bench bench;
  EXPECT_TRUE(IsNonBlocking(bench.pipes.our_in.get()));
  EXPECT_TRUE(IsNonBlocking(bench.pipes.our_out.get()));

  bench.pipe.reset();

  EXPECT_FALSE(IsNonBlocking(bench.pipes.our_in.get()));
  EXPECT_FALSE(IsNonBlocking(bench.pipes.our_out.get()));
}

TEST(MessagePipeTest, GivesItBackWhenBothEndsAreOneFile) {
  boost::asio::io_context io;
  UniqueFd terminal(::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(terminal);
  {
    const MessagePipe pipe(io.get_executor(), UniqueFd(::dup(terminal.get())),
                           UniqueFd(::dup(terminal.get())), {});
    EXPECT_TRUE(IsNonBlocking(terminal.get()));
  }
  EXPECT_FALSE(IsNonBlocking(terminal.get()));
}

}  // namespace
}  // namespace falconer
