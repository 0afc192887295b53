#include "model/turn/identity.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(IdentityTest, EventIdsReadBackAsWritten) {
  const EventName names[] = {
      {.session = SessionId("s1"), .turn = MakeTurnId(SessionId("s1"), 1), .number = 1},
      {.session = SessionId("s1"), .turn = TurnId(), .number = 999999},
      {.session = SessionId("a.b_c:d-e"), .turn = TurnId("x"), .number = 1234567},
  };
  for (const EventName& name : names) {
    const auto read = ParseEventId(FormatEventId(name));
    ASSERT_TRUE(read) << FormatEventId(name);
    EXPECT_EQ(*read, name);
  }
  EXPECT_EQ(FormatEventId(names[0]), "evt/s1/s1.t000001/000001");
  EXPECT_EQ(FormatEventId(names[1]), "evt/s1/-/999999");
}

TEST(IdentityTest, RefusesTextsThatAreNoEventIds) {
  for (const char* text : {"", "evt", "evt/", "evt/s/t", "evt/s/t/", "evt/s/t/1", "evt/s/t/00001",
                           "evt/s/t/000000", "evt/s/t/0000001", "evt/s/t/00000x", "evt/s/t/+00001",
                           "evt//t/000001", "evt/s//000001", "evt/s/t/000001/", "evt/s/t/u/000001",
                           "ev/s/t/000001", "evt/s t/t/000001", "evt/s/t/99999999999999999999"}) {
    EXPECT_FALSE(ParseEventId(text)) << text;
  }
}

TEST(IdentityTest, IdempotencyKeysTellTheirPartsApart) {
  const std::string key = IdempotencyKey(TenantId("a"), WorkflowId("b"), "c");

  EXPECT_EQ(key.size(), 64U);
  EXPECT_EQ(key, IdempotencyKey(TenantId("a"), WorkflowId("b"), "c"));
  EXPECT_NE(key, IdempotencyKey(TenantId("ab"), WorkflowId(""), "c"));
  EXPECT_NE(key, IdempotencyKey(TenantId("a"), WorkflowId("bc"), ""));
  EXPECT_NE(IdempotencyKey(TenantId("a\",\"b"), WorkflowId("c"), "d"),
            IdempotencyKey(TenantId("a"), WorkflowId("b\",\"c"), "d"));
}

}  // namespace
}  // namespace falconer::model
