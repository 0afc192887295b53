#include "app/schema_command.h"

#include <sstream>

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

TEST(SchemaCommandTest, PrintsOneSchemaOnOneLine) {
  const std::pair<decltype(&RunSchemaPlan), std::string_view> commands[] = {
      {&RunSchemaContract, "urn:falconer:schema:contract:1"},
      {&RunSchemaPlan, "urn:falconer:schema:plan:1"},
      {&RunSchemaResult, "urn:falconer:schema:result:1"},
      {&RunSchemaPlanResult, "urn:falconer:schema:plan_result:1"},
  };
  for (const auto& [run, id] : commands) {
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal{out, err, Colour::kOff};

    EXPECT_EQ(run({}, terminal), kExitOk);

    const auto schema = ParseJsonObject(out.str());
    ASSERT_TRUE(schema) << id;
    EXPECT_EQ(schema->at("$id").as_string(), id);
    EXPECT_EQ(out.str().find('\n'), out.str().size() - 1);
    EXPECT_EQ(err.str(), "");
  }
}

}  // namespace
}  // namespace falconer::app
