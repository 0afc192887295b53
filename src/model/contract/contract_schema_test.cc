// The schemas are well formed, and the fixtures in tests/schema mean to the readers what they say.
// What a validator makes of the same fixtures is checked in tests/schema/schema.test.mjs.

#include "model/contract/contract_schema.h"

#include <filesystem>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "base/file.h"
#include "model/contract/contract.h"
#include "model/contract/plan_dag.h"
#include "model/contract/result.h"

namespace falconer::model {
namespace {

json::object Fixtures(std::string_view name) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "../../../tests/schema";
  const auto text = ReadFile(folder / (std::string(name) + ".json"));
  EXPECT_TRUE(text) << name;
  auto value = ParseJsonObject(text.value_or("{}"));
  EXPECT_TRUE(value) << name;
  return value.value_or(json::object());
}

void ForEachObject(const json::value& value, const std::function<void(const json::object&)>& see) {
  if (const json::object* object = value.if_object()) {
    see(*object);
    for (const auto& member : *object) ForEachObject(member.value(), see);
  } else if (const json::array* array = value.if_array()) {
    for (const json::value& one : *array) ForEachObject(one, see);
  }
}

TEST(ContractSchemaTest, EveryReferenceLeadsSomewhereAndEveryDefinitionIsUsed) {
  for (const json::object& schema :
       {ContractSchema(), PlanSchema(), ResultSchema(), PlanResultSchema()}) {
    std::set<std::string> used;
    ForEachObject(schema, [&used](const json::object& object) {
      const json::value* ref = object.if_contains("$ref");
      if (ref != nullptr) used.insert(std::string(ref->as_string()));
    });
    std::set<std::string> defined;
    for (const auto& member : schema.at("$defs").as_object()) {
      defined.insert("#/$defs/" + std::string(member.key()));
    }
    EXPECT_EQ(used, defined) << schema.at("$id");
  }
}

TEST(ContractSchemaTest, DescribesEveryFieldThatAContractWrites) {
  const json::value schema = ContractSchema();
  const json::object& known = schema.at("$defs").at("contract").at("properties").as_object();
  for (const json::value& fixture : Fixtures("contract")["valid"].as_array()) {
    for (const auto& member : fixture.as_object()) {
      EXPECT_TRUE(known.contains(member.key())) << member.key();
    }
  }
}

template <typename T>
void CheckFixtures(std::string_view name) {
  json::object fixtures = Fixtures(name);
  for (const json::value& one : fixtures["valid"].as_array()) {
    const auto read = T::FromJson(one);
    ASSERT_TRUE(read) << json::serialize(one) << ": " << Describe(read.error());
    const auto again = T::FromJson(read->ToJson());
    ASSERT_TRUE(again) << json::serialize(one) << ": " << Describe(again.error());
    EXPECT_EQ(*again, *read) << json::serialize(one);
  }
  for (const json::value& one : fixtures["broken"].as_array()) {
    EXPECT_FALSE(T::FromJson(one.at("value"))) << one.at("why");
  }
}

TEST(ContractSchemaTest, TheReadersAgreeWithTheFixtures) {
  CheckFixtures<ActionContract>("contract");
  CheckFixtures<TaskPlan>("plan");
  CheckFixtures<ActionExecutionResult>("result");
}

TEST(ContractSchemaTest, TheFixturesShowEveryActionRuleAndWait) {
  std::set<std::string> seen;
  ForEachObject(Fixtures("contract")["valid"], [&seen](const json::object& object) {
    for (const char* key : {"action_type", "rule_type", "kind"}) {
      const json::value* name = object.if_contains(key);
      if (name != nullptr) seen.insert(key + std::string(":") + std::string(name->as_string()));
    }
  });
  for (const ActionTraits& row : AllActionTypes()) {
    EXPECT_TRUE(seen.contains("action_type:" + std::string(row.name))) << row.name;
  }
  for (const RuleTraits& row : AllRuleTypes()) {
    EXPECT_TRUE(seen.contains("rule_type:" + std::string(row.name))) << row.name;
  }
  for (const WaitTraits& row : AllWaitKinds()) {
    EXPECT_TRUE(seen.contains("kind:" + std::string(row.name))) << row.name;
  }
}

}  // namespace
}  // namespace falconer::model
