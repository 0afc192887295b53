#include "net/egress/server_address.h"

#include <gtest/gtest.h>

#include "net/egress/local_names.h"
#include "net/egress/resolver_chain.h"
#include "tests/support/co_test.h"

namespace falconer::net {
namespace {

TEST(ServerAddressTest, ReadsAProxyWithAndWithoutCredentials) {
  const auto plain = ParseUpstreamProxy("http://proxy.example:3128");
  ASSERT_TRUE(plain) << Describe(plain.error());
  EXPECT_EQ(plain->host, "proxy.example");
  EXPECT_EQ(plain->port, 3128);
  EXPECT_EQ(plain->user, "");

  const auto known = ParseUpstreamProxy("http://me%40work:p%3Ass@[2001:db8::1]:8080/");
  ASSERT_TRUE(known) << Describe(known.error());
  EXPECT_EQ(known->host, "2001:db8::1");
  EXPECT_EQ(known->user, "me@work");
  EXPECT_EQ(known->password, "p:ss");

  EXPECT_EQ(ParseUpstreamProxy("10.0.0.1:8080")->host, "10.0.0.1");
}

TEST(ServerAddressTest, SaysWhatIsWrongWithAProxyAndKeepsThePassword) {
  for (const char* text :
       {"", "http://", "http://proxy", "socks5://me:hunter2@p:1", "https://me:hunter2@p:1",
        "http://me:hunter2@p:1/path", "http://p:99999", "http://p:1?x"}) {
    const auto parsed = ParseUpstreamProxy(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_FALSE(parsed.error().message().contains("hunter2")) << text;
  }
  EXPECT_TRUE(ParseUpstreamProxy("socks5://p:1").error().message().contains("socks5"));
}

TEST(ServerAddressTest, ReadsNameServers) {
  const std::pair<const char*, const char*> good[] = {{"192.0.2.1", "192.0.2.1:53"},
                                                      {"192.0.2.1:5353", "192.0.2.1:5353"},
                                                      {"2001:db8::1", "[2001:db8::1]:53"},
                                                      {"[2001:db8::1]:54", "[2001:db8::1]:54"}};
  for (const auto& [text, means] : good) {
    const auto parsed = ParseNameServer(text);
    ASSERT_TRUE(parsed) << text;
    std::ostringstream out;
    out << *parsed;
    EXPECT_EQ(out.str(), means);
  }
  for (const char* text :
       {"", "dns.example", "192.0.2.1:", "192.0.2.1:0", "192.0.2.1:70000", "[::"})
    EXPECT_FALSE(ParseNameServer(text)) << text;
}

// Answers every name alike.
class FixedResolver final : public Resolver {
 public:
  FixedResolver(Result<Addresses> answer, int* asked) : answer_(std::move(answer)), asked_(asked) {}
  Task<Result<Addresses>> Resolve(CallContext /*ctx*/, std::string /*name*/) override {
    ++*asked_;
    co_return answer_;
  }

 private:
  Result<Addresses> answer_;
  int* asked_;
};

CO_TEST(LocalNamesTest, KnowsThisMachineAndAsksForTheRest) {
  int asked = 0;
  FixedResolver inner(Addresses{boost::asio::ip::make_address("192.0.2.7")}, &asked);
  LocalNames names(inner);
  for (const char* name : {"localhost", "a.b.localhost"}) {
    const auto found = co_await names.Resolve(ctx, name);
    EXPECT_TRUE(found);
    if (!found) co_return;
    for (const auto& address : *found) EXPECT_TRUE(address.is_loopback());
  }
  EXPECT_EQ(asked, 0);
  for (const char* name : {"notlocalhost", "localhost.example"}) {
    const auto found = co_await names.Resolve(ctx, name);
    EXPECT_EQ(found->front().to_string(), "192.0.2.7");
  }
  EXPECT_EQ(asked, 2);
}

CO_TEST(ResolverChainTest, AsksTheNextWhenOneDoesNotAnswer) {
  int first = 0;
  int second = 0;
  const auto chain_of = [&](Result<Addresses> answer) {
    std::vector<std::unique_ptr<Resolver>> list;
    list.push_back(std::make_unique<FixedResolver>(std::move(answer), &first));
    list.push_back(std::make_unique<FixedResolver>(
        Addresses{boost::asio::ip::make_address("192.0.2.8")}, &second));
    return ResolverChain(std::move(list));
  };
  ResolverChain silent = chain_of(Fail(ErrorCode::kTimeout, "no answer"));
  EXPECT_TRUE(co_await silent.Resolve(ctx, "a.test"));
  EXPECT_EQ(second, 1);
  ResolverChain sure = chain_of(Fail(ErrorCode::kNotFound, "no such name"));
  const auto none = co_await sure.Resolve(ctx, "a.test");
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(second, 1) << "that there is no such name is an answer";
}

}  // namespace
}  // namespace falconer::net
