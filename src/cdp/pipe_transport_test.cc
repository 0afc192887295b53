#include "cdp/pipe_transport.h"

#include <fcntl.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace falconer::cdp {
namespace {

using namespace std::string_literals;

// A transport whose browser is the test: it holds the other ends of both pipes.
class PipeTransportTest : public testing::Test {
 protected:
  PipeTransportTest() {
    int down[2];
    int up[2];
    EXPECT_EQ(::pipe2(down, O_CLOEXEC | O_NONBLOCK), 0);
    EXPECT_EQ(::pipe2(up, O_CLOEXEC | O_NONBLOCK), 0);
    browser_in.Reset(down[0]);
    browser_out.Reset(up[1]);
    transport.emplace(io.get_executor(), UniqueFd(up[0]), UniqueFd(down[1]));
    transport->Start({.on_message = [this](std::string_view m) { OnMessage(m); },
                      .on_closed = [this](const Error& e) { closed.push_back(e); }});
  }

  virtual void OnMessage(std::string_view message) { received.emplace_back(message); }

  // Lets the transport do all it can.
  void Run() {
    io.restart();
    io.poll();
  }
  // Writes as the browser, with the transport reading whenever the pipe is full.
  void Say(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(browser_out.get(), bytes.data(), bytes.size());
      if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
      Run();
    }
  }
  // Reads what has arrived at the browser.
  std::string Hear() {
    std::string all(1 << 20, '\0');
    const ssize_t n = ::read(browser_in.get(), all.data(), all.size());
    all.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return all;
  }

  boost::asio::io_context io;
  UniqueFd browser_in;
  UniqueFd browser_out;
  std::optional<PipeTransport> transport;
  std::vector<std::string> received;
  std::vector<Error> closed;
};

TEST_F(PipeTransportTest, JoinsAMessageThatComesInPieces) {
  Say("{\"a\"");
  EXPECT_TRUE(received.empty());
  Say(":1}");
  EXPECT_TRUE(received.empty());
  Say("\0"s);

  EXPECT_EQ(received, std::vector<std::string>{"{\"a\":1}"});
}

TEST_F(PipeTransportTest, SplitsMessagesThatComeTogether) {
  Say("one\0two\0\0thr"s);
  EXPECT_EQ(received, (std::vector<std::string>{"one", "two", ""}));

  Say("ee\0"s);

  EXPECT_EQ(received.back(), "three");
}

TEST_F(PipeTransportTest, CarriesAMessageByteByByte) {
  for (const char c : "slow\0ly\0"s) Say(std::string(1, c));

  EXPECT_EQ(received, (std::vector<std::string>{"slow", "ly"}));
}

TEST_F(PipeTransportTest, CarriesAHugeMessageUp) {
  std::string huge(20 << 20, 'x');
  for (std::size_t i = 0; i < huge.size(); i += 1000) huge[i] = static_cast<char>('a' + i % 26);

  Say(huge + "\0small\0"s);

  ASSERT_EQ(received.size(), 2u);
  EXPECT_TRUE(received[0] == huge);
  EXPECT_EQ(received[1], "small");
}

TEST_F(PipeTransportTest, CarriesManySmallMessagesInOrder) {
  constexpr int kCount = 50000;
  std::string bytes;
  for (int i = 0; i < kCount; ++i) bytes += std::to_string(i) + '\0';

  Say(bytes);

  ASSERT_EQ(received.size(), static_cast<std::size_t>(kCount));
  for (int i = 0; i < kCount; ++i) {
    ASSERT_EQ(received[static_cast<std::size_t>(i)], std::to_string(i));
  }
}

TEST_F(PipeTransportTest, WritesAtOnceWithoutALoop) {
  EXPECT_TRUE(transport->Post("hello"));
  EXPECT_TRUE(transport->Post("world"));

  EXPECT_EQ(Hear(), "hello\0world\0"s);
}

TEST_F(PipeTransportTest, WaitsForAFullPipeAndKeepsTheOrder) {
  std::string expected;
  for (int i = 0; i < 40; ++i) {
    const std::string message = std::to_string(i) + std::string(50000, 'm');
    EXPECT_TRUE(transport->Post(message));
    expected += message + '\0';
  }

  std::string heard;
  while (heard.size() < expected.size()) {
    const std::string more = Hear();
    heard += more;
    Run();
    if (more.empty() && heard.size() < expected.size() && !closed.empty()) break;
  }

  EXPECT_TRUE(heard == expected);
  EXPECT_TRUE(closed.empty());
}

TEST_F(PipeTransportTest, CarriesAHugeMessageDown) {
  const std::string huge(20 << 20, 'y');

  EXPECT_TRUE(transport->Post(huge));
  EXPECT_TRUE(transport->Post("after"));
  std::string heard;
  while (heard.size() < huge.size() + 7) {
    heard += Hear();
    Run();
  }

  EXPECT_TRUE(heard == huge + "\0after\0"s);
}

TEST_F(PipeTransportTest, RefusesMessagesThatTheBrowserDoesNotRead) {
  const std::string message(1 << 20, 'z');
  std::size_t taken = 0;
  Result<void> posted;
  while (taken < 200 && (posted = transport->Post(message))) ++taken;

  ASSERT_FALSE(posted) << "the queue has no bound";
  EXPECT_EQ(posted.error().code(), ErrorCode::kQueueFull);
  EXPECT_LE(taken * message.size(), kMostQueuedBytes);
  EXPECT_TRUE(closed.empty()) << "a slow browser is not a dead one";

  std::size_t heard = 0;
  while (heard < taken * (message.size() + 1)) {
    heard += Hear().size();
    Run();
  }
  EXPECT_TRUE(transport->Post("it reads again"));
  EXPECT_EQ(Hear(), "it reads again\0"s) << "what was refused was not sent";
}

TEST_F(PipeTransportTest, TakesAMessageLargerThanTheBoundWhenNothingWaits) {
  EXPECT_TRUE(transport->Post(std::string(kMostQueuedBytes + 1, 'z')));
  EXPECT_FALSE(transport->Post("not now"));
}

TEST_F(PipeTransportTest, TellsOnceWhenTheBrowserIsGone) {
  Say("last words\0half a mess"s);
  browser_out.Reset();
  Run();

  EXPECT_EQ(received, std::vector<std::string>{"last words"});
  ASSERT_EQ(closed.size(), 1u);
  EXPECT_EQ(closed[0].code(), ErrorCode::kBrowserGone);
  EXPECT_TRUE(transport->Post("into the void"));
  Run();
  EXPECT_EQ(closed.size(), 1u);
}

TEST_F(PipeTransportTest, SurvivesWritingToABrowserThatNoLongerReads) {
  browser_in.Reset();

  EXPECT_TRUE(transport->Post("anyone?"));
  EXPECT_TRUE(closed.empty()) << "whoever posts is not called back from inside";
  EXPECT_TRUE(transport->Post("hello?"));
  Run();

  ASSERT_EQ(closed.size(), 1u);
  EXPECT_EQ(closed[0].code(), ErrorCode::kBrowserGone);
}

TEST_F(PipeTransportTest, SurvivesABrowserThatDiesWithThePipeFull) {
  EXPECT_TRUE(transport->Post(std::string(1 << 20, 'z')));
  browser_in.Reset();
  Run();

  ASSERT_EQ(closed.size(), 1u);
}

TEST_F(PipeTransportTest, ClosingTellsNobodyAndHangsUp) {
  transport->Close();
  EXPECT_TRUE(transport->Post("late"));
  Run();

  EXPECT_TRUE(closed.empty());
  char byte = 0;
  EXPECT_EQ(::read(browser_in.get(), &byte, 1), 0) << "the browser must see the end of its input";
}

TEST_F(PipeTransportTest, MayBeDestroyedWithWorkPending) {
  EXPECT_TRUE(transport->Post(std::string(1 << 20, 'z')));
  transport.reset();
  Run();

  EXPECT_TRUE(closed.empty());
}

class ClosingOnMessageTest : public PipeTransportTest {
 protected:
  void OnMessage(std::string_view message) override {
    PipeTransportTest::OnMessage(message);
    transport.reset();
  }
};

TEST_F(ClosingOnMessageTest, DeliversNothingAfterItWasDestroyed) {
  Say("one\0two\0"s);
  Run();

  EXPECT_EQ(received, std::vector<std::string>{"one"});
}

}  // namespace
}  // namespace falconer::cdp
