#include "api/mcp/stdio_server.h"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/mcp_tools.h"
#include "tests/support/settle.h"

namespace falconer::api {
namespace {

using namespace std::chrono_literals;
using test::Settle;

// Ends a little later than it is asked.
Task<ToolAnswer> Slow(CallContext ctx, ToolCall) {
  Alarm alarm(ctx.executor(), ctx.clock());
  co_await ctx.WithTimeout(30ms).Wait(&alarm, "being slow");
  co_return ToolAnswer{.text = "at last"};
}

McpSetup Setup() {
  return {
      .offer = ToolCatalog({test::Named("echo", test::Echo), test::Named("slow", Slow),
                            test::Named("hang", test::Hang)}),
      .identity = {.name = "falconer", .title = "Falconer", .version = "9", .instructions = ""}};
}

std::string Ping(std::string_view id) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})";
}

// A ping of just so many bytes, written as many clients do: with the id at its end.
std::string PaddedPing(std::string_view id, std::size_t bytes) {
  const std::string head = R"({"method":"ping","params":{"id":9,"a":")";
  const std::string tail = R"("},"jsonrpc":"2.0","id":)" + std::string(id) + "}";
  return head + std::string(bytes - head.size() - tail.size(), 'x') + tail;
}

std::string Pong(std::string_view id) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{}})";
}

std::string Call(std::string_view id, std::string_view tool) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"method":"tools/call","params":{"name":")" + std::string(tool) + R"("}})";
}

std::array<UniqueFd, 2> MakePipe() {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// A client with a server that runs on the same loop, over real pipes.
class Client {
 public:
  explicit Client(const CallContext& ctx, StdioLimits limits = {.grace = 200ms})
      : Client(ctx, limits, MakePipe(), MakePipe()) {}

  // Writes everything, giving the server its turn whenever the pipe is full.
  Task<void> Say(std::string bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = ::write(to_.get(), bytes.data() + done, bytes.size() - done);
      if (n < 0 && errno != EAGAIN) co_return;
      if (n > 0) done += static_cast<std::size_t>(n);
      co_await Settle(4);
    }
  }
  // The lines that have come, read until there are `count`.
  Task<std::vector<std::string>> Hear(std::size_t count) {
    while (lines_.size() < count && !is_over_) {
      ReadOnce();
      co_await Settle(2);
    }
    co_return lines_;
  }
  // Closes the server's input and waits for its end.
  Task<Result<void>> Leave() {
    to_.Reset();
    return End();
  }
  Task<Result<void>> End() {
    auto ended = co_await server_.Join();
    while (!is_over_ && ReadOnce()) {
    }
    co_return ended;
  }

  void StopListening() { from_.Reset(); }
  const std::vector<std::string>& lines() const { return lines_; }
  // What has come of a line that has not ended.
  const std::string& rest() const { return rest_; }

 private:
  Client(const CallContext& ctx, StdioLimits limits, std::array<UniqueFd, 2> down,
         std::array<UniqueFd, 2> up)
      : to_(std::move(down[1])),
        from_(std::move(up[0])),
        server_(
            ctx.executor(),
            RunStdio(ctx, Setup(), {.in = std::move(down[0]), .out = std::move(up[1])}, limits)) {
    ::fcntl(to_.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(from_.get(), F_SETFL, O_NONBLOCK);
  }

  bool ReadOnce() {
    std::string more(1UZ << 16U, '\0');
    const ssize_t n = ::read(from_.get(), more.data(), more.size());
    is_over_ = n == 0;
    if (n <= 0) return false;
    rest_.append(more, 0, static_cast<std::size_t>(n));
    for (std::size_t end; (end = rest_.find('\n')) != std::string::npos; rest_.erase(0, end + 1)) {
      lines_.push_back(rest_.substr(0, end));
    }
    return true;
  }

  UniqueFd to_;
  UniqueFd from_;
  std::string rest_;
  std::vector<std::string> lines_;
  bool is_over_ = false;
  test::InBackground<Result<void>> server_;
};

int CodeIn(std::string_view line) {
  const auto parsed = ParseJsonObject(line);
  EXPECT_TRUE(parsed) << line;
  if (!parsed || !parsed->contains("error")) return 0;
  return static_cast<int>(parsed->at("error").at("code").as_int64());
}

std::optional<ErrorCode> CodeOf(const Result<void>& result) {
  return result ? std::nullopt : std::optional(result.error().code());
}

CO_TEST(StdioServerTest, AnswersALineThatComesInPieces) {
  Client client(ctx);
  const std::string line = Ping("1") + "\n";
  for (const char c : line) co_await client.Say(std::string(1, c));
  const auto lines = co_await client.Hear(1);
  EXPECT_EQ(lines, std::vector<std::string>{Pong("1")});

  const auto ended = co_await client.Leave();
  EXPECT_TRUE(ended);
}

CO_TEST(StdioServerTest, AnswersManyRequestsOfOneWriteInOrder) {
  Client client(ctx);
  co_await client.Say(Ping("1") + "\n" + Ping("2") + "\n" + Call("3", "echo") + "\n" + Ping("4") +
                      "\n");
  const auto lines = co_await client.Hear(4);
  EXPECT_EQ(lines.size(), 4U);
  if (lines.size() < 4) co_return;
  EXPECT_EQ(lines[0], Pong("1"));
  EXPECT_EQ(lines[1], Pong("2"));
  EXPECT_TRUE(lines[2].contains(R"("id":3)"));
  EXPECT_EQ(lines[3], Pong("4"));
  const auto ended = co_await client.Leave();
  EXPECT_TRUE(ended);
}

CO_TEST(StdioServerTest, LinesMayEndAsOnWindowsAndBeEmpty) {
  Client client(ctx);
  co_await client.Say("\r\n\n" + Ping("1") + "\r\n\r\n" + Ping("2") + "\n");
  const auto lines = co_await client.Hear(2);
  EXPECT_EQ(lines, (std::vector<std::string>{Pong("1"), Pong("2")}));
  const auto ended = co_await client.Leave();
  EXPECT_TRUE(ended);
  EXPECT_EQ(client.lines().size(), 2U) << "an empty line is no message";
}

CO_TEST(StdioServerTest, HalfALineAtTheEndIsNoMessage) {
  const test::CapturedLog log;
  Client client(ctx);
  co_await client.Say(Ping("1") + "\n" + Ping("2"));
  const auto ended = co_await client.Leave();

  EXPECT_TRUE(ended) << "the client may go at any time";
  EXPECT_EQ(client.lines(), std::vector<std::string>{Pong("1")});
  EXPECT_EQ(client.rest(), "");
  EXPECT_EQ(log.CountOf({"warn", "mcp.line_cut_off"}), 1U);
}

CO_TEST(StdioServerTest, CarriesTenThousandPings) {
  Client client(ctx);
  std::string all;
  for (int i = 0; i < 10'000; ++i) all += Ping(std::to_string(i)) + "\n";

  co_await client.Say(all);
  const auto lines = co_await client.Hear(10'000);

  EXPECT_EQ(lines.size(), 10'000U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != Pong(std::to_string(i))) {
      ADD_FAILURE() << "answer " << i << " is " << lines[i];
      break;
    }
  }
  const auto ended = co_await client.Leave();
  EXPECT_TRUE(ended);
}

CO_TEST(StdioServerTest, SaysWhatIsNoMessageAndGoesOn) {
  Client client(ctx);
  co_await client.Say("\xff\xfe\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xc3\x28\"}\n" +
                      std::string("\0\n", 2) + "[1]\n" + Ping("2") + "\n");
  const auto lines = co_await client.Hear(5);

  EXPECT_EQ(lines.size(), 5U);
  if (lines.size() < 5) co_return;
  EXPECT_EQ(CodeIn(lines[0]), kRpcParseError);
  EXPECT_EQ(CodeIn(lines[1]), kRpcParseError);
  EXPECT_EQ(CodeIn(lines[2]), kRpcParseError);
  EXPECT_EQ(CodeIn(lines[3]), kRpcInvalidRequest);
  EXPECT_EQ(lines[4], Pong("2"));
  const auto ended = co_await client.Leave();
  EXPECT_TRUE(ended);
}

CO_TEST(StdioServerTest, CallsThatRunHaveAMomentToBeAnswered) {
  Client client(ctx, {.grace = 10s});
  co_await client.Say(Call("1", "slow") + "\n");
  const auto ended = co_await client.Leave();

  EXPECT_TRUE(ended);
  EXPECT_EQ(client.lines().size(), 1U);
  if (!client.lines().empty()) EXPECT_TRUE(client.lines()[0].contains("at last"));
}

CO_TEST(StdioServerTest, CallsThatDoNotEndAreCancelledAndAnswered) {
  Client client(ctx, {.grace = 20ms});
  co_await client.Say(Call("1", "hang") + "\n" + Call("2", "hang") + "\n" + Ping("3") + "\n");
  const auto ended = co_await client.Leave();

  EXPECT_TRUE(ended);
  EXPECT_EQ(client.lines().size(), 3U);
  if (client.lines().size() < 3) co_return;
  EXPECT_EQ(client.lines()[0], Pong("3"));
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_TRUE(client.lines()[i].contains("\"id\":" + std::to_string(i))) << client.lines()[i];
    EXPECT_TRUE(client.lines()[i].contains("the client has gone")) << client.lines()[i];
  }
}

CO_TEST(StdioServerTest, ACancelledCallIsNotAnswered) {
  Client client(ctx);
  co_await client.Say(Call("7", "hang") +
                      "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                      "cancelled\",\"params\":{\"requestId\":7}}\n" +
                      Ping("8") + "\n");
  const auto ended = co_await client.Leave();

  EXPECT_TRUE(ended);
  EXPECT_EQ(client.lines(), std::vector<std::string>{Pong("8")});
}

CO_TEST(StdioServerTest, AClientThatStopsReadingIsGivenUp) {
  Client client(ctx, {.most_queued = 1UZ << 20U, .grace = 20ms});
  const std::string ping = Ping('"' + std::string(100'000, 'i') + '"') + "\n";
  for (int i = 0; i < 100; ++i) co_await client.Say(ping);
  const auto ended = co_await client.End();
  EXPECT_EQ(CodeOf(ended), ErrorCode::kQueueFull);
}

CO_TEST(StdioServerTest, AClientThatLeavesWithoutReadingIsNotWaitedForLong) {
  Client client(ctx, {.grace = 20ms});
  co_await client.Say(Ping('"' + std::string(500'000, 'i') + '"') + "\n");
  const auto ended = co_await client.Leave();

  EXPECT_EQ(CodeOf(ended), ErrorCode::kTimeout);
}

CO_TEST(StdioServerTest, AClientThatHungUpIsAnError) {
  Client client(ctx);
  client.StopListening();
  co_await client.Say(Ping("1") + "\n");
  const auto ended = co_await client.End();

  EXPECT_EQ(CodeOf(ended), ErrorCode::kIoError);
}

CO_TEST(StdioServerTest, ALineThatIsTooLongIsAnsweredAndSkipped) {
  const test::CapturedLog log;
  for (const std::size_t more : {0UZ, 1UZ, 300'000UZ}) {
    Client client(ctx, {.longest_line = 1000, .grace = 200ms});
    co_await client.Say(Ping("1") + "\n" + PaddedPing("2", 1000 + more) + "\n" + Ping("3") + "\n");
    const auto lines = co_await client.Hear(3);
    EXPECT_EQ(lines.size(), 3U) << more;
    if (lines.size() < 3) co_return;
    EXPECT_EQ(CodeIn(lines[1]), more == 0 ? 0 : kRpcInvalidRequest) << lines[1];
    EXPECT_TRUE(lines[1].contains(R"("id":2)")) << lines[1];
    EXPECT_EQ(lines[1].contains("1000"), more > 0) << lines[1];
    EXPECT_EQ(lines[2], Pong("3"));
    const auto left = co_await client.Leave();
    EXPECT_TRUE(left);
  }
}

CO_TEST(StdioServerTest, ALineThatIsTooLongAndNamesNoIdIsAnsweredWithNone) {
  const test::CapturedLog log;
  Client client(ctx, {.longest_line = 1000, .grace = 200ms});
  co_await client.Say(std::string(300'000, 'x') + "\n" + Ping("2") + "\n");
  const auto lines = co_await client.Hear(2);

  EXPECT_EQ(lines.size(), 2U);
  if (lines.size() < 2) co_return;
  EXPECT_TRUE(lines[0].contains(R"("id":null)")) << lines[0];
  EXPECT_EQ(log.CountOf({"warn", "mcp.line_too_long"}), 1U);
  EXPECT_EQ(lines[1], Pong("2"));
  const auto left = co_await client.Leave();
  EXPECT_TRUE(left);
}

CO_TEST(StdioServerTest, ACancelEndsItAtOnce) {
  CancelSource source;
  Client client(ctx.WithCancel(source.token()), {.grace = 10s});
  co_await client.Say(Call("1", "hang") + "\n");
  source.Cancel(Error(ErrorCode::kCancelled, "asked to stop"));
  const auto ended = co_await client.End();

  EXPECT_EQ(CodeOf(ended), ErrorCode::kCancelled);
  EXPECT_EQ(client.lines().size(), 1U);
  if (!client.lines().empty()) EXPECT_TRUE(client.lines()[0].contains("asked to stop"));
}

CO_TEST(StdioServerTest, AnswersThatWaitWhenItIsCancelledAreStillRead) {
  CancelSource source;
  Client client(ctx.WithCancel(source.token()), {.grace = 10s});
  const std::string id = '"' + std::string(500'000, 'i') + '"';
  co_await client.Say(Ping(id) + "\n" + Ping("2") + "\n");
  source.Cancel(Error(ErrorCode::kCancelled, "asked to stop"));
  co_await Settle();
  const auto lines = co_await client.Hear(2);

  EXPECT_EQ(lines, (std::vector<std::string>{Pong(id), Pong("2")}));
  const auto ended = co_await client.End();
  EXPECT_EQ(CodeOf(ended), ErrorCode::kCancelled);
}

CO_TEST(StdioServerTest, ReadsRequestsFromAFile) {
  const auto folder = TempDir::Create("stdio");
  EXPECT_TRUE(folder);
  if (!folder) co_return;
  const auto asked = folder->path() / "asked";
  const auto answered = folder->path() / "answered";
  const auto written = WriteFileAtomic(asked, Ping("1") + "\n" + Call("2", "slow") + "\n");
  EXPECT_TRUE(written);
  StdioEnds ends{.in = UniqueFd(::open(asked.c_str(), O_RDONLY | O_CLOEXEC)),
                 .out = UniqueFd(::open(answered.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600))};

  const auto ended = co_await RunStdio(ctx, Setup(), std::move(ends), {.grace = 10s});

  EXPECT_TRUE(ended);
  const auto lines = ReadFile(answered);
  EXPECT_TRUE(lines && lines->starts_with(Pong("1") + "\n") && lines->contains("at last"));
}

CO_TEST(StdioServerTest, AnInputThatIsNotOpenIsAnError) {
  auto [out_end, out] = MakePipe();
  const auto ended = co_await RunStdio(ctx, Setup(), {.in = {}, .out = std::move(out)});
  EXPECT_EQ(CodeOf(ended), ErrorCode::kIoError);
}

CO_TEST(StdioServerTest, StreamsThatLeadTheWrongWayAreNotOpen) {
  auto [first_reader, first_writer] = MakePipe();
  auto [second_reader, second_writer] = MakePipe();
  const auto ended = co_await RunStdio(
      ctx, Setup(), {.in = std::move(first_writer), .out = std::move(second_writer)});
  EXPECT_EQ(CodeOf(ended), ErrorCode::kIoError);
  EXPECT_TRUE(!ended && TextAt(ended.error().details(), kStreamDetail) == "input");
}

// Puts the process's standard streams back.
class KeptStreams {
 public:
  KeptStreams() {
    std::fflush(stdout);
    for (int fd = 0; fd < 3; ++fd) kept_[static_cast<std::size_t>(fd)].Reset(::dup(fd));
  }
  ~KeptStreams() {
    std::fflush(stdout);
    for (int fd = 0; fd < 3; ++fd) ::dup2(kept_[static_cast<std::size_t>(fd)].get(), fd);
  }
  KeptStreams(const KeptStreams&) = delete;
  KeptStreams& operator=(const KeptStreams&) = delete;

 private:
  std::array<UniqueFd, 3> kept_;
};

std::string ReadAvailable(const UniqueFd& fd) {
  std::string text(4096, '\0');
  ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
  const ssize_t n = ::read(fd.get(), text.data(), text.size());
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

TEST(TakeStdioTest, StrayOutputGoesToStandardError) {
  auto [out_reader, out_writer] = MakePipe();
  auto [err_reader, err_writer] = MakePipe();
  auto [in_reader, in_writer] = MakePipe();
  ASSERT_EQ(::write(in_writer.get(), "asked\n", 6), 6);
  Result<StdioEnds> ends;
  char stray = 0;
  ssize_t stray_read = -1;
  {
    const KeptStreams kept;
    ::dup2(in_reader.get(), STDIN_FILENO);
    ::dup2(out_writer.get(), STDOUT_FILENO);
    ::dup2(err_writer.get(), STDERR_FILENO);
    std::fputs("early ", stdout);
    ends = TakeStdio();
    std::fputs("stray\n", stdout);
    std::fflush(stdout);
    stray_read = ::read(STDIN_FILENO, &stray, 1);
  }

  ASSERT_TRUE(ends);
  EXPECT_EQ(stray_read, 0) << "others find an empty input";
  EXPECT_EQ(ReadAvailable(ends->in), "asked\n");
  ASSERT_EQ(::write(ends->out.get(), "answer\n", 7), 7);
  EXPECT_EQ(ReadAvailable(out_reader), "answer\n");
  EXPECT_EQ(ReadAvailable(err_reader), "early stray\n");
}

}  // namespace
}  // namespace falconer::api
