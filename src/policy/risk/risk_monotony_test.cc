// Whatever is added to a request that changes something, it needs no less than before.

#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/risk_samples.h"

namespace falconer::policy {
namespace {

using test::Post;
using test::Send;
using test::Show;

constexpr const char* kFormType = "application/x-www-form-urlencoded";
constexpr const char* kJsonBody = "application/json";

const std::vector<model::RequestFacts>& Corpus() {
  static const std::vector<model::RequestFacts> requests = {
      Post("https://a.com/api/account/delete", kJsonBody, R"({"confirm":true})"),
      Post("https://a.com/api/webhooks", kJsonBody, R"({"url":"https://b.example"})"),
      Post("https://a.com/api/items", kJsonBody, R"({"delete":true,"id":5})"),
      Post("https://a.com/rpc", kJsonBody, R"({"jsonrpc":"2.0","method":"deleteUser"})"),
      Post("https://a.com/api/x", kJsonBody, R"({"a":{"b":"4111 1111 1111 1111"}})"),
      Post("https://a.com/api/payments", kJsonBody, R"({"amount":49.5,"currency":"EUR"})"),
      Post("https://a.com/api/orders", kJsonBody, R"({"items":[{"sku":1}]})"),
      Post("https://a.com/session", kJsonBody, R"({"user":"a","password":"b"})"),
      Post("https://a.com/graphql", kJsonBody, R"({"query":"mutation M { deleteProject }"})"),
      Post("https://a.com/graphql", kJsonBody, R"({"query":"{ orders { id } }"})"),
      Post("https://a.com/graphql", kJsonBody,
           R"({"operationName":"DeleteUser","extensions":{"persistedQuery":{"version":1}}})"),
      Post("https://a.com/items/5", kFormType, "_method=delete&token=x"),
      Post("https://a.com/checkout", kFormType, "step=3&terms=on", "document"),
      Post("https://a.com/x", kFormType, "new_password=b&iban=x"),
      Post("https://a.com/team/invite", kFormType, "who=a"),
      {.method = "PATCH",
       .url = "https://a.com/api/notes/5",
       .content_type = kJsonBody,
       .resource_type = "fetch",
       .body = R"({"title":"x"})"},
      {.method = "DELETE", .url = "https://a.com/api/items/5", .resource_type = "fetch"},
      {.method = "PUT",
       .url = "https://a.com/photos/remove",
       .content_type = "image/png",
       .resource_type = "fetch",
       .body = "\x89PNG"},
  };
  return requests;
}

class Decoys {
 public:
  explicit Decoys(std::uint64_t seed) : random_(seed) {}

  // Adds one thing somewhere.
  void Add(model::RequestFacts& request) {
    if (Below(2) == 0) return AddToAddress(request);
    if (request.content_type == kFormType) {
      request.body = Below(2) == 0 ? request.body + "&" + Pair() : Pair() + "&" + request.body;
    } else if (request.content_type == kJsonBody) {
      AddToJson(request.body);
    }
  }

 private:
  std::size_t Below(std::size_t most) { return random_() % most; }
  template <std::size_t N>
  std::string OneOf(const std::string_view (&words)[N]) {
    return std::string(words[Below(N)]);
  }

  std::string Word() {
    constexpr std::string_view kWords[] = {
        "view",     "list",  "search",    "find",    "query",   "cart",     "filter",
        "wishlist", "track", "events",    "log",     "collect", "ping",     "help",
        "blog",     "forum", "graphql",   "gql",     "docs",    "photo",    "a",
        "x.png",    "x.js",  "analytics", "preview", "read",    "variables"};
    return OneOf(kWords);
  }
  std::string Pair() { return Word() + std::to_string(Below(3)) + "=" + Word(); }
  std::string Plain() { return Word() + "=" + std::to_string(Below(9)); }

  void AddToAddress(model::RequestFacts& request) {
    std::string& url = request.url;
    const std::size_t path = url.find('/', url.find("//") + 2);
    const std::size_t query = std::min(url.find('?'), url.size());
    switch (Below(4)) {
      case 0:
        url += (query == url.size() ? "?" : "&") + Plain();
        break;
      case 1:
        url += (query == url.size() ? "?" : "&") + Pair();
        break;
      case 2:
        url.insert(path, "/" + Word());
        break;
      default:
        url.insert(query, ";" + Word());
        break;
    }
  }

  void AddToJson(std::string& body) {
    constexpr std::string_view kMembers[] = {R"("query":"{a}")",       R"("operationName":"Q")",
                                             R"("variables":{"a":1})", R"("view":1)",
                                             R"("cart":"x")",          R"("event":"pageview")",
                                             R"("type":"track")",      R"("list":[1,2,{}])",
                                             R"("search":"")",         R"("extensions":{"a":1})",
                                             R"("z":1,"z":2)",         R"("price":"1 €")"};
    const bool is_batch = body.starts_with('[');
    switch (Below(4)) {
      case 0:
        body = "[" + (is_batch ? body.substr(1, body.size() - 2) : body) + R"(,{"query":"{a}"}])";
        break;
      case 1:
        AddToDocument(body);
        break;
      default:
        // A name that is there already stands twice then, as some servers allow.
        const std::size_t brace = body.find('{');
        body.insert(brace + 1, OneOf(kMembers) + ",");
        break;
    }
  }

  // In the text of a JSON string, where the document of the request begins.
  void AddToDocument(std::string& body) {
    constexpr std::string_view kParts[] = {R"(#\r)",
                                           R"(# mutation\n)",
                                           "query Z{z} ",
                                           ",, ",
                                           R"(\"\"\"x\"\"\" query Y{y} )",
                                           R"(query X{x(s:\"\"\"\\\"\"\" ( \"\"\")} )"};
    constexpr std::string_view kStart = "\"query\":\"mutation";
    const std::size_t at = body.find(kStart);
    if (at != body.npos) body.insert(at + kStart.size() - 8, OneOf(kParts));
  }

  std::mt19937_64 random_;
};

TEST(RiskTest, WhatIsAddedToARequestOnlyAdds) {
  constexpr std::uint64_t kRounds = 60;
  constexpr int kSteps = 6;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    Decoys decoys(seed);
    for (const model::RequestFacts& original : Corpus()) {
      model::RequestFacts request = original;
      const Risk first = Send(original);
      for (int step = 0; step < kSteps; ++step) {
        decoys.Add(request);
        const Risk now = Send(request);
        ASSERT_TRUE(now.capabilities.ContainsAll(first.capabilities) && now.level >= first.level)
            << "seed " << seed << "\n"
            << original.method << " " << original.url << " " << original.body << "\n"
            << Show(first) << "\n"
            << request.url << " " << request.body << "\n"
            << Show(now);
      }
    }
  }
}

// A page chooses how it sends. A beacon may weigh less, and needs as much.
TEST(RiskTest, NoWayOfSendingTakesACapabilityAway) {
  for (const model::RequestFacts& original : Corpus()) {
    if (original.resource_type == "document") continue;
    for (const char* type : {"ping", "xhr", "other", "cspviolationreport", ""}) {
      model::RequestFacts request = original;
      request.resource_type = type;
      EXPECT_TRUE(Send(request).capabilities.ContainsAll(Send(original).capabilities))
          << original.url << " " << type;
    }
  }
}

}  // namespace
}  // namespace falconer::policy
