// What is done in the demo's shop becomes a workflow: real pages, real fingerprints, and the
// contracts of the workflow carried out in them again.

#include <algorithm>
#include <fmt/format.h>

#include "app/demo/shop/shop_site.h"
#include "predict/record/recording_book.h"
#include "predict/workflows/workflow_plan.h"
#include "tests/support/runtime_bench.h"

namespace falconer::test {
namespace {

constexpr std::string_view kPassword = "coffee-please";

// Keeps what was done as a recording does.
class RecordingWatch final : public engine::TurnWatch {
 public:
  bool WantsFingerprints(const browser::SessionKey& /*key*/) const override { return true; }
  void OnTurn(const engine::WatchedTurn& turn) override {
    if (turn.result.success) steps.push_back(predict::StepOf(turn));
  }
  void OnSessionClosed(const browser::SessionKey& /*key*/) override {}

  std::vector<predict::RecordedStep> steps;
};

struct Order {
  std::string coffee;
  std::string name;
  std::string email;
  std::string street;
  std::string town;
  std::string settle;
};

struct ShopBench {
  explicit ShopBench(BrowserFixture& fixture)
      : t(fixture),
        shop(t.ctx.executor(), t.ctx.clock(), {.name = "ada", .password = std::string(kPassword)},
             "http://localhost:9") {
    EXPECT_TRUE(shop.Start());
  }

  Task<model::ActionExecutionResult> Do(std::string session, json::object spec) {
    const json::object contract = {
        {"workflow_id", session}, {"step_index", ++step}, {"action_spec", std::move(spec)}};
    auto done = co_await bench.Execute(json::serialize(contract));
    EXPECT_TRUE(done.success) << json::serialize(contract) << json::serialize(done.ToJson());
    co_return done;
  }
  Task<void> Open(std::string session, std::string_view path) {
    co_await Do(std::move(session), {{"action_type", "navigate"}, {"url", shop.Url(path)}});
  }
  Task<void> Click(std::string session, std::string selector) {
    co_await Do(std::move(session), {{"action_type", "click"}, {"selector", std::move(selector)}});
  }
  Task<void> Type(std::string session, std::string label, std::string text) {
    co_await Do(std::move(session), {{"action_type", "fill"},
                                     {"selector", fmt::format("label=\"{}\"", label)},
                                     {"text", std::move(text)}});
  }

  // Everything from the log-in to the order.
  Task<predict::LearnedWorkflow> Buy(std::string session, Order order) {
    watch.steps.clear();
    co_await Open(session, "/login");
    co_await Type(session, "Account", "ada");
    co_await Type(session, "Password", std::string(kPassword));
    co_await Click(session, R"(role=button[name="Log in"])");
    co_await Open(session, "/");
    co_await Click(session, fmt::format(R"(role=link[name="{}"])", order.coffee));
    co_await Click(session, R"(role=button[name="Add to cart"])");
    co_await Click(session, R"(role=link[name="Go to checkout"])");
    co_await Type(session, "Full name", order.name);
    co_await Type(session, "E-mail", order.email);
    co_await Type(session, "Street and number", order.street);
    co_await Type(session, "Postcode and town", order.town);
    json::object settle{{"action_type", "select"}, {"selector", "label=\"How to settle\""}};
    settle["select_values"] = json::array{{{"label", order.settle}}};
    co_await Do(session, std::move(settle));
    co_await Click(session, R"(role=button[name="Place order"])");
    auto learned = predict::WorkflowFrom(
        {.id = session, .workflow = "buy-coffee", .steps = std::move(watch.steps)});
    EXPECT_TRUE(learned) << learned.error().message();
    co_return learned.value_or(predict::LearnedWorkflow());
  }

  // The contracts of the workflow, with the password that its secret stands for.
  Task<void> CarryOut(predict::LearnedWorkflow workflow, predict::ParameterValues values) {
    auto contracts = predict::ContractsFrom(workflow, values, {.workflow = WorkflowId("again")});
    EXPECT_TRUE(contracts) << contracts.error().message();
    if (!contracts) co_return;
    for (model::ActionContract& contract : *contracts) {
      auto& text = contract.action_spec.text;
      if (text && text->is_secret()) text = model::TextInput{.value = std::string(kPassword)};
      const auto done = co_await bench.Execute(json::serialize(contract.ToJson()));
      EXPECT_TRUE(done.success) << contract.intent << json::serialize(done.ToJson());
      if (!done.success) co_return;
    }
  }
  Task<void> Stop() {
    co_await bench.Stop();
    co_await shop.Stop(t.ctx.WithTimeout(kLongPatience));
  }

  BrowserFixture& t;
  app::ShopSite shop;
  TempDir data = TempDir::Create("falconer-workflow-test-").value();
  RecordingWatch watch;
  RuntimeBench bench{t, data.path(), "test:1", nullptr, &watch};
  int step = 0;
};

std::vector<Order> SomeOrders() {
  return {{"Huila", "Grace Hopper", "grace@navy.example", "Navy Road 7", "22202 Arlington",
           "Invoice, 14 days"},
          {"House blend", "Mary Somerville", "mary@sea.example", "Burntisland 3", "KY3 Fife",
           "Invoice, 14 days"},
          {"Nyeri AA", "Emmy Noether", "emmy@ring.example", "Erlangen 9", "91052 Erlangen",
           "Invoice, 14 days"}};
}

predict::ParameterValues NewOrder() {
  return {{"account", "ada"},
          {"product", "Night shift"},
          {"full_name", "Katherine \"K\" Johnson"},
          {"e_mail", "kj@orbit.example"},
          {"street_and_number", "Moon Street 11"},
          {"postcode_and_town", "23666 Hampton"},
          {"how_to_settle", "Invoice, 14 days"}};
}

BROWSER_TEST(LearnedWorkflowTest, ThreePurchasesAreOneWorkflowThatBuysAnotherCoffee) {
  ShopBench test(t);
  std::vector<predict::LearnedWorkflow> recordings;
  for (const Order& order : SomeOrders())
    recordings.push_back(co_await test.Buy("buys-" + std::to_string(recordings.size()), order));

  const auto merged = predict::MergeWorkflows(recordings);
  EXPECT_TRUE(merged) << merged.error().message();
  const auto workflow = merged.value_or(predict::LearnedWorkflow());
  const std::string document = predict::WorkflowToYaml(workflow);
  std::vector<std::string> names;
  for (const auto& parameter : workflow.parameters) names.push_back(parameter.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"account", "product", "full_name", "e_mail",
                                      "street_and_number", "postcode_and_town", "how_to_settle"}))
      << document;
  EXPECT_TRUE(std::ranges::all_of(workflow.steps, [](const auto& step) {
    return step.recordings == 3;
  })) << document;
  for (const Order& order : SomeOrders()) {
    for (const std::string& text : {order.coffee, order.name, order.email, order.street, order.town,
                                    order.settle, std::string(kPassword)})
      EXPECT_FALSE(document.contains(text)) << text << "\n" << document;
  }

  co_await test.CarryOut(workflow, NewOrder());

  const auto told = co_await test.bench.Execute(
      R"({"workflow_id": "again", "step_index": 99, "action_spec": {"action_type": "extract", "extract": {"what": "text"}, "selector": "main"}})");
  const std::string page = json::serialize(told.ToJson());
  EXPECT_TRUE(page.contains("Order placed")) << page;
  EXPECT_TRUE(page.contains("Night shift")) << page;
  co_await test.Stop();
}

}  // namespace
}  // namespace falconer::test
