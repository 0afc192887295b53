#include "net/egress/dns_resolver.h"

#include <gtest/gtest.h>

#include "net/egress/system_resolver.h"
#include "tests/support/co_test.h"
#include "tests/support/dns_server.h"

namespace falconer::net {
namespace {

using std::chrono::milliseconds;
using test::AaaaRecord;
using test::ARecord;
using test::DnsAnswer;
using test::DnsServer;
using test::WriteDnsReply;

std::vector<std::string> Texts(const Result<Addresses>& addresses) {
  std::vector<std::string> texts;
  if (!addresses) return {Describe(addresses.error())};
  for (const auto& address : *addresses) texts.push_back(address.to_string());
  return texts;
}

DnsRecord Alias(std::string name, std::string real) {
  return {std::move(name), DnsType::kCname, std::move(real)};
}

// Answers from a list of records, as far as they fit the question.
DnsServer::Handler Zone(std::vector<DnsRecord> records) {
  return [records](const DnsQuestion& question, std::string_view query, DnsServer::Way /*way*/) {
    DnsAnswer answer;
    bool is_known = false;
    for (const DnsRecord& record : records) {
      if (record.name != question.name) continue;
      is_known = true;
      const bool fits = record.type == question.type || record.type == DnsType::kCname;
      if (fits) answer.records.push_back(record);
    }
    if (!is_known) answer.status = 3;
    return std::vector{WriteDnsReply(query, answer)};
  };
}

CO_TEST(DnsResolverTest, AsksForBothKindsOfAddresses) {
  DnsServer server(ctx, Zone({ARecord("a.test", "192.0.2.1"), ARecord("a.test", "192.0.2.2"),
                              AaaaRecord("a.test", "2001:db8::1")}));
  DnsResolver resolver(server.endpoint());

  const auto found = co_await resolver.Resolve(ctx, "A.Test.");

  const std::vector<std::string> wanted = {"2001:db8::1", "192.0.2.1", "192.0.2.2"};
  EXPECT_EQ(Texts(found), wanted);
  co_await server.Stop();
}

CO_TEST(DnsResolverTest, FollowsAliasesWithinAndBeyondAReply) {
  DnsServer server(ctx, Zone({Alias("a.test", "b.test"), Alias("b.test", "c.test"),
                              ARecord("c.test", "192.0.2.3")}));
  DnsResolver resolver(server.endpoint());
  const auto found = co_await resolver.Resolve(ctx, "a.test");

  const auto in_one = [](const DnsQuestion& question, std::string_view query, DnsServer::Way) {
    DnsAnswer answer{.records = {Alias("x.test", "y.test")}};
    if (question.type == DnsType::kA) answer.records.push_back(ARecord("y.test", "192.0.2.4"));
    if (question.name == "y.test") answer.records.clear();
    return std::vector{WriteDnsReply(query, answer)};
  };
  DnsServer other(ctx, in_one);
  DnsResolver second(other.endpoint());
  const auto found_at_once = co_await second.Resolve(ctx, "x.test");

  EXPECT_EQ(Texts(found), std::vector<std::string>{"192.0.2.3"});
  EXPECT_EQ(Texts(found_at_once), std::vector<std::string>{"192.0.2.4"});
  co_await server.Stop();
  co_await other.Stop();
}

CO_TEST(DnsResolverTest, AliasesInACircleEnd) {
  DnsServer server(ctx, Zone({Alias("a.test", "b.test"), Alias("b.test", "a.test")}));
  DnsResolver resolver(server.endpoint());

  const auto found = co_await resolver.Resolve(ctx, "a.test");

  EXPECT_FALSE(found);
  co_await server.Stop();
}

CO_TEST(DnsResolverTest, ARecordOfAnotherNameIsNotAnAnswer) {
  const auto poisoned = [](const DnsQuestion&, std::string_view query, DnsServer::Way) {
    return std::vector{WriteDnsReply(query, {.records = {ARecord("bank.test", "192.0.2.66")}})};
  };
  DnsServer server(ctx, poisoned);
  DnsResolver resolver(server.endpoint());

  const auto found = co_await resolver.Resolve(ctx, "a.test");

  EXPECT_FALSE(found);
  EXPECT_EQ(found.error().code(), ErrorCode::kNotFound);
  co_await server.Stop();
}

CO_TEST(DnsResolverTest, SaysWhenThereIsNoSuchName) {
  DnsServer server(ctx, Zone({}));
  DnsResolver resolver(server.endpoint());

  const auto missing = co_await resolver.Resolve(ctx, "a.test");
  const auto unaskable = co_await resolver.Resolve(ctx, std::string(64, 'a') + ".test");

  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound) << Describe(missing.error());
  EXPECT_EQ(unaskable.error().code(), ErrorCode::kInvalidArgument) << Describe(unaskable.error());
  co_await server.Stop();
}

CO_TEST(DnsResolverTest, ForgedRepliesAreIgnoredUntilTheRightOneComes) {
  const auto handler = [](const DnsQuestion& question, std::string_view query, DnsServer::Way) {
    DnsAnswer wrong{.records = {ARecord(question.name, "192.0.2.66")}};
    DnsAnswer right;
    if (question.type == DnsType::kA) right.records.push_back(ARecord(question.name, "192.0.2.1"));
    std::string other_id(query);
    other_id[0] = static_cast<char>(other_id[0] ^ 1);
    const std::string other_question =
        std::string(query.substr(0, 12)) + test::DnsName("b.test") + std::string(query.substr(20));
    std::string is_a_query = WriteDnsReply(query, wrong);
    is_a_query[2] = static_cast<char>(is_a_query[2] & 0x7f);
    return std::vector{WriteDnsReply(other_id, wrong), WriteDnsReply(other_question, wrong),
                       is_a_query, std::string("\x01"), WriteDnsReply(query, right)};
  };
  DnsServer server(ctx, handler);
  DnsResolver resolver(server.endpoint());

  const auto found = co_await resolver.Resolve(ctx, "a.test");

  EXPECT_EQ(Texts(found), std::vector<std::string>{"192.0.2.1"});
  co_await server.Stop();
}

CO_TEST(DnsResolverTest, AsksAgainAndThenGivesUp) {
  int heard = 0;
  const auto silent = [&](const DnsQuestion&, std::string_view, DnsServer::Way) {
    ++heard;
    return std::vector<std::string>();
  };
  DnsServer server(ctx, silent);
  DnsResolver resolver(server.endpoint(), {.try_timeout = milliseconds(30), .tries = 3});

  const auto found = co_await resolver.Resolve(ctx, "a.test");

  EXPECT_EQ(found.error().code(), ErrorCode::kTimeout);
  EXPECT_EQ(heard, 6);
  co_await server.Stop();
}

CO_TEST(DnsResolverTest, AnAnswerThatDidNotFitIsFetchedOverTcp) {
  const auto handler = [](const DnsQuestion& question, std::string_view query, DnsServer::Way way) {
    DnsAnswer answer{.is_truncated = way == DnsServer::Way::kUdp};
    if (question.type == DnsType::kA && way == DnsServer::Way::kTcp) {
      for (int i = 1; i <= 100; ++i) {
        answer.records.push_back(ARecord("a.test", ("192.0.2." + std::to_string(i)).c_str()));
      }
    }
    return std::vector{WriteDnsReply(query, answer)};
  };
  DnsServer server(ctx, handler);
  DnsResolver resolver(server.endpoint());

  const auto found = co_await resolver.Resolve(ctx, "a.test");

  EXPECT_EQ(found.value_or(Addresses()).size(), 100U);
  co_await server.Stop();
}

TEST(DnsMessageTest, BrokenRepliesAreRefusedWhereverTheyBreak) {
  const auto query = WriteDnsQuery(7, {.name = "a.test", .type = DnsType::kA});
  ASSERT_TRUE(query);
  const std::string whole = WriteDnsReply(
      *query, {.records = {Alias("a.test", "b.test"), ARecord("b.test", "192.0.2.1")}});
  ASSERT_EQ(ReadDnsReply(whole)->answers.size(), 2U);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ReadDnsReply(whole.substr(0, size))) << size;
  }
}

TEST(DnsMessageTest, NamesThatPointInCirclesEnd) {
  const auto query = WriteDnsQuery(7, {.name = "a.test", .type = DnsType::kA});
  ASSERT_TRUE(query);
  std::string reply = WriteDnsReply(*query, {.records = {ARecord("a.test", "192.0.2.1")}});
  // The record's name points at itself.
  const std::size_t at = query->size();
  reply[at] = '\xc0';
  reply[at + 1] = static_cast<char>(at);

  EXPECT_FALSE(ReadDnsReply(reply));
}

CO_TEST(SystemResolverTest, KnowsThisMachine) {
  SystemResolver resolver;

  const auto found = co_await resolver.Resolve(ctx, "localhost");

  EXPECT_TRUE(found) << Describe(found.error());
  for (const auto& address : *found) EXPECT_TRUE(address.is_loopback()) << address;
}

CO_TEST(SystemResolverTest, WhoeverDoesNotWaitGetsNoAnswer) {
  SystemResolver resolver({.threads = 1, .max_waiting = 1});
  CancelSource off;
  off.Cancel(Error(ErrorCode::kCancelled, "no longer wanted"));

  const auto found = co_await resolver.Resolve(ctx.WithCancel(off.token()), "localhost");

  EXPECT_EQ(found.error().code(), ErrorCode::kCancelled);
}

}  // namespace
}  // namespace falconer::net
