#include <string>

#include <gtest/gtest.h>

#include "base/settings/settings.h"
#include "base/settings/settings_table.h"

namespace falconer {
namespace {

const json::value& Find(const json::value& value, std::string_view pointer) {
  return value.at_pointer(pointer);
}

TEST(SettingsSchemaTest, DescribesEverySettingOnceAndNamesItTwice) {
  const json::value schema = SettingsSchema();

  EXPECT_EQ(Find(schema, "/$defs").as_object().size(), AllSettings().size());
  for (const SettingRow& row : AllSettings()) {
    const std::string key(row.key);
    EXPECT_EQ(Find(schema, "/$defs/" + key + "/description").as_string(), row.help);
    EXPECT_EQ(Find(schema, "/properties/" + key + "/$ref").as_string(), "#/$defs/" + key);
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos) continue;
    EXPECT_EQ(Find(schema, "/properties/" + key.substr(0, dot) + "/properties/" +
                               key.substr(dot + 1) + "/$ref")
                  .as_string(),
              "#/$defs/" + key);
  }
}

TEST(SettingsSchemaTest, KnowsTypesBoundsAndDefaults) {
  const json::value schema = SettingsSchema();

  EXPECT_EQ(Find(schema, "/$defs/browser.count/minimum"), 1);
  EXPECT_EQ(Find(schema, "/$defs/browser.count/maximum"), 64);
  EXPECT_EQ(Find(schema, "/$defs/browser.count/default"), 1);
  EXPECT_EQ(Find(schema, "/$defs/browser.headless/default"), true);
  EXPECT_EQ(Find(schema, "/$defs/browser.sandbox/enum"), (json::array{"auto", "on", "off"}));
  EXPECT_EQ(Find(schema, "/$defs/timeouts.default/pattern").as_string(), "^[0-9]+(ms|s|m|h)?$");
  EXPECT_EQ(Find(schema, "/$defs/timeouts.default/default").as_string(), "20s");
  EXPECT_EQ(Find(schema, "/$defs/proxy.server/writeOnly"), true);
}

TEST(SettingsSchemaTest, AllowsNothingElse) {
  const json::value schema = SettingsSchema();

  EXPECT_EQ(Find(schema, "/additionalProperties"), false);
  EXPECT_EQ(Find(schema, "/properties/browser/additionalProperties"), false);
}

}  // namespace
}  // namespace falconer
