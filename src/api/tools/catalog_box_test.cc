// The tools as the loop calls them.
#include "api/tools/catalog_box.h"

#include <gtest/gtest.h>

#include "tests/support/co_test.h"
#include "tests/support/mcp_tools.h"
#include "tests/support/tool_bench.h"

namespace falconer::api {
namespace {

Task<ToolAnswer> Shoot(CallContext, ToolCall) {
  co_return ToolAnswer{.text = "ok shot_1",
                       .image = ToolImage{.base64 = "aGVsbG8=", .mime = "image/png"},
                       .artifacts = {"shot_1"}};
}

Task<ToolAnswer> Refuse(CallContext, ToolCall) {
  co_return ToolAnswer{.text = "it went wrong\nbadly", .is_error = true};
}

struct BoxBench {
  test::KeptSteps trace;
  ToolCatalog catalog{
      {test::Named("shoot", Shoot), test::Named("refuse", Refuse), test::Named("echo", test::Echo)},
      std::make_shared<agent::Dispatcher>(agent::DispatchSetup{
          .run_id = "run_7", .mode = agent::CallMode::kInternal, .trace = &trace})};
};

std::string NamesIn(const agent::ToolBox& box) {
  std::string names;
  for (const agent::ToolDescriptor* tool : box.Tools()) names += tool->name + " ";
  return names;
}

CO_TEST(CatalogBoxTest, HasTheToolsOfTheCatalogOrThoseThatAreNamed) {
  BoxBench bench;
  CatalogBox all(bench.catalog);
  CatalogBox some(bench.catalog, {"echo", "nothing"});

  EXPECT_EQ(NamesIn(all), "shoot refuse echo ");
  EXPECT_EQ(NamesIn(some), "echo ");
  const auto hidden = co_await some.Call(ctx, {.id = "1", .name = "shoot", .arguments = {}});
  EXPECT_EQ(hidden.failure->error.code(), ErrorCode::kNotFound) << "what is not named is not there";
}

CO_TEST(CatalogBoxTest, GivesPicturesAndPutsTheStepOnTheTrace) {
  BoxBench bench;
  CatalogBox box(bench.catalog);

  const auto result = co_await box.Call(ctx, {.id = "1", .name = "shoot", .arguments = {}});

  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.images.size(), 1U);
  EXPECT_EQ(result.images.at(0).bytes, "hello");
  EXPECT_EQ(result.images.at(0).media_type, "image/png");
  EXPECT_EQ(result.artifacts, std::vector<std::string>{"shot_1"});
  const json::object step = bench.trace.steps.at(0).ToJson();
  EXPECT_EQ(step.at("mode"), "internal");
  EXPECT_EQ(step.at("run_id"), "run_7");
  EXPECT_EQ(step.at("artifacts"), (json::array{"shot_1"}));
}

CO_TEST(CatalogBoxTest, AnErrorIsNeverASuccess) {
  BoxBench bench;
  CatalogBox box(bench.catalog);

  const auto result = co_await box.Call(ctx, {.id = "1", .name = "refuse", .arguments = {}});

  EXPECT_EQ(result.error_code(), "execution_error");
  EXPECT_EQ(result.failure->error.message(), "it went wrong");
  EXPECT_EQ(bench.trace.steps.at(0).ToJson().at("status"), "error");
}

}  // namespace
}  // namespace falconer::api
