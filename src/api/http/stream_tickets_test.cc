#include "api/http/stream_tickets.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::api {
namespace {

TEST(StreamTicketsTest, ATicketIsGoodForOneSessionAndAShortTime) {
  FakeClock clock;
  StreamTickets tickets(clock);
  const auto ticket = tickets.Issue("shop");
  ASSERT_TRUE(ticket);

  EXPECT_TRUE(tickets.Admits(*ticket, "shop"));
  EXPECT_TRUE(tickets.Admits(*ticket, "shop")) << "a picture may be asked for again";
  EXPECT_FALSE(tickets.Admits(*ticket, "bank"));
  EXPECT_FALSE(tickets.Admits("ft_" + std::string(64, '0'), "shop"));
  EXPECT_FALSE(tickets.Admits("", "shop"));
  clock.Advance(StreamTickets::kLifetime);
  EXPECT_FALSE(tickets.Admits(*ticket, "shop"));
}

TEST(StreamTicketsTest, OldOnesAreForgotten) {
  FakeClock clock;
  StreamTickets tickets(clock);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(tickets.Issue("shop"));
  EXPECT_EQ(tickets.size(), 100u);
  clock.Advance(StreamTickets::kLifetime);
  EXPECT_TRUE(tickets.Issue("shop"));
  EXPECT_EQ(tickets.size(), 1u);
}

TEST(StreamTicketsTest, ThereIsABoundToThem) {
  FakeClock clock;
  StreamTickets tickets(clock);
  Result<std::string> last;
  for (int i = 0; i < 5000; ++i) last = tickets.Issue("shop");
  EXPECT_FALSE(last);
  if (!last) EXPECT_EQ(last.error().code(), ErrorCode::kQueueFull);
}

}  // namespace
}  // namespace falconer::api
