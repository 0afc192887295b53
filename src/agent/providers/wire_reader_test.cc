// Events told apart, wherever the pieces end.
#include "agent/providers/wire_reader.h"

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

// "name=data|" of each event.
std::string EventsIn(Framing framing, std::string_view text, std::size_t piece) {
  const auto reader = MakeWireReader(framing);
  std::string out;
  const auto add = [&](const std::vector<WireEvent>& events) {
    for (const WireEvent& event : events) out += event.name + "=" + event.data + "|";
  };
  for (std::size_t at = 0; at < text.size(); at += piece)
    add(reader->Take(text.substr(at, piece)).value());
  add(reader->End());
  return out;
}

TEST(WireReaderTest, ReadsServerSentEvents) {
  struct SseCase {
    std::string_view text;
    std::string_view events;
  };
  const SseCase cases[] = {
      {"data: a\n\n", "=a|"},
      {"event: x\r\ndata: a\r\n\r\n", "x=a|"},
      {"data: a\r\rdata: b\r\r", "=a|=b|"},
      {"data: a\ndata: b\n\n", "=a\nb|"},
      {"data:a\n\n", "=a|"},
      {"data:  a\n\n", "= a|"},
      {"data\n\n", "=|"},
      {": keep-alive\n\ndata: a\n\n", "=a|"},
      {"event: x\n\ndata: a\n\n", "=a|"},
      {"id: 7\nretry: 10\nother: z\ndata: a\n\n", "=a|"},
      {"\xEF\xBB\xBF"
       "data: a\n\n",
       "=a|"},
      {"data: a\n", ""},
      {"data: a", ""},
  };
  for (const SseCase& one : cases) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}})
      EXPECT_EQ(EventsIn(Framing::kServerSentEvents, one.text, piece), one.events) << one.text;
  }
}

TEST(WireReaderTest, ReadsLines) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    EXPECT_EQ(EventsIn(Framing::kLines, "{}\n\n  \n{\"a\":1}\r\n[]", piece),
              "={}|={\"a\":1}\r|=[]|");
  }
}

TEST(WireReaderTest, HoldsNoMoreThanAnEventMay) {
  const std::string half(kMaxEventBytes / 2 + 1, 'x');
  for (const Framing framing : {Framing::kServerSentEvents, Framing::kLines}) {
    const auto reader = MakeWireReader(framing);
    EXPECT_TRUE(reader->Take("data: " + half));
    const auto more = reader->Take(half);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().code(), ErrorCode::kProviderAnswerInvalid);
  }
}

}  // namespace
}  // namespace falconer::agent
