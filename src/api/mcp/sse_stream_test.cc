#include "api/mcp/sse_stream.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/co_test.h"

namespace falconer::api {
namespace {

// A client that reads everything at once.
struct WrittenBody final : net::BodyWriter {
  Task<Result<void>> Write(std::string chunk) override {
    text += chunk;
    co_return Result<void>();
  }
  std::string text;
};

Task<std::string> ReadAll(CallContext ctx, std::shared_ptr<SseStream> stream,
                          std::optional<std::uint64_t> after) {
  WrittenBody body;
  const auto written = co_await SseStream::Write(ctx, stream, after, &body);
  EXPECT_TRUE(written);
  co_return body.text;
}

CO_TEST(McpHttpSseStreamTest, FramesEachMessageAsAnEvent) {
  const auto stream = std::make_shared<SseStream>(SseForm{}, SseLimits{});
  stream->Push("{}");
  stream->Close();
  stream->Push("too late");

  const auto text = co_await ReadAll(ctx, stream, std::nullopt);

  EXPECT_EQ(text, ":\n\nevent: message\ndata: {}\n\n");
}

CO_TEST(McpHttpSseStreamTest, ForgetsTheOldestButNeverTheNewest) {
  const auto stream =
      std::make_shared<SseStream>(SseForm{.number = 4}, SseLimits{.events = 9, .bytes = 5});
  for (const std::string message : {"aa", "bb", "cc"}) stream->Push(message);
  EXPECT_EQ(stream->kept_bytes(), 4U);
  stream->Push("longer than all");
  EXPECT_EQ(stream->kept_bytes(), 15U);
  stream->Close();

  const auto text = co_await ReadAll(ctx, stream, 0);

  EXPECT_EQ(text, ":\n\nid: 4-4\nevent: message\ndata: longer than all\n\n");
}

CO_TEST(McpHttpSseStreamTest, GoesOnWithWhatWasNeverSent) {
  const auto stream = std::make_shared<SseStream>(SseForm{.number = 1}, SseLimits{});
  stream->Push("a");
  stream->Push("b");
  stream->Close();
  co_await ReadAll(ctx, stream, std::nullopt);

  const auto rest = co_await ReadAll(ctx, stream, std::nullopt);
  const auto again = co_await ReadAll(ctx, stream, 1);

  EXPECT_EQ(rest, ":\n\n");
  EXPECT_EQ(again, ":\n\nid: 1-2\nevent: message\ndata: b\n\n");
}

TEST(McpHttpSseEventIdTest, ReadsOnlyOurOwn) {
  const auto id = ParseSseEventId("12-34");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->stream, 12U);
  EXPECT_EQ(id->event, 34U);
  for (const std::string_view text :
       {"", "-", "1", "1-", "-1", "1-x", "1-2-3", " 1-2", "+1-2", "1-99999999999999999999999"}) {
    EXPECT_FALSE(ParseSseEventId(text)) << text;
  }
}

}  // namespace
}  // namespace falconer::api
