#include "net/egress/checked_web.h"

#include <map>

#include <gtest/gtest.h>

#include "net/http_server.h"
#include "tests/support/co_test.h"

namespace falconer::net {
namespace {

using boost::asio::ip::make_address;

class ListedNames final : public Resolver {
 public:
  Task<Result<Addresses>> Resolve(CallContext /*ctx*/, std::string name) override {
    ++asked;
    const auto found = names.find(name);
    if (found == names.end()) co_return Fail(ErrorCode::kNotFound, "no such name");
    co_return found->second;
  }

  std::map<std::string, Addresses> names;
  int asked = 0;
};

// Lets out to hosts whose name ends so, and to this machine's first address only.
class FewPlaces final : public EgressRule {
 public:
  EgressVerdict DecideHost(const EgressAsk& ask) override {
    const bool is_good = ask.host.ends_with("good.test") || ask.host == "127.0.0.1";
    return {.is_allowed = is_good, .rule = "few", .reason = "no_allow_rule", .id = "egr_1"};
  }
  EgressVerdict DecideAddress(const EgressAsk& /*ask*/,
                              const boost::asio::ip::address& address) override {
    const bool is_good = address == make_address("127.0.0.1");
    return {.is_allowed = is_good, .rule = "few", .reason = "private_address", .id = "egr_2"};
  }
};

Task<HttpResponse> TellHost(HttpRequest request) {
  co_return TextResponse(
      200, "text/plain",
      std::string(request.headers.Find("Host").value_or("")) + " " + request.body);
}

struct CheckedBench {
  explicit CheckedBench(const CallContext& ctx)
      : server(ctx.executor(), ctx.clock(), &TellHost), web(names, rule) {
    EXPECT_TRUE(server.Listen());
    names.names["good.test"] = {make_address("127.0.0.1")};
    names.names["inside.good.test"] = {make_address("10.0.0.1")};
    names.names["both.good.test"] = {make_address("127.0.0.1"), make_address("169.254.169.254")};
    names.names["evil.test"] = {make_address("127.0.0.1")};
  }
  Task<Result<HttpReply>> Post(CallContext ctx, std::string host) {
    return web.Send(std::move(ctx),
                    {.url = "http://" + host + ":" + std::to_string(server.port()) + "/hook",
                     .method = "POST",
                     .body = "hi"});
  }

  HttpServer server;
  ListedNames names;
  FewPlaces rule;
  CheckedWeb web;
};

CO_TEST(CheckedWebTest, GoesWhereTheRuleLetsIt) {
  CheckedBench bench(ctx);
  const auto named = co_await bench.Post(ctx, "good.test");
  EXPECT_TRUE(named) << named.error().message();
  if (named) EXPECT_EQ(named->body, "good.test:" + std::to_string(bench.server.port()) + " hi");
  EXPECT_TRUE(co_await bench.Post(ctx, "127.0.0.1"));
  co_await bench.server.Stop(ctx);
}

CO_TEST(CheckedWebTest, GoesNowhereElse) {
  CheckedBench bench(ctx);
  const auto evil = co_await bench.Post(ctx, "evil.test");
  EXPECT_TRUE(!evil && evil.error().code() == ErrorCode::kSecurityDomainBlock);
  if (!evil) EXPECT_EQ(TextAt(evil.error().details(), "denial_id"), "egr_1");
  EXPECT_EQ(bench.names.asked, 0) << "a lookup alone can carry data away";
  for (const char* host : {"inside.good.test", "both.good.test"}) {
    const auto inside = co_await bench.Post(ctx, host);
    EXPECT_TRUE(!inside && inside.error().code() == ErrorCode::kSecurityDomainBlock) << host;
    if (!inside) EXPECT_EQ(TextAt(inside.error().details(), "reason"), "private_address");
  }
  const auto unknown = co_await bench.Post(ctx, "no.good.test");
  EXPECT_TRUE(!unknown && unknown.error().code() == ErrorCode::kNetworkError);
  for (const char* url : {"http://good.test:25/", "http://0x7f.1/", "ftp://good.test/", "good"}) {
    const auto bad = co_await bench.web.Send(ctx, {.url = url});
    EXPECT_FALSE(bad) << url;
  }
  co_await bench.server.Stop(ctx);
}

}  // namespace
}  // namespace falconer::net
