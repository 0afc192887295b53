#include "api/http/event_texts.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "kernel/turn/event_stamper.h"

namespace falconer::api {
namespace {

struct TextsBench {
  kernel::BusEventPtr Next() {
    return std::make_shared<const kernel::BusEvent>(
        stamper.SessionSignal(model::SignalKind::kConnected, model::Emitter::kLink, {}));
  }

  FakeClock clock;
  kernel::EventStamper stamper{SessionId("s1"), "v1", clock};
  ViewGuard guard;
  EventTexts texts;
};

TEST(EventTextsTest, AnEventIsMadeOnceForAll) {
  TextsBench bench;
  const auto event = bench.Next();

  const auto first = bench.texts.TextOf(event, bench.guard);
  const auto second = bench.texts.TextOf(event, bench.guard);

  EXPECT_EQ(first, second) << "the same bytes, not a copy";
  EXPECT_TRUE(first->starts_with("id: 1\nevent: connected\ndata: {")) << *first;
  EXPECT_TRUE(first->ends_with("}\n\n")) << *first;
}

TEST(EventTextsTest, EventsAreToldApart) {
  TextsBench bench;
  const auto one = bench.Next();
  const auto two = bench.Next();
  EXPECT_NE(*bench.texts.TextOf(one, bench.guard), *bench.texts.TextOf(two, bench.guard));
}

TEST(EventTextsTest, WhoIsFarBehindIsToldTheSame) {
  TextsBench bench;
  const auto old = bench.Next();
  const std::string told = *bench.texts.TextOf(old, bench.guard);
  for (int i = 0; i < 100; ++i) bench.texts.TextOf(bench.Next(), bench.guard);

  EXPECT_EQ(old.use_count(), 1) << "what is kept is bounded";
  EXPECT_EQ(*bench.texts.TextOf(old, bench.guard), told);
}

}  // namespace
}  // namespace falconer::api
