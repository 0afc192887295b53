#include "api/mcp/completer.h"

#include "tests/support/co_test.h"
#include "tests/support/mcp_offer_bench.h"

namespace falconer::api {
namespace {

using test::FailureIn;
using test::McpOfferBench;

// Proposes numbers that begin with what was typed, up to 149.
class Numbers : public Completer {
 public:
  Task<Result<Completion>> Complete(CallContext, CompletionQuestion question) override {
    asked = question;
    if (question.subject == "unknown")
      co_return Fail(ErrorCode::kInvalidArgument, "no such prompt");
    Completion completion;
    for (int i = 0; i < 150; ++i) {
      const std::string number = std::to_string(i);
      if (number.starts_with(question.value)) completion.values.push_back(number);
    }
    co_return completion;
  }

  CompletionQuestion asked;
};

json::object Question(std::string_view type, std::string_view field, std::string_view subject,
                      std::string_view value) {
  return {{"ref", {{"type", type}, {field, subject}}},
          {"argument", {{"name", "number"}, {"value", value}}}};
}

struct CompleterBench {
  explicit CompleterBench(const CallContext& ctx) : bench(ctx, Offer()) {}

  McpOffer Offer() const {
    McpOffer offer(ToolCatalog({}));
    offer.completer = numbers;
    return offer;
  }

  std::shared_ptr<Numbers> numbers = std::make_shared<Numbers>();
  McpOfferBench bench;
};

CO_TEST(CompleterTest, ProposesForPromptsAndResources) {
  CompleterBench completer(ctx);

  const auto prompt = co_await completer.bench.Ask("completion/complete",
                                                   Question("ref/prompt", "name", "count", "14"));
  EXPECT_EQ(completer.numbers->asked.of, CompletionQuestion::Of::kPrompt);
  EXPECT_EQ(completer.numbers->asked.argument, "number");
  const auto resource = co_await completer.bench.AskModern(
      "completion/complete", Question("ref/resource", "uri", "shelf://{number}", "7"));

  EXPECT_EQ(completer.numbers->asked.of, CompletionQuestion::Of::kResource);
  EXPECT_EQ(completer.numbers->asked.subject, "shelf://{number}");
  EXPECT_EQ(prompt.at("result").at("completion").at("total"), 11);
  EXPECT_EQ(prompt.at("result").at("completion").at("hasMore"), false);
  EXPECT_EQ(resource.at("result").at("completion").at("values").at(0), "7");
}

CO_TEST(CompleterTest, SendsAtMostAHundred) {
  CompleterBench completer(ctx);

  const auto all = co_await completer.bench.Ask("completion/complete",
                                                Question("ref/prompt", "name", "count", ""));

  const auto& completion = all.at("result").at("completion");
  EXPECT_EQ(completion.at("values").as_array().size(), 100U);
  EXPECT_EQ(completion.at("total"), 150);
  EXPECT_EQ(completion.at("hasMore"), true);
}

CO_TEST(CompleterTest, RefusesQuestionsThatAreNone) {
  CompleterBench completer(ctx);
  json::object nameless = Question("ref/prompt", "name", "count", "");
  nameless["argument"] = json::object();

  const json::object questions[] = {{},
                                    {{"ref", {{"type", "ref/prompt"}, {"name", "count"}}}},
                                    Question("ref/tool", "name", "count", ""),
                                    Question("ref/prompt", "uri", "count", ""),
                                    Question("ref/prompt", "name", "unknown", ""),
                                    nameless};
  for (const json::object& question : questions) {
    const auto refused = co_await completer.bench.Ask("completion/complete", question);
    EXPECT_EQ(FailureIn(refused), kRpcInvalidParams) << json::serialize(question);
  }
}

}  // namespace
}  // namespace falconer::api
